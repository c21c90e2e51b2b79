import type { SessionEvent, SessionId } from "@capstan/protocol";
import { firstLink } from "../../chain.ts";
import { projectIndex } from "../../index-projection.ts";
import { busyTimeoutMs } from "../../limits.ts";
import { isCorruption } from "../../storage-error.ts";
import { connect, type Connection } from "../connection.ts";
import { loadSqlite } from "../database.ts";
import { fromRow } from "../journal-rows.ts";
import { rowsAfter } from "../rows.ts";
import { storeIndex, storeInboxChange } from "../store-journal.ts";

/** Tables of which everything follows from the journals, or is of use only while a process works. */
const derivedTables = ["leases", "saved_states", "saved_parts", "deletions", "interactions", "sessions"] as const;

/**
 * Makes damaged tables and indexes again of which nothing is lost with them, from the journals. The journals themselves, grants
 * and drafts stay as they are.
 * @returns the names of what was made again; empty when nothing of the kind is damaged, or the journals are damaged too
 * @throws whatever SQLite throws
 */
export function repairTables(path: string): readonly string[] {
  // Looked at by a connection of its own: one that has met damage inside a transaction meets it again in whatever it writes there.
  const plan = within(path, planOf);
  const repaired = [...plan.tables, ...plan.indexes];
  if (repaired.length === 0) return [];
  within(path, (connection) => {
    connection.write("flushed", () => carryOut(connection, plan));
    giveBackPages(connection);
  });
  return repaired;
}

function within<Result>(path: string, work: (connection: Connection) => Result): Result {
  const connection = connect(loadSqlite(), path, busyTimeoutMs, { defensive: false });
  try {
    return work(connection);
  } finally {
    connection.close();
  }
}

interface Plan {
  readonly tables: readonly string[];
  readonly indexes: readonly string[];
}

function planOf(connection: Connection): Plan {
  const areJournalsWhole = isReadable(connection, "events") && isReadable(connection, "cold_records");
  const tables = derivedTables.filter((table) => !isReadable(connection, table));
  const isLost = (table: string): boolean => tables.some((name) => name === table);
  if (!areJournalsWhole && (isLost("sessions") || isLost("interactions"))) return { tables: [], indexes: [] };
  const damaged = (areJournalsWhole ? ["events", "sessions"] : ["sessions"]).filter(
    (table) => !isLost(table) && !isSound(connection, table),
  );
  return { tables, indexes: damaged.flatMap((table) => indexesOf(connection, table)) };
}

function carryOut(connection: Connection, { tables, indexes }: Plan): void {
  makeAgain(connection, [...tables, ...indexes]);
  const wanted = { sessions: tables.includes("sessions"), inbox: tables.includes("interactions") };
  if (wanted.sessions || wanted.inbox) fillIndex(connection, wanted);
  if (tables.includes("leases")) fillLeases(connection);
}

/** Whether every row of a table can be read by its own tree, whatever its indexes are. */
function isReadable(connection: Connection, table: string): boolean {
  try {
    const columns = connection.all<{ readonly name: string }>("SELECT name FROM pragma_table_info(?)", table);
    const sizes = columns.map(({ name }) => `total(length(${name}))`).join(", ");
    connection.database.prepare(`SELECT ${sizes} FROM ${table} NOT INDEXED`).all();
  } catch (error) {
    return passOn(error);
  }
  return !table.startsWith("saved_") || isSound(connection, table);
}

/** Whether the trees of a table and its indexes are whole. */
function isSound(connection: Connection, table: string): boolean {
  try {
    const found = connection.all<{ readonly quick_check: string }>(`PRAGMA quick_check(${table})`);
    return found.every(({ quick_check: text }) => text === "ok");
  } catch (error) {
    return passOn(error);
  }
}

/** Only damage means "no": of a busy file or a failing disk nothing is to be concluded. */
function passOn(error: unknown): false {
  if (isCorruption(error)) return false;
  throw error;
}

function indexesOf(connection: Connection, table: string): readonly string[] {
  const found = connection.all<{ readonly name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = ?",
    table,
  );
  return found.map(({ name }) => name);
}

/**
 * Empty, where they were. A table on damaged pages cannot be dropped, because SQLite would read these pages to give them back:
 * it is only forgotten, and its pages go with the next VACUUM.
 */
function makeAgain(connection: Connection, names: readonly string[]): void {
  const { database } = connection;
  const marks = names.map(() => "?").join(", ");
  const entries = connection.all<{ readonly sql: string }>(
    `SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND (name IN (${marks}) OR tbl_name IN (${marks})) ORDER BY type DESC`,
    ...names,
    ...names,
  );
  const { schema_version: version } = connection.get<{ readonly schema_version: number }>("PRAGMA schema_version");
  database.exec("PRAGMA writable_schema = ON");
  connection.run(`DELETE FROM sqlite_schema WHERE name IN (${marks}) OR tbl_name IN (${marks})`, ...names, ...names);
  // Other connections read the schema again.
  database.exec(`PRAGMA schema_version = ${version + 1}; PRAGMA writable_schema = RESET`);
  for (const { sql } of entries) database.exec(sql);
}

/** Index and inbox as they follow from the journals. */
export function fillIndex(
  connection: Connection,
  wanted: { readonly sessions: boolean; readonly inbox: boolean },
): void {
  const ids = connection.all<{ readonly id: SessionId }>(
    "SELECT session_id AS id FROM events UNION SELECT session_id FROM cold_records",
  );
  for (const [at, { id }] of ids.entries()) {
    const rows = rowsAfter(connection, id, Number.MIN_SAFE_INTEGER);
    const events = rows.flatMap((row): readonly SessionEvent[] => {
      const found = fromRow(row);
      return "events" in found ? found.events : [];
    });
    const [first, last] = [rows[0], rows.at(-1)];
    if (first === undefined || last === undefined) continue;
    const head = rows.findLast((row) => row.isRun !== 1)?.hash ?? firstLink;
    if (wanted.sessions) connection.run(insertSession, id, first.at, last.at, last.seq, head, at + 1);
    const changes = projectIndex(events);
    if (changes === undefined) continue;
    if (wanted.sessions) storeIndex(connection, id, changes);
    if (wanted.inbox) for (const change of changes.inbox) storeInboxChange(connection, id, change);
  }
}

/** No generation may come twice: whoever held a lease would take the next one for its own. */
export function fillLeases(connection: Connection): void {
  connection.run(refillLeases, Date.now());
}

/** Another process in the middle of something is no reason to fail: the pages are given back with the next repair. */
function giveBackPages(connection: Connection): void {
  try {
    connection.database.exec("VACUUM");
  } catch {
    // Everything works without.
  }
}

const refillLeases =
  "INSERT INTO leases (session_id, generation, owner, beat_ms, claimed_at, held) SELECT id, ?, '', 0, 0, 0 FROM sessions";
const insertSession =
  "INSERT INTO sessions (id, title, cwd, model, created_at, updated_at, turns, last_seq, head, change)" +
  " VALUES (?, '', '', '', ?, ?, 0, ?, ?, ?)";
