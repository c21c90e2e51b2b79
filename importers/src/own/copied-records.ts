import { fold, type SessionState } from "@capstan/session";
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
  const records = [{ ...started, ...importedIn(source) }, ...[...keptInCopy(source)].map(({ record }) => record)];
  return [...records, ...broughtToRest(records, origin).ends];
}

/** A copy of what was imported is no more to be believed than the original. */
function importedIn(source: readonly SessionEvent[]): Pick<SessionStarted, "importedFrom"> {
  const [first] = source;
  if (first?.record.type !== "session-started" || first.record.importedFrom === undefined) return {};
  const { importedFrom } = first.record;
  const kept = source.filter(({ seq, record }) => seq <= importedFrom.lastSeq && deltaScope(record) === undefined);
  return { importedFrom: { ...importedFrom, lastSeq: kept.length } };
}

/**
 * What a copy takes over: everything but the beginning, pieces of answers, and a rewind that is under way, or proposals that are being applied, with whatever follows on it. Files
 * that the original is changing are its own.
 */
export function* keptInCopy(source: Iterable<SessionEvent>): Generator<SessionEvent> {
  let open: SessionEvent[] = [];
  for (const event of source) {
    const { record } = event;
    if (record.type === "session-started" || deltaScope(record) !== undefined) continue;
    if (record.type === "rewind-started" || record.type === "proposals-applying") {
      yield* open;
      open = [event];
    } else if (open.length === 0) yield event;
    else {
      open.push(event);
      if (record.type !== "rewind-finished" && record.type !== "proposals-applied") continue;
      yield* open;
      open = [];
    }
  }
}

/** The records that bring a journal to rest, and the state then: whatever is under way in it, or waits, ends as interrupted. */
export function broughtToRest(
  records: Iterable<JournalRecord>,
  origin: Origin,
): { readonly ends: readonly JournalRecord[]; readonly state: SessionState } {
  const ends: JournalRecord[] = [];
  let state = fold(records);
  for (let count = 0; state.operation.type !== "idle"; count += 1) {
    if (count === maxEnds) throw new AppError("internal.bug", "a copied session does not come to rest");
    const submission = { type: "cancel", reason: "interrupted" } as const;
    const ended = decide(state, { type: "submission", submission, origin, role: "operate" }).records;
    ends.push(...ended);
    state = fold(ended, state);
  }
  return { ends, state };
}
