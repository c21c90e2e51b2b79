import { fold } from "@capstan/session";
import { decide } from "@capstan/engine";
import { AppError, deltaScope, type JournalRecord, type Origin, type SessionEvent } from "@capstan/protocol";

type SessionStarted = Extract<JournalRecord, { type: "session-started" }>;

/** Turns that are ended in a copy: more than can wait in line. */
const maxEnds = 200;

/**
 * The records of a copy of a session. It begins at rest: what is under way, or waits, is the original's, which may continue with it
 * at any moment; in the copy it ends like something that was interrupted, and nothing of it runs there.
 */
export function copiedRecords(
  source: readonly SessionEvent[],
  started: SessionStarted,
  origin: Origin,
): readonly JournalRecord[] {
  const records = [{ ...started, ...importedIn(source) }, ...keptInCopy(source)];
  return [...records, ...endsOf(records, origin)];
}

/** A copy of what was imported is no more to be believed than the original. */
function importedIn(source: readonly SessionEvent[]): Pick<SessionStarted, "importedFrom"> {
  const [first] = source;
  if (first?.record.type !== "session-started" || first.record.importedFrom === undefined) return {};
  const { importedFrom } = first.record;
  const kept = source.filter(({ seq, record }) => seq <= importedFrom.lastSeq && deltaScope(record) === undefined);
  return { importedFrom: { ...importedFrom, lastSeq: kept.length } };
}

/** What a copy takes over: everything but the beginning, pieces of answers, and a rewind that is under way. */
export function keptInCopy(source: readonly SessionEvent[]): readonly JournalRecord[] {
  return withoutOpenRewind(
    source
      .map((event) => event.record)
      .filter((record) => record.type !== "session-started" && deltaScope(record) === undefined),
  );
}

/** The records that bring a journal to rest: whatever is under way in it, or waits, ends as interrupted. */
export function endsOf(records: readonly JournalRecord[], origin: Origin): readonly JournalRecord[] {
  const ends: JournalRecord[] = [];
  let state = fold(records);
  for (let count = 0; state.operation.type !== "idle"; count += 1) {
    if (count === maxEnds) throw new AppError("internal.bug", "a copied session does not come to rest");
    const submission = { type: "cancel", reason: "interrupted" } as const;
    const ended = decide(state, { type: "submission", submission, origin, role: "operate" }).records;
    ends.push(...ended);
    state = fold(ended, state);
  }
  return ends;
}

/** Files that the original is restoring are its own. */
function withoutOpenRewind(records: readonly JournalRecord[]): readonly JournalRecord[] {
  const start = records.findLastIndex((record) => record.type === "rewind-started");
  const isFinished = records.slice(start + 1).some((record) => record.type === "rewind-finished");
  return start === -1 || isFinished ? records : records.slice(0, start);
}
