import type { Submission } from "@capstan/protocol";
import { askForSummary, compactable, nextCompaction } from "../turn/compact.ts";
import { type Decision, decision } from "../model/decision.ts";
import type { SessionState } from "@capstan/session";

type Compact = Extract<Submission, { readonly type: "compact" }>;

/** Summarises the older messages because a user wants it, or says why there is nothing to summarise. */
export function startCompaction(state: SessionState, { submissionId }: Compact): Decision {
  const asked = submissionId === undefined ? {} : { submissionId };
  // As much as can be: the last messages stay, whatever room there is.
  const messageCount = state.config === null ? 0 : compactable(state, { model: state.config.model, goal: 0 });
  if (messageCount === 0) {
    const text = "There is nothing to summarise yet.";
    return decision([{ type: "notice", level: "info", code: "compaction.nothing", text, ...asked }]);
  }
  const stepId = nextCompaction(state);
  return askForSummary(state, { type: "compaction-started", stepId, messageCount, attempt: 1, ...asked });
}
