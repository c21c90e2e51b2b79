import { finishRewind, restoreAgain } from "./start-rewind.ts";
import { type Decision, nothing } from "../model/decision.ts";
import type { Operation, SessionState } from "@capstan/session";
import type { Stimulus } from "../model/stimulus.ts";

type Rewinding = Extract<Operation, { type: "rewinding" }>;

/** Files are being restored. A restore is not stopped half-way: it is short, and every file of it is whole. */
export function fromRewinding(state: SessionState, operation: Rewinding, stimulus: Stimulus): Decision {
  if (stimulus.type === "process-restarted") return restoreAgain(operation);
  if (stimulus.type !== "files-restored" || stimulus.restoreId !== operation.rewindId) return nothing;
  return finishRewind(state, operation, stimulus);
}
