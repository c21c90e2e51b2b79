import { toStepId } from "@capstan/protocol";
import { messagesKeptByCompaction } from "../limits.ts";
import { type Decision, decision } from "../operation/decision.ts";
import type { SessionState } from "../operation/state.ts";
import { askForSummary } from "./compaction-request.ts";

/** Summarises the older messages, or says why there is nothing to summarise. */
export function startCompaction(state: SessionState): Decision {
  const messageCount = compactableCount(state);
  if (messageCount === 0) {
    return decision([
      { type: "notice", level: "info", code: "compaction.nothing", text: "There is nothing to summarise yet." },
    ]);
  }
  const stepId = toStepId(`${state.sessionId ?? "session"}.c${state.compactions + 1}`);
  return decision(
    [{ type: "compaction-started", stepId, messageCount, attempt: 1 }],
    askForSummary(state, { stepId, messageCount, attempt: 1 }),
  );
}

/** How many messages a summary may stand for: it ends where a person speaks, so that no call is parted from its result. */
function compactableCount({ conversation, summary }: SessionState): number {
  const already = summary?.messageCount ?? 0;
  for (let count = conversation.length - messagesKeptByCompaction; count > already; count -= 1) {
    const next = conversation[count];
    if (next?.role === "user" && next.content.every((block) => block.type !== "tool-result")) return count;
  }
  return 0;
}
