import {
  deltaScope,
  isJsonObject,
  recordCatalog,
  type JournalRecord,
  type SessionEvent,
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

/** How a batch is stored: which scopes lose their older rows, then which rows are added. */
export interface RowChanges {
  readonly superseded: readonly string[];
  readonly rows: readonly NewRow[];
}

/** Deltas that a later record of the same batch supersedes are not stored at all. */
export function toRows(events: readonly SessionEvent[]): RowChanges {
  const superseded = new Set<string>();
  let runs: Run[] = [];
  for (const { seq, at, record } of events) {
    const gone = storedScope(supersededScope(record));
    if (gone !== null) {
      superseded.add(gone);
      runs = runs.filter((run) => run.scope !== gone);
    }
    const scope = storedScope(deltaScope(record));
    const last = runs.at(-1);
    if (scope !== null && last?.scope === scope && last.seq === seq - 1 && last.at === at) {
      last.records.push(record);
      last.seq = seq;
    } else {
      runs.push({ seq, at, scope, records: [record] });
    }
  }
  return { superseded: [...superseded], rows: runs.map(toRow) };
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

/** The events of a row. @returns the problem as text when the row cannot be understood */
export function fromRow(row: StoredRow): readonly SessionEvent[] | string {
  const parsed = parse(row.body);
  const records = row.isRun === 1 ? parsed : [parsed];
  const isKnown = row.isRun === 1 ? isDelta : isRecord;
  if (!Array.isArray(records) || records.length === 0 || !records.every(isKnown)) {
    return `the record with number ${row.seq} cannot be understood`;
  }
  const first = row.seq - records.length + 1;
  return records.map((record, index) => ({ seq: first + index, at: row.at, record }));
}

interface Run {
  seq: number;
  readonly at: number;
  readonly scope: string | null;
  readonly records: JournalRecord[];
}

function toRow(run: Run): NewRow {
  const body = JSON.stringify(run.scope === null ? run.records[0] : run.records);
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

/** Records were checked when they were made; here it matters that this version knows the type. */
function isRecord(value: unknown): value is JournalRecord {
  return isJsonObject(value) && typeof value["type"] === "string" && Object.hasOwn(recordCatalog, value["type"]);
}

/** Runs stand outside the chain: a record that counts must not hide in one. */
function isDelta(value: unknown): value is JournalRecord {
  return isRecord(value) && deltaScope(value) !== undefined;
}
