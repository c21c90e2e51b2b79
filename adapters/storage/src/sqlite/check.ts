import type { JournalProblem } from "@capstan/ports";
import type { SessionEvent, SessionId } from "@capstan/protocol";
import { firstLink, nextLink } from "../chain.ts";
import { IndexCheck, type StoredIndex, type StoredInteraction } from "./check-index.ts";
import type { Connection } from "./connection.ts";
import { newestCheckedBytes, newestCheckedRows, newestReadAtOnce, rowsReadAtOnce } from "../limits.ts";
import { fromRow, type JournalRow } from "./journal-rows.ts";
import { linkedBefore, rowsAfter, rowsBefore } from "./rows.ts";

/**
 * What is wrong with what is stored of a session, as far as its records, links and index show. Whoever can write the file can
 * also write a whole chain again: against that only a copy kept elsewhere helps.
 * @returns in order of sequence number, what concerns the session as a whole last
 * @throws whatever SQLite throws
 */
export function checkSession(connection: Connection, sessionId: SessionId): readonly JournalProblem[] {
  return connection.read(() => {
    const rows = new RowCheck();
    const journal = new IndexCheck();
    for (const row of rowsOf(connection, sessionId)) for (const event of rows.take(row)) journal.take(event);
    const [end] = connection.all<JournalEnd>(selectEnd, sessionId);
    if (end === undefined) return rows.lastSeq === 0 ? [] : [notListed];
    const problems = rows.problems(end);
    const index = connection.get<StoredIndex>(selectIndex, sessionId);
    const inbox = connection.all<StoredInteraction>(selectInbox, sessionId);
    // The index of a journal that cannot be read to its end cannot be worked out.
    const isWhole = rows.isReadable && rows.lastSeq === end.seq;
    return inOrder(isWhole ? [...problems, ...journal.problems(index, inbox)] : problems);
  });
}

/**
 * The same of the newest records and the end alone, without the index. The record before them is believed: its own link follows
 * on what is not looked at.
 * @throws whatever SQLite throws
 */
export function checkNewest(connection: Connection, sessionId: SessionId): readonly JournalProblem[] {
  return connection.read(() => {
    const [end] = connection.all<JournalEnd>(selectEnd, sessionId);
    if (end === undefined) return [];
    const rows = newestRows(connection, sessionId);
    const before = linkedBefore(connection, sessionId, rows[0]?.seq ?? 0);
    const check = new RowCheck(before);
    for (const row of rows) check.take(row);
    return inOrder(check.problems(end));
  });
}

function inOrder(problems: readonly JournalProblem[]): readonly JournalProblem[] {
  return problems.toSorted((a, b) => (a.seq ?? Infinity) - (b.seq ?? Infinity));
}

/** Oldest first, a part of them at a time: a long journal is never held whole. */
function* rowsOf(connection: Connection, sessionId: SessionId): Generator<JournalRow> {
  let last = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const rows = rowsAfter(connection, sessionId, last, rowsReadAtOnce);
    yield* rows;
    last = rows.at(-1)?.seq ?? last;
    if (rows.length < rowsReadAtOnce) return;
  }
}

/** Oldest first. A few at a time, because one row may hold a whole answer. */
function newestRows(connection: Connection, sessionId: SessionId): readonly JournalRow[] {
  const rows: JournalRow[] = [];
  let bytes = 0;
  while (rows.length < newestCheckedRows && bytes < newestCheckedBytes) {
    const before = rows.at(-1)?.seq ?? Number.MAX_SAFE_INTEGER;
    const older = rowsBefore(connection, sessionId, before, newestReadAtOnce);
    rows.push(...older);
    bytes += older.reduce((sum, row) => sum + row.bytes, 0);
    if (older.length < newestReadAtOnce) break;
  }
  return rows.toReversed();
}

interface JournalEnd {
  readonly seq: number;
  readonly head: string;
}

const notListed: JournalProblem = {
  seq: null,
  kind: "index",
  text: "there are records of this session, but it is missing in the index",
};

