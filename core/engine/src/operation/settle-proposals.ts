import { joinEffects } from "@capstan/policy";
import type { FileEffect, Origin, ProposedFile, Submission } from "@capstan/protocol";
import { openProposals, type Operation, type SessionState } from "@capstan/session";
import { type Decision, decision, nothing } from "../model/decision.ts";
import type { Stimulus } from "../model/stimulus.ts";

type Settle = Extract<Submission, { type: "settle-proposals" }>;
type Applying = Extract<Operation, { type: "applying" }>;

/** Writes proposed changes, or drops them. */
export function settleProposals(state: SessionState, request: Settle, origin: Origin): Decision {
  const { submissionId } = request;
  const asked = submissionId === undefined ? {} : { submissionId };
  const wanted = chosenOf(state, request.files);
  if (wanted.length === 0) return nothing;
  if (request.decision === "refuse")
    return decision([{ type: "proposals-refused", refused: wanted.map(namedFile), origin, ...asked }]);
  const applyId = `a${state.proposals.applies + 1}`;
  const { files, joined, conflicts: left } = joinEffects(wanted);
  return decision(
    [{ type: "proposals-applying", applyId, chosen: joined.map(namedFile), files, left, origin, ...asked }],
    [{ type: "restore-files", restoreId: applyId, files }],
  );
}

/** Files are being written. That is not stopped half-way: it is short, and what is written already counts as done. */
export function fromApplying({ applyId, files, left }: Applying, stimulus: Stimulus): Decision {
  if (stimulus.type === "process-restarted")
    return decision(
      [{ type: "session-recovered", found: "proposed changes that were being applied" }],
      [{ type: "restore-files", restoreId: applyId, files }],
    );
  if (stimulus.type !== "files-restored" || stimulus.restoreId !== applyId) return nothing;
  const { restored: applied, conflicts } = stimulus;
  return decision([{ type: "proposals-applied", applyId, applied, conflicts: [...conflicts, ...left] }]);
}

/** A change of one file, with the proposal that it is part of. */
type ProposedChange = ProposedFile & FileEffect;

/** In the order in which they were proposed. */
function chosenOf(state: SessionState, files: Settle["files"]): readonly ProposedChange[] {
  const open = openProposals(state).flatMap(({ id, files: own }) => own.map((file) => ({ ...file, proposal: id })));
  return open.filter(
    ({ proposal, path }) =>
      files === undefined || files.some((file) => file.proposal === proposal && file.path === path),
  );
}

function namedFile({ proposal, path }: ProposedChange): ProposedFile {
  return { proposal, path };
}
