import { startCompaction } from "./start-compaction.ts";
import { startRewind, startUnwind } from "./start-rewind.ts";
import { type Decision, nothing } from "../model/decision.ts";
import type { SessionState } from "../model/state.ts";
import type { Stimulus } from "../model/stimulus.ts";

/** Nothing runs: what is said of the session as a whole has its place here (input and settings are taken in every state). */
export function fromIdle(state: SessionState, stimulus: Stimulus): Decision {
  if (stimulus.type !== "submission") return nothing;
  const { submission, origin } = stimulus;
  if (submission.type === "compact") return startCompaction(state);
  if (submission.type === "rewind") return startRewind(state, submission, origin);
  if (submission.type === "unwind") return startUnwind(state, origin);
  return nothing;
}
