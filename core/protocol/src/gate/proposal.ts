import type { FileConflict, FileEffect } from "../action.ts";
import type { ToolCallId, TurnId } from "../ids.ts";
import type { Origin } from "./interaction.ts";

/** What one call would do to files: nothing of it is there until somebody applies it. */
export interface Proposal {
  /** `p1`, `p2`, … in the session. */
  readonly id: string;
  readonly turnId: TurnId;
  readonly callId: ToolCallId;
  /** The call, as one line for people. */
  readonly summary: string;
  /** All that is chosen of it is applied, or none. */
  readonly together?: true;
  /** Those that are neither applied nor refused. `before`: what must be there, else the file is left alone. */
  readonly files: readonly FileEffect[];
}

/** One file of a proposal. `path`: absolute and real. */
export interface ProposedFile {
  readonly proposal: string;
  readonly path: string;
}

export type ProposalRecord =
  /** Proposed changes are written. `files`: what that comes to, one entry for each file, whatever number of proposals changed it. */
  | {
      readonly type: "proposals-applying";
      readonly applyId: string;
      readonly chosen: readonly ProposedFile[];
      readonly files: readonly FileEffect[];
      /** What was asked for and cannot be written: proposals of which one does not stand on the other. */
      readonly left: readonly FileConflict[];
      readonly origin: Origin;
      /** Of the submission that asked for it, so that repeating that one changes nothing. */
      readonly submissionId?: string;
    }
  /** What is in `conflicts` was left alone, and stays proposed. */
  | {
      readonly type: "proposals-applied";
      readonly applyId: string;
      readonly applied: readonly FileEffect[];
      readonly conflicts: readonly FileConflict[];
    }
  | {
      readonly type: "proposals-refused";
      readonly refused: readonly ProposedFile[];
      readonly origin: Origin;
      readonly submissionId?: string;
    };
