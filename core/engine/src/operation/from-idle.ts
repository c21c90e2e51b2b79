import { runForUser } from "../turn/run-for-user.ts";
import { startCompaction } from "./start-compaction.ts";
import { startRewind, startUnwind } from "./start-rewind.ts";
import { type Decision, nothing } from "../model/decision.ts";
import type { SessionState } from "../model/state.ts";
import { hasCounted } from "./refuse.ts";
import type { Stimulus } from "../model/stimulus.ts";

/** Nothing runs: what is said of the session as a whole has its place here (input and settings are taken in every state). */
export function fromIdle(state: SessionState, stimulus: Stimulus): Decision {
  if (stimulus.type !== "submission") return nothing;
  const { submission, origin } = stimulus;
  switch (submission.type) {
    case "run-for-user":
      return runForUser(state, submission, origin);
    case "compact":
      return hasCounted(state, submission) ? nothing : startCompaction(state, submission);
    case "rewind":
      return hasCounted(state, submission) ? nothing : startRewind(state, submission, origin);
    case "unwind":
      return hasCounted(state, submission) ? nothing : startUnwind(state, submission, origin);
    default:
      return nothing;
  }
}
