import { renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { isJsonObject, type SessionId } from "@capstan/protocol";
import { firstLink, nextLink } from "../../chain.ts";
import { busyTimeoutMs } from "../../limits.ts";
import { toStorageError } from "../../storage-error.ts";
import { decodeBlock } from "../cold/block.ts";
import { type Connection, connect } from "../connection.ts";
import { loadSqlite } from "../database.ts";
import { type ChainedRow, fromRow } from "../journal-rows.ts";
import { migrate } from "../migrate.ts";
import { migrations } from "../migrations.ts";
import { createPrivateFile, flushPath } from "../prepare-file.ts";
import { fillIndex, fillLeases } from "./repair-tables.ts";
import { type RawRow, type RawValue, rawRows } from "./pages.ts";

/** What was saved of a session. */
export interface SavedSession {
  readonly id: SessionId;
  readonly records: number;
  /** Numbers after which something is missing or was left out, because it had been changed. */
  readonly gaps: readonly number[];
}

/**
 * Makes a database again out of every record, grant and draft that can be read on any page of it, and puts it in its place.
 * Sessions without gaps keep their chain; others get a new one from the first gap on, and a notice that says so.
 * @param at  ms since 1970, of the notices
 * @throws {AppError} `storage.*`; the old file is then as it was
 */
export function rebuildDatabase(path: string, at: number): readonly SavedSession[] {
  const target = `${path}.rebuilt`;
  try {
    for (const end of ["", "-wal", "-shm"]) rmSync(`${target}${end}`, { force: true });
    createPrivateFile(target);
    const found = collect(path);
    const saved = fill(target, found, at);
    flushPath(target);
    // Everything of the log was read with the pages; the new file must not meet it.
    for (const end of ["-wal", "-shm"]) rmSync(`${path}${end}`, { force: true });
    renameSync(target, path);
    flushPath(dirname(path));
    return saved;
  } catch (error) {
    throw toStorageError(error, path, "write");
  }
}

interface Found {
  readonly journals: ReadonlyMap<string, readonly Row[]>;
  readonly grants: readonly RawRow[];
  readonly drafts: readonly RawRow[];
}

interface Row extends ChainedRow {
  readonly scope: string | null;
}

/** Tables are recognised by the number of their values and the kinds of these. */
function collect(path: string): Found {
  const journals = new Map<string, Row[]>();
  const grants: RawRow[] = [];
  const drafts: RawRow[] = [];
  for (const row of rawRows(path)) {
    const kinds = row.map(kindOf).join("");
    const [id, seq, at, scope, body, hash = null] = row;
    if (kinds === "tnt") grants.push(row);
    else if (kinds === "ttnt") drafts.push(row);
    else if (kinds === "tnnb" && typeof id === "string" && scope instanceof Uint8Array) {
      const rows = (decodeBlock(scope) ?? []).map((each) => ({ ...each, scope: null }));
      journals.set(id, [...(journals.get(id) ?? []), ...rows]);
    } else if (/^tnn[t-]t[t-]?$/u.test(kinds) && typeof id === "string") {
      const fields = { seq: Number(seq), at: Number(at), scope: asText(scope), body: String(body), hash: asText(hash) };
      const journal = journals.get(id) ?? [];
      journals.set(id, journal);
      journal.push({ ...fields, isRun: fields.scope === null ? 0 : 1 });
    }
  }
  return { journals, grants, drafts };
}

/** A letter: text, number, blob, nothing. */
function kindOf(value: RawValue): string {
  if (value === null) return "-";
  return typeof value === "string" ? "t" : typeof value === "number" ? "n" : "b";
}

function asText(value: RawRow[number] | undefined): string | null {
  return typeof value === "string" ? value : null;
}

function fill(path: string, { journals, grants, drafts }: Found, at: number): readonly SavedSession[] {
  const sqlite = loadSqlite();
  const connection = connect(sqlite, path, busyTimeoutMs);
  try {
    migrate(connection, { path, backupDirectory: dirname(path), migrations, sqlite, waitMs: busyTimeoutMs });
    return connection.write("flushed", () => {
      const saved = [...journals].flatMap(([id, rows]) => saveJournal(connection, id, { rows, at }));
      for (const [id, when, body] of grants.filter(isObjectLast))
        connection.run(
          "INSERT OR IGNORE INTO grants (id, granted_at, body) VALUES (?, ?, ?)",
          id ?? "",
          when ?? 0,
          body ?? "",
        );
      for (const [id, user, when, body] of drafts)
        connection.run("INSERT OR IGNORE INTO drafts VALUES (?, ?, ?, ?)", id ?? "", user ?? "", when ?? 0, body ?? "");
      fillIndex(connection, { sessions: true, inbox: true });
      fillLeases(connection);
      return saved;
    });
  } finally {
    connection.close();
  }
}

function isObjectLast(row: RawRow): boolean {
  try {
    const parsed: unknown = JSON.parse(String(row.at(-1)));
    return isJsonObject(parsed);
  } catch {
    return false;
  }
}

function saveJournal(
  connection: Connection,
  id: string,
  { rows, at }: { readonly rows: readonly Row[]; readonly at: number },
): readonly SavedSession[] {
  const { kept, gaps } = trusted(rows.toSorted((a, b) => a.seq - b.seq));
  const last = kept.at(-1);
  if (last === undefined) return [];
  const noted = gaps.length === 0 ? kept : [...kept, noticeAfter(last.seq, gaps, at)];
  let link = firstLink;
  for (const row of noted) {
    if (row.isRun === 0) link = nextLink(link, row);
    connection.run(insertRow, id, row.seq, row.at, row.scope, row.body, row.isRun === 0 ? link : null);
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- ids of stored sessions are minted here, as everywhere in this folder
  return [{ id: id as SessionId, records: kept.length, gaps }];
}

/**
 * The rows that can be read and were not changed. A row proves itself by its link, which follows on that of the row before it,
 * also of one whose text was changed. Where the row before it is gone, nothing can be proved, and it counts.
 */
function trusted(rows: readonly Row[]): { readonly kept: readonly Row[]; readonly gaps: readonly number[] } {
  const kept: Row[] = [];
  const gaps = new Set<number>();
  let before: Place = { link: firstLink, seq: 0, isProved: true };
  for (const [at, row] of rows.entries()) {
    const isNew = row.seq > (kept.at(-1)?.seq ?? 0);
    if (row.isRun === 1) {
      if (isNew && "events" in fromRow(row)) kept.push(row);
      continue;
    }
    const isProved = row.hash === nextLink(before.link, row);
    const isIntruder = !isProved && follows(rows.slice(at + 1), before.link);
    if (isNew && (isProved ? isWhole(row) : !isIntruder && mayCount(row, before))) kept.push(row);
    else gaps.add(before.seq);
    if (!isProved) gaps.add(before.seq);
    if (!isIntruder) before = { link: row.hash ?? "", seq: row.seq, isProved };
  }
  return { kept, gaps: [...gaps] };
}

/** Up to where a journal was read. */
interface Place {
  readonly link: string;
  readonly seq: number;
  readonly isProved: boolean;
}

/** What only a later Capstan knows is whole where its link says so. */
function isWhole(row: Row): boolean {
  const read = fromRow(row);
  return "events" in read || read.problem.kind === "newer-version";
}

/** A row that does not follow on its proved neighbour was changed; after a hole nobody knows. */
function mayCount(row: Row, before: Place): boolean {
  const isChanged = row.hash === null || (before.isProved && before.seq === row.seq - 1);
  return !isChanged && "events" in fromRow(row);
}

/** Whether the next record of the chain follows on this link. */
function follows(rows: readonly Row[], link: string): boolean {
  const next = rows.find((row) => row.isRun === 0);
  return next !== undefined && next.hash === nextLink(link, next);
}

function noticeAfter(seq: number, gaps: readonly number[], at: number): Row {
  const places = gaps.slice(0, maxNamedGaps).join(", ");
  const text = `The database was damaged. Records are missing in this session after number ${places}; its chain was made again.`;
  const body = JSON.stringify({ type: "notice", level: "warning", code: "session.repaired", text });
  return { seq: seq + 1, at, isRun: 0, scope: null, body, hash: null };
}

/** Gaps that a notice names. */
const maxNamedGaps = 20;

const insertRow = "INSERT INTO events (session_id, seq, at, scope, body, hash) VALUES (?, ?, ?, ?, ?, ?)";
