import type { ModelSettings } from "@capstan/protocol";
import { textOption } from "../shared/request/model-option.ts";

/** How a model is asked to think: it chooses how much itself, it is given a budget of tokens, or it takes either. */
export type ThinkingStyle = "adaptive" | "budget" | "both";

/** What the wire has to know about a model, from its id; option `thinking_style` says it more exactly. */
export interface AnthropicModel {
  /** `undefined`: nobody knows, so the model is asked as the user said. */
  readonly thinking: ThinkingStyle | undefined;
  /** With a budget, thinks between tool calls only when a header asks for it. */
  readonly interleavesWhenAsked: boolean;
  /**
   * Refuses its own thinking once anything before it has changed, such as the tools of a request for a summary, unless it
   * is asked to leave that out (https://platform.claude.com/docs/en/build-with-claude/preserved-thinking).
   */
  readonly bindsThinking: boolean;
}

/** Looks a model up, with whatever stands around its name at other vendors (`anthropic/…`, `us.anthropic.…-v1:0`). */
export function anthropicModel(model: ModelSettings): AnthropicModel {
  const style = textOption(model, "thinking_style");
  const generation = generationOf(model.id.toLowerCase());
  return {
    thinking: isStyle(style) ? style : styleOf(generation),
    interleavesWhenAsked: generation !== undefined && generation >= 4 && generation < 5,
    bindsThinking: generation !== undefined && generation > 5,
  };
}

/** Budgets were refused from Opus 4.7 on, and adaptive thinking came with 4.6. */
function styleOf(generation: number | undefined): ThinkingStyle | undefined {
  if (generation === undefined) return undefined;
  if (generation < 4.6) return "budget";
  return generation < 4.7 ? "both" : "adaptive";
}

/** `4.7` for `claude-opus-4-7`, `4` for `claude-sonnet-4-20250514`; the models without a number are of the fifth generation. */
function generationOf(id: string): number | undefined {
  const found = /claude-(?:[a-z]+-)?(\d+)(?:[.-](\d)(?!\d))?(?!\d)/.exec(id);
  if (found !== null) return Number(found[1]) + Number(found[2] ?? 0) / 10;
  return /claude-(fable|mythos)/.test(id) ? 5 : undefined;
}

function isStyle(style: string | undefined): style is ThinkingStyle {
  return style === "adaptive" || style === "budget" || style === "both";
}
