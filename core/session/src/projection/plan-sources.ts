import type { AssistantMessage } from "@capstan/protocol";
import { openTurnOf } from "../model/open-turn-of.ts";
import type { SessionState } from "../model/state.ts";

/** Where a plan may be found when the model leaves plan mode without saying it. */
export interface PlanSources {
  /** Content of the last file it wrote that is named like a plan. */
  readonly written: string | null;
  /** What it has said in this turn. */
  readonly said: string | null;
}

/** What of a plan is known since the last one was presented: that one had its answer. */
export function planSources(state: SessionState): PlanSources {
  const from = openTurnOf(state)?.saidFrom ?? state.conversation.length;
  const said = state.conversation
    .slice(from)
    .flatMap((message) => (message.role === "assistant" ? [textOf(message)] : []))
    .join("\n\n")
    .trim();
  const written = state.turns.findLast(({ plan }) => plan !== undefined)?.plan ?? null;
  return { written, said: said === "" ? null : said };
}

function textOf({ content }: AssistantMessage): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}
