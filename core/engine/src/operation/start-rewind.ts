import type { FileConflict, FileEffect, JournalRecord, Origin, Submission } from "@capstan/protocol";
import { andThen, type Decision, decision, nothing } from "../model/decision.ts";
import type { Operation, SessionState, TurnMark } from "@capstan/session";
import { maxLeftShown } from "../limits.ts";
import { planRewind } from "@capstan/policy";

type Rewind = Extract<Submission, { type: "rewind" }>;
type Unwind = Extract<Submission, { type: "unwind" }>;
type Rewinding = Extract<Operation, { type: "rewinding" }>;

/** Takes turns back: files first, so that a crash between the two leaves words about files that are still being restored, not lost ones. */
export function startRewind(state: SessionState, request: Rewind, origin: Origin): Decision {
  const { keepTurns, conversation, submissionId } = request;
  const asked = submissionId === undefined ? {} : { submissionId };
  const taken = state.turns.slice(keepTurns);
  const files = request.files ? planRewind(effectsOf(taken)).files : [];
  const left = request.files ? [...new Set(taken.flatMap((turn) => turn.left))] : [];
  const reported = left.length === 0 ? [] : [notKept(left)];
  return andThen(state, decision(reported), (next) =>
    restore(next, {
      type: "rewind-started",
      rewindId: `${taken[0]?.turnId ?? ""}.r${state.rewinds.length + 1}`,
      direction: "back",
      keepTurns,
      conversation,
      files,
      origin,
      ...asked,
    }),
  );
}

function notKept(left: readonly string[]): JournalRecord {
  const shown = left.slice(0, maxLeftShown).join("; ");
  const more = left.length > maxLeftShown ? `; and ${left.length - maxLeftShown} more` : "";
  const text = `Not kept before these turns, and so left as it is now, changed or not: ${shown}${more}.`;
  return { type: "notice", level: "warning", code: "rewind.not-kept", text };
}

/** Brings back what the last rewind took. */
export function startUnwind(state: SessionState, { submissionId }: Unwind, origin: Origin): Decision {
  const asked = submissionId === undefined ? {} : { submissionId };
  const last = state.rewinds.at(-1);
  if (last === undefined) return nothing;
  return restore(state, {
    type: "rewind-started",
    rewindId: `${last.turns.at(-1)?.turnId ?? ""}.u${state.rewinds.length}`,
    direction: "forth",
    keepTurns: last.turns.length,
    conversation: true,
    files: last.restored.map(({ path, before, after }) => ({ path, before: after, after: before })),
    origin,
    ...asked,
  });
}

/** Asks for the files again after a restart: what is restored already counts as done. */
export function restoreAgain({ rewindId, files }: Rewinding): Decision {
  return decision(
    [{ type: "session-recovered", found: "a rewind that had not ended" }],
    [{ type: "restore-files", restoreId: rewindId, files }],
  );
}

/** The files are where they should be, or were left alone. */
export function finishRewind(
  state: SessionState,
  operation: Rewinding,
  outcome: { readonly restored: readonly FileEffect[]; readonly conflicts: readonly FileConflict[] },
): Decision {
  const { rewindId, direction, keepTurns, files } = operation;
  const planned =
    direction === "back" && files.length > 0 ? planRewind(effectsOf(state.turns.slice(keepTurns))).conflicts : [];
  const conflicts = [...outcome.conflicts, ...planned];
  return decision([{ type: "rewind-finished", rewindId, restored: outcome.restored, conflicts }]);
}

function restore(state: SessionState, started: Extract<JournalRecord, { type: "rewind-started" }>): Decision {
  const { rewindId, files } = started;
  if (files.length > 0) return decision([started], [{ type: "restore-files", restoreId: rewindId, files }]);
  return andThen(state, decision([started]), (next) =>
    next.operation.type === "rewinding" ? finishRewind(next, next.operation, { restored: [], conflicts: [] }) : nothing,
  );
}

function effectsOf(turns: readonly TurnMark[]): readonly (readonly FileEffect[])[] {
  return turns.map((turn) => turn.effects);
}
