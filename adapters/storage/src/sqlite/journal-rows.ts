import type { JournalProblem } from "@capstan/ports";
import {
  deltaScope,
  isJsonObject,
  type JournalRecord,
  type JsonObject,
  readRecord,
  type SessionEvent,
  storedRecord,
  supersededScope,
} from "@capstan/protocol";
import { nextLink } from "../chain.ts";

/** A row of `events`, before it is stored: one record, or a run of deltas of one scope and one time. */
export interface NewRow {
  /** The number of the last record in the row. */
  readonly seq: number;
  readonly at: number;
  readonly scope: string | null;
  readonly body: string;
}

export interface StoredRow {
  readonly seq: number;
  readonly at: number;
  /** 1: the body is a run of deltas. */
  readonly isRun: number;
  readonly body: string;
}

/** A row with its link in the chain; `null` for runs of deltas. */
export interface ChainedRow extends StoredRow {
  readonly hash: string | null;
}

/** As read, with the bytes it takes uncompressed; a damaged file may hold values that no store wrote. */
export interface JournalRow extends ChainedRow {
  readonly bytes: number;
}

/** How a batch is stored: which scopes lose their older rows, then which rows are added. */
export interface RowChanges {
  readonly superseded: readonly string[];
  readonly rows: readonly NewRow[];
}

/** Deltas that a later record of the same batch supersedes are not stored at all. */
export function toRows(events: readonly SessionEvent[]): RowChanges {
  const superseded = new Set<string>();
  const runs: Run[] = [];
  // A whole journal is stored at once, too: what a record supersedes is looked up, not searched.
  const ofScope = new Map<string, Run[]>();
  for (const { seq, at, record } of events) {
    const gone = storedScope(supersededScope(record));
    if (gone !== null) {
      superseded.add(gone);
      for (const run of ofScope.get(gone) ?? []) run.isGone = true;
      ofScope.delete(gone);
    }
    const scope = storedScope(deltaScope(record));
    const last = runs.at(-1);
    if (scope !== null && last?.scope === scope && !last.isGone && last.seq === seq - 1 && last.at === at) {
      last.records.push(record);
      last.seq = seq;
    } else {
      const run: Run = { seq, at, scope, records: [record], isGone: false };
      runs.push(run);
      if (scope !== null) runsOf(ofScope, scope).push(run);
    }
  }
  return { superseded: [...superseded], rows: runs.filter(({ isGone }) => !isGone).map(toRow) };
}

/** The links of new rows, after the link `previous`. @returns one for each row, and the last link afterwards */
export function linkRows(
  rows: readonly NewRow[],
  previous: string,
): { readonly links: readonly (string | null)[]; readonly head: string } {
  let head = previous;
  const links = rows.map((row) => {
    if (row.scope !== null) return null;
    head = nextLink(head, row);
    return head;
  });
  return { links, head };
}

/** Why a row cannot be read. */
export type RowProblem = Pick<JournalProblem, "kind" | "text"> & { readonly kind: "unreadable" | "newer-version" };

/** The events of a row, in today's versions of their records. */
export function fromRow(
  row: StoredRow,
): { readonly events: readonly SessionEvent[] } | { readonly problem: RowProblem } {
  const found = storedIn(row);
  const events: SessionEvent[] = [];
  for (const { seq, at, stored } of found) {
    const read = readRecord(stored);
    if (read.type === "newer") return { problem: newer(row, read.text) };
    // Runs stand outside the chain: a record that counts must not hide in one.
    if (read.type === "malformed" || (row.isRun === 1 && deltaScope(read.record) === undefined)) return damaged(row);
    events.push({ seq, at, record: read.record });
  }
  return events.length === 0 ? damaged(row) : { events };
}

/** What a row holds, as it is stored; empty when that is not even JSON objects. */
export function storedIn({
  seq,
  at,
  isRun,
  body,
}: StoredRow): readonly { readonly seq: number; readonly at: number; readonly stored: JsonObject }[] {
  const parsed = parse(body);
  const records: unknown = isRun === 1 ? parsed : [parsed];
  if (!Array.isArray(records) || !records.every(isJsonObject)) return [];
  const first = seq - records.length + 1;
  return records.map((stored, index) => ({ seq: first + index, at, stored }));
}

function damaged({ seq }: StoredRow): { readonly problem: RowProblem } {
  return { problem: { kind: "unreadable", text: `the record with number ${seq} cannot be understood` } };
}

function newer({ seq }: StoredRow, why: string): RowProblem {
  return { kind: "newer-version", text: `the record with number ${seq} was written by a newer Capstan: ${why}` };
}

interface Run {
  seq: number;
  readonly at: number;
  readonly scope: string | null;
  readonly records: JournalRecord[];
  /** A later record of the same batch supersedes it. */
  isGone: boolean;
}

function runsOf(ofScope: Map<string, Run[]>, scope: string): Run[] {
  const known = ofScope.get(scope) ?? [];
  ofScope.set(scope, known);
  return known;
}

function toRow(run: Run): NewRow {
  const records = run.records.map(storedRecord);
  const body = JSON.stringify(run.scope === null ? records[0] : records);
  return { seq: run.seq, at: run.at, scope: run.scope, body };
}

/** As JSON: a call id is whatever the model wrote, and SQLite's text ends at a NUL and knows no lone surrogates. */
function storedScope(scope: string | undefined): string | null {
  return scope === undefined ? null : JSON.stringify(scope);
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
