import type { WireName } from "@capstan/ports";
import type { JsonObject } from "@capstan/protocol";
import type { Thinking } from "./model-facts.ts";

/** Where each wire's client looks for the effort; Google's knows itself which model takes which. */
const effortOptions: Readonly<Partial<Record<WireName, string>>> = {
  anthropic: "thinking_effort",
  "openai-responses": "reasoning_effort",
  "openai-chat": "reasoning_effort",
};

/** Thinks with a budget only, and takes an effort all the same (https://docs.anthropic.com/en/docs/build-with-claude/effort). */
const budgetWithEffort = /^claude-opus-4-5\b/;
/** Think, and refuse a request that says how much. */
const fixedEffort = /^(?:o1-(?:mini|preview)|grok-4(?:-|$)|grok-code)/;

/** Whether a model can be asked for more or less effort; what nothing is known of can. */
function takesEffort(wire: WireName, id: string, thinking: Thinking | undefined): boolean {
  if (thinking === "no") return false;
  if (wire === "anthropic") return thinking !== "budget" || budgetWithEffort.test(id);
  return !fixedEffort.test(id);
}

/**
 * A vendor's options for one of its models: vendors refuse a request that names an effort where the model has none.
 * @param own  what the user set for this one provider, which is sent as it is
 */
export function withoutUnusedEffort(
  options: JsonObject,
  model: { readonly wire: WireName; readonly id: string; readonly thinking: Thinking | undefined },
  own: JsonObject = {},
): JsonObject {
  const name = effortOptions[model.wire];
  if (name === undefined || Object.hasOwn(own, name) || takesEffort(model.wire, model.id, model.thinking))
    return options;
  return Object.fromEntries(Object.entries(options).filter(([option]) => option !== name));
}
