import { startCompaction } from "../compaction/start-compaction.ts";
import { type Decision, nothing } from "./decision.ts";
import type { SessionState } from "./state.ts";
import type { Stimulus } from "./stimulus.ts";

/** Nothing runs: only a wish to compact has a meaning here (input and settings are taken in every state). */
export function fromIdle(state: SessionState, stimulus: Stimulus): Decision {
  if (stimulus.type === "submission" && stimulus.submission.type === "compact") return startCompaction(state);
  return nothing;
}
