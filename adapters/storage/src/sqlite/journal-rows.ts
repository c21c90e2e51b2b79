import {
  deltaScope,
  isJsonObject,
  recordCatalog,
  type JournalRecord,
  type SessionEvent,
  supersededScope,
} from "@capstan/protocol";

/** A row of `events`, before it is stored: one record, or a run of deltas of one scope. */
interface NewRow {
  /** The number of the last record in the row. */
  readonly seq: number;
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

/** How a batch is stored: which scopes lose their older rows, then which rows are added. */
export interface RowChanges {
  readonly superseded: readonly string[];
  readonly rows: readonly NewRow[];
}

/** Deltas that a later record of the same batch supersedes are not stored at all. */
export function toRows(events: readonly SessionEvent[]): RowChanges {
  const superseded = new Set<string>();
  let runs: Run[] = [];
  for (const { seq, record } of events) {
    const gone = storedScope(supersededScope(record));
    if (gone !== null) {
      superseded.add(gone);
      runs = runs.filter((run) => run.scope !== gone);
    }
    const scope = storedScope(deltaScope(record));
    const last = runs.at(-1);
    if (scope !== null && last?.scope === scope && last.seq === seq - 1) {
      last.records.push(record);
      last.seq = seq;
    } else {
      runs.push({ seq, scope, records: [record] });
    }
  }
  return { superseded: [...superseded], rows: runs.map(toRow) };
}

/** The events of a row. @returns the problem as text when the row cannot be understood */
export function fromRow(row: StoredRow): readonly SessionEvent[] | string {
  const parsed = parse(row.body);
  const records = row.isRun === 1 ? parsed : [parsed];
  if (!Array.isArray(records) || records.length === 0 || !records.every(isRecord)) {
    return `the record with number ${row.seq} cannot be understood`;
  }
  const first = row.seq - records.length + 1;
  return records.map((record, index) => ({ seq: first + index, at: row.at, record }));
}

interface Run {
  seq: number;
  readonly scope: string | null;
  readonly records: JournalRecord[];
}

function toRow(run: Run): NewRow {
  const body = JSON.stringify(run.scope === null ? run.records[0] : run.records);
  return { seq: run.seq, scope: run.scope, body };
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
