import type { PreparedCall } from "@capstan/engine";
import type { Digest, Tool, ToolCatalog, ToolContext } from "@capstan/ports";
import {
  type Action,
  type ActionDraft,
  canonicalJson,
  messageOf,
  type ToolCallBlock,
  type ToolOutcome,
  ToolRefusal,
} from "@capstan/protocol";
import { redactChanges, redactOutcome } from "../redact-outcome.ts";

/** What makes an action of a draft. */
export interface ForActions {
  readonly digest: Digest;
  readonly redact: (text: string) => string;
}

/** Builds the frozen action of every call, with what it would do to files, or the reason why it must not run. */
export async function prepareActions(
  calls: readonly ToolCallBlock[],
  tools: ToolCatalog,
  context: ToolContext,
  using: ForActions,
): Promise<readonly PreparedCall[]> {
  const prepared = await Promise.all(calls.map((call) => prepareCall(call, tools, context, using)));
  return await Promise.all(
    prepared.map(async (item, at) => {
      const tool = item.type === "action" ? tools.find(item.action.tool) : undefined;
      if (item.type !== "action" || tool === undefined || !standsAlone(item.action, prepared.slice(0, at))) return item;
      return await workedOut(item, tool, context, using);
    }),
  );
}

/** Whether what it finds is what is there now: a change that nothing earlier in its batch may change the ground of. */
function standsAlone({ effect, paths }: Action, earlier: readonly PreparedCall[]): boolean {
  if (effect !== "write") return false;
  return earlier.every(
    (item) =>
      item.type === "refused" ||
      item.action.effect === "read" ||
      item.action.effect === "session" ||
      (item.action.effect === "write" && isDisjoint(item.action.paths, paths)),
  );
}

function isDisjoint(some: Action["paths"], others: Action["paths"]): boolean {
  return some.length > 0 && some.every(({ real }) => others.every((other) => other.real !== real));
}

async function workedOut(
  item: Extract<PreparedCall, { type: "action" }>,
  tool: Tool,
  context: ToolContext,
  { redact }: ForActions,
): Promise<PreparedCall> {
  try {
    const staged = await tool.stage?.(item.action, context);
    return staged === undefined ? item : { ...item, changes: redactChanges(staged.changes, redact) };
  } catch (error) {
    return { ...item, refusal: redactOutcome(refusalOutcome(error, tool), redact) };
  }
}

async function prepareCall(
  call: ToolCallBlock,
  tools: ToolCatalog,
  context: ToolContext,
  { digest, redact }: ForActions,
): Promise<PreparedCall> {
  const { callId } = call;
  const refuse = (outcome: ToolOutcome): PreparedCall => ({ callId, type: "refused", outcome });
  if (call.arguments.type === "malformed")
    return refuse({ type: "rejected", code: "tool.malformed-arguments", content: call.arguments.problem });
  const routed = tools.route(call.name, call.arguments.value);
  if (routed.type === "unknown") return refuse(unknownTool(call.name, tools));
  if (routed.type === "wrong") return refuse(badArguments(routed.problem));
  const { tool, notes } = routed;
  try {
    const checked = tools.check(tool, routed.arguments);
    if (checked.type === "wrong") return refuse(badArguments(checked.problem));
    const prepared = await tool.prepare(checked.arguments, context);
    const draft = notes.length === 0 ? prepared : { ...prepared, notes };
    // The line for people is part of what is frozen; the arguments stay as they will be run.
    return { callId, type: "action", action: freezeAction({ ...draft, summary: redact(draft.summary) }, digest) };
  } catch (error) {
    return refuse(refusalOutcome(error, tool));
  }
}

function badArguments(problem: string): ToolOutcome {
  return { type: "rejected", code: "tool.bad-arguments", content: `Not run: ${problem}` };
}

/** The action with its digest: from here on policy, user, journal and executor read the same thing. */
export function freezeAction(draft: ActionDraft, digest: Digest): Action {
  return deepFreeze({ ...draft, digest: digest(canonicalJson(draft)) });
}

/** Whether an action is still the one its digest was taken of: what policy judged and a user saw is what runs. */
export function isWhole({ digest: taken, ...draft }: Action, digest: Digest): boolean {
  return digest(canonicalJson(draft)) === taken;
}

/** What the model reads when a call could not be prepared or worked out. */
export function refusalOutcome(error: unknown, tool: Tool): ToolOutcome {
  if (!(error instanceof ToolRefusal)) {
    return {
      type: "failed",
      code: "tool.failed",
      content: `${tool.definition.name} failed before it did anything: ${messageOf(error)}`,
    };
  }
  if (error.kind === "denied") return { type: "denied", by: "path", content: error.message };
  return { type: "rejected", code: error.code, content: error.message };
}

/** What the model reads when it names a tool that is not there. */
export function unknownTool(name: string, tools: ToolCatalog): ToolOutcome {
  const names = tools
    .definitions()
    .map((definition) => definition.name)
    .join(", ");
  return {
    type: "rejected",
    code: "tool.unknown",
    content: `Not run: there is no tool named ${JSON.stringify(name.slice(0, 64))}. The tools are: ${names}.`,
  };
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) deepFreeze(item);
  }
  return value;
}
