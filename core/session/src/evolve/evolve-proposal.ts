import {
  type JournalRecord,
  type Message,
  type Proposal,
  type ProposalRecord,
  type ProposedFile,
  unreachable,
} from "@capstan/protocol";
import type { SessionState } from "../model/state.ts";
import { appended } from "./growing-lists.ts";
import { openProposals } from "../model/open-proposals.ts";
import { withMark } from "./turn-marks.ts";

type Applied = Extract<JournalRecord, { type: "proposals-applied" }>;

export function evolveProposal(state: SessionState, record: ProposalRecord): SessionState {
  switch (record.type) {
    case "proposals-applying": {
      if (state.operation.type !== "idle") return state;
      const { applyId, chosen, files, left } = record;
      const proposals = { ...state.proposals, applies: state.proposals.applies + 1 };
      return { ...state, proposals, operation: { type: "applying", applyId, chosen, files, left } };
    }
    case "proposals-applied":
      return finishApply(state, record);
    case "proposals-refused":
      return informed(without(state, record.refused), [
        ["The user refused these proposed changes", pathsOf(record.refused)],
      ]);
    default:
      return unreachable(record);
  }
}

/** A call has proposed changes. */
export function addProposal(state: SessionState, proposal: Omit<Proposal, "id">): SessionState {
  if (proposal.files.length === 0) return state;
  const made = state.proposals.made + 1;
  const open = [...openProposals(state), { ...proposal, id: `p${made}` }];
  return { ...state, proposals: { ...state.proposals, open, made } };
}

/** What was written can be taken back with the turn that proposed it. */
function finishApply(state: SessionState, { applyId, applied, conflicts }: Applied): SessionState {
  const { operation } = state;
  if (operation.type !== "applying" || operation.applyId !== applyId) return state;
  const written = new Set(applied.map(({ path }) => path));
  const missed = new Set(operation.files.flatMap(({ path }) => (written.has(path) ? [] : [path])));
  const settled = operation.chosen.filter(({ path }) => !missed.has(path));
  const turnOf = new Map(state.proposals.open.map(({ id, turnId }) => [id, turnId]));
  const marked = applied.reduce((next: SessionState, effect) => {
    const turnId = turnOf.get(operation.chosen.findLast(({ path }) => path === effect.path)?.proposal ?? "");
    if (turnId === undefined) return next;
    return withMark(next, turnId, (mark) => ({ ...mark, effects: [...mark.effects, effect] }));
  }, state);
  return informed({ ...without(marked, settled), operation: { type: "idle" } }, [
    ["The user applied these proposed changes", applied.map(({ path }) => path)],
    ["These could not be applied, since the files have changed", conflicts.map(({ path }) => path)],
  ]);
}

function without(state: SessionState, settled: readonly ProposedFile[]): SessionState {
  const isSettled = (id: string, path: string): boolean =>
    settled.some((file) => file.proposal === id && file.path === path);
  const open = state.proposals.open.flatMap((proposal) => {
    const files = proposal.files.filter(({ path }) => !isSettled(proposal.id, path));
    if (files.length === proposal.files.length) return [proposal];
    return files.length === 0 ? [] : [{ ...proposal, files }];
  });
  return { ...state, proposals: { ...state.proposals, open } };
}

function pathsOf(files: readonly ProposedFile[]): readonly string[] {
  return files.map(({ path }) => path);
}

/** The model must know what the files hold, or it continues from what it proposed. */
function informed(state: SessionState, said: readonly (readonly [string, readonly string[]])[]): SessionState {
  const parts = said.flatMap(([what, paths]) =>
    paths.length === 0 ? [] : [`[${what}:]\n${[...new Set(paths)].map((path) => `- ${path}`).join("\n")}`],
  );
  if (parts.length === 0) return state;
  const message: Message = { role: "user", content: [{ type: "text", text: parts.join("\n") }] };
  return { ...state, conversation: appended(state.conversation, message) };
}