/** A type that is not known here is a newer one only as far as the chain holds. */
function asDamaged([broken]: readonly JournalProblem[]): (problem: JournalProblem) => JournalProblem {
  const brokenFrom = broken?.seq ?? Infinity;
  return (problem) =>
    problem.kind === "newer-version" && (problem.seq ?? 0) >= brokenFrom
      ? { seq: problem.seq, kind: "unreadable", text: `the record with number ${problem.seq} cannot be understood` }
      : problem;
}

/** Rows one after another: whether each can be read, and whether its link follows from what is stored. */
class RowCheck {
  readonly #unreadable: JournalProblem[] = [];
  #link: string;
  #head: string;
  #lastSeq: number;
  #broken: { readonly seq: number; readonly text: string } | undefined;
  #moreBroken = 0;

  /** @param before  the linked record before them, where there is one */
  constructor(before?: JournalRow) {
    this.#link = before === undefined ? firstLink : (before.hash ?? "");
    this.#head = before?.hash ?? firstLink;
    this.#lastSeq = before?.seq ?? 0;
  }

  /** 0: there was no row. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  get isReadable(): boolean {
    return this.#unreadable.length === 0;
  }

  /** @returns the events of the row; none where it cannot be read */
  take(row: JournalRow): readonly SessionEvent[] {
    const why = whyBroken(row, this.#link, this.#lastSeq);
    if (why !== undefined && this.#broken !== undefined) this.#moreBroken += 1;
    else if (why !== undefined) this.#broken = { seq: row.seq, text: why };
    if (row.isRun !== 1) {
      this.#link = row.hash ?? "";
      this.#head = row.hash ?? firstLink;
    }
    this.#lastSeq = row.seq;
    const found = fromRow(row);
    if ("events" in found) return found.events;
    this.#unreadable.push({ seq: row.seq, ...found.problem });
    return [];
  }

  problems(end: JournalEnd): readonly JournalProblem[] {
    const broken = this.#brokenChain();
    return [...this.#unreadable.map(asDamaged(broken)), ...broken, ...this.#checkEnd(end)];
  }

  /** The first record whose link does not follow, and how many more there are. */
  #brokenChain(): readonly JournalProblem[] {
    if (this.#broken === undefined) return [];
    const { seq, text } = this.#broken;
    const more = this.#moreBroken === 0 ? "" : `; so for ${this.#moreBroken} more after it`;
    return [{ seq, kind: "broken-chain", text: `${text}${more}` }];
  }

  #checkEnd(end: JournalEnd): readonly JournalProblem[] {
    if (this.#lastSeq !== end.seq) {
      const text = `the journal ends with number ${this.#lastSeq}, the index says ${end.seq}: its end was removed or added to`;
      return [{ seq: null, kind: "missing-end", text }];
    }
    if (this.#head === end.head) return [];
    const text = "the last link is not the one that the index remembers: the journal's end was replaced";
    return [{ seq: null, kind: "missing-end", text }];
  }
}

/** @returns `undefined` for a row that follows on the link and the number before it */
function whyBroken(row: JournalRow, link: string, number: number): string | undefined {
  if (row.isRun === 1) {
    const found = fromRow(row);
    const firstNumber = "problem" in found ? row.seq : found.events[0]?.seq;
    return firstNumber !== undefined && firstNumber <= number
      ? `the deltas that end with number ${row.seq} take the numbers of records before them`
      : undefined;
  }
  if (row.hash === null) return `the record with number ${row.seq} has no link: it was not written by Capstan`;
  // SQLite hands out text up to a NUL only.
  if (row.hash === nextLink(link, row) && Buffer.byteLength(row.body) === row.bytes) return undefined;
  return `the record with number ${row.seq} does not follow on the one before it: it was changed, or records between them were removed or added`;
}

const selectEnd = "SELECT last_seq AS seq, head FROM sessions WHERE id = ?";
const selectIndex =
  "SELECT title, given_title AS givenTitle, cwd, model, created_at AS createdAt, updated_at AS updatedAt, turns, last_outcome AS lastOutcome," +
  " forked_from AS forkedFrom, spawned_by AS spawnedBy, agent FROM sessions WHERE id = ?";
const selectInbox = "SELECT id, opened_at AS openedAt, body FROM interactions WHERE session_id = ?";
