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
  const chosen = joined.map(namedFile);
  return decision(
    [{ type: "proposals-applying", applyId, chosen, files, left, origin, ...asked }],
    [{ type: "restore-files", restoreId: applyId, files, ...togetherOf(state, chosen) }],
  );
}

/** Files are being written. That is not stopped half-way: it is short, and what is written already counts as done. */
export function fromApplying(
  state: SessionState,
  { applyId, chosen, files, left }: Applying,
  stimulus: Stimulus,
): Decision {
  if (stimulus.type === "process-restarted")
    return decision(
      [{ type: "session-recovered", found: "proposed changes that were being applied" }],
      [{ type: "restore-files", restoreId: applyId, files, ...togetherOf(state, chosen) }],
    );
  if (stimulus.type !== "files-restored" || stimulus.restoreId !== applyId) return nothing;
  const { restored: applied, conflicts } = stimulus;
  return decision([{ type: "proposals-applied", applyId, applied, conflicts: [...conflicts, ...left] }]);
}

/** What is chosen of each proposal that is to be applied as one. */
function togetherOf(
  state: SessionState,
  chosen: readonly ProposedFile[],
): { together?: readonly (readonly string[])[] } {
  const sets = openProposals(state)
    .filter(({ together }) => together === true)
    .map(({ id }) => chosen.flatMap(({ proposal, path }) => (proposal === id ? [path] : [])))
    .filter(({ length }) => length > 1);
  return sets.length === 0 ? {} : { together: sets };
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
