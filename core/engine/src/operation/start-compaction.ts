import { type JournalRecord, type Submission, toStepId } from "@capstan/protocol";
import { summaryRequest } from "@capstan/wording";
import { messagesKeptByCompaction } from "../limits.ts";
import { type Decision, decision } from "../model/decision.ts";
import type { SessionState } from "../model/state.ts";

type Compact = Extract<Submission, { readonly type: "compact" }>;

/** Summarises the older messages, or says why there is nothing to summarise. */
export function startCompaction(state: SessionState, { submissionId }: Compact): Decision {
  const asked = submissionId === undefined ? {} : { submissionId };
  const messageCount = compactableCount(state);
  if (messageCount === 0) {
    const text = "There is nothing to summarise yet.";
    return decision([{ type: "notice", level: "info", code: "compaction.nothing", text, ...asked }]);
  }
  const stepId = toStepId(`${state.sessionId ?? "session"}.c${state.compactions + 1}`);
  return askForSummary(state, { type: "compaction-started", stepId, messageCount, attempt: 1, ...asked });
}

/** How many messages a summary may stand for: it ends where a user speaks, so that no call is parted from its result. */
function compactableCount({ conversation, summary }: SessionState): number {
  const already = summary?.messageCount ?? 0;
  for (let count = conversation.length - messagesKeptByCompaction; count > already; count -= 1) {
    const next = conversation[count];
    if (next?.role === "user" && next.content.every((block) => block.type !== "tool-result")) return count;
  }
  return 0;
}

/** Asks the session's model for a summary. */
export function askForSummary(
  { config, summary, conversation }: SessionState,
  started: Extract<JournalRecord, { type: "compaction-started" }>,
): Decision {
  const { stepId, messageCount, attempt } = started;
  if (config === null) return decision([started]);
  const request = summaryRequest(config, summary, conversation.slice(0, messageCount));
  return decision([started], [{ type: "call-model", stepId, attempt, model: config.model, request }]);
}
