import { decide, evolve, initialState } from "@capstan/engine";
import { AppError, deltaScope, type JournalRecord, type Origin, type SessionEvent } from "@capstan/protocol";

type SessionStarted = Extract<JournalRecord, { type: "session-started" }>;

/** Turns that are ended in a copy: more than can wait in line. */
const maxEnds = 200;

/**
 * The records of a copy of a session. It begins at rest: what is under way, or waits, is the original's, which may go on with it
 * at any moment; in the copy it ends like something that was interrupted, and nothing of it runs there.
 */
export function copiedRecords(
  source: readonly SessionEvent[],
  started: SessionStarted,
  origin: Origin,
): readonly JournalRecord[] {
  const inherited = withoutOpenRewind(
    source
      .map((event) => event.record)
      .filter((record) => record.type !== "session-started" && deltaScope(record) === undefined),
  );
  const records: JournalRecord[] = [started, ...inherited];
  let state = records.reduce(evolve, initialState);
  for (let ends = 0; state.operation.type !== "idle"; ends += 1) {
    if (ends === maxEnds) throw new AppError("internal.bug", "a copied session does not come to rest");
    const submission = { type: "cancel", reason: "interrupted" } as const;
    const ended = decide(state, { type: "submission", submission, origin }).records;
    records.push(...ended);
    state = ended.reduce(evolve, state);
  }
  return records;
}

/** Files that the original is restoring are its own. */
function withoutOpenRewind(records: readonly JournalRecord[]): readonly JournalRecord[] {
  const start = records.findLastIndex((record) => record.type === "rewind-started");
  const isFinished = records.slice(start + 1).some((record) => record.type === "rewind-finished");
  return start === -1 || isFinished ? records : records.slice(0, start);
}
