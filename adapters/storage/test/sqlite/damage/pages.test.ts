import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { rawRows } from "../../../src/sqlite/damage/pages.ts";
import { type Database, loadSqlite, type SqlValue } from "../../../src/sqlite/database.ts";

const numbers = [0, 1, 2, 7, 8, 15, 16, 23, 31, 32, 40, 47, 52].flatMap((power) => [
  2 ** power - 1,
  2 ** power,
  -(2 ** power),
  -(2 ** power) - 1,
]);
const others: readonly SqlValue[] = [null, "", "é🎉", "\uFEFFmark", 1.5, -0.25, 1e300];

/** Texts whose rows just fit a page, just do not, and continue on one page or two more. */
function texts(pageBytes: number): readonly string[] {
  const most = Math.floor(((pageBytes - 12) * 64) / 255) - 23;
  const sizes = [1, 60, 117, 118, 119, most, pageBytes, 2 * pageBytes, 3 * pageBytes];
  return sizes.flatMap((size) =>
    [-14, -13, -12, -11, -10, -9, -8, -4, 0, 1, 4, 5].map((more) => "x".repeat(Math.max(1, size + more))),
  );
}

type Row = readonly [id: string, seq: number, body: SqlValue];

function rowsFor(pageBytes: number): readonly Row[] {
  const bodies = [...numbers, ...others, ...texts(pageBytes)];
  return bodies.map((body, at) => [`session-${at % 5}`, at, body]);
}

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), "capstan-pages-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "a.db");
}

function open(path: string, ...pragmas: readonly string[]): Database {
  const database = new (loadSqlite())(path, { timeout: 1000, defensive: false });
  for (const pragma of ["synchronous = OFF", ...pragmas]) database.exec(`PRAGMA ${pragma}`);
  database.exec("CREATE TABLE IF NOT EXISTS t (id TEXT, seq INTEGER, body, PRIMARY KEY (id, seq)) WITHOUT ROWID");
  return database;
}

function insert(database: Database, rows: readonly Row[]): void {
  const statement = database.prepare("INSERT INTO t VALUES (?, ?, ?)");
  const own = !database.isTransaction;
  if (own) database.exec("BEGIN");
  for (const row of rows) statement.run(...row);
  if (own) database.exec("COMMIT");
}

/** In the order of their numbers. */
function found(path: string): readonly (readonly SqlValue[])[] {
  return [...rawRows(path)].toSorted(([, one], [, other]) => Number(one) - Number(other));
}

test.each([512, 1024, 4096, 65_536])("every value of every row is read from pages of %i bytes", (pageBytes) => {
  const path = place();
  const database = open(path, `page_size = ${pageBytes}`);
  const rows = rowsFor(pageBytes);
  insert(database, rows);
  database.close();
  expect(readFileSync(path).readUInt16BE(16)).toBe(pageBytes === 65_536 ? 1 : pageBytes);
  expect(found(path)).toEqual(rows);
});

test.each([512, 4096])(
  "what was removed from pages of %i bytes is not read, though it still stands there",
  (pageBytes) => {
    const path = place();
    const database = open(path, `page_size = ${pageBytes}`, "secure_delete = OFF");
    const rows = rowsFor(pageBytes);
    const many = Array.from({ length: 400 }, (_, at): Row => ["many", 10_000 + at, "gone ".repeat(20)]);
    insert(database, [...rows, ...many]);
    database.exec("DELETE FROM t WHERE id = 'many'");
    database.close();
    expect(readFileSync(path).includes("gone gone")).toBe(true);
    expect(found(path)).toEqual(rows);
  },
);

test("what was committed to the log counts, the newest of it, and nothing that was not", () => {
  const path = place();
  const database = open(path, "page_size = 1024", "journal_mode = WAL", "wal_autocheckpoint = 0", "cache_size = 2");
  const look = (): readonly (readonly SqlValue[])[] => {
    const copy = place();
    for (const end of ["", "-wal"]) if (existsSync(path + end)) copyFileSync(path + end, copy + end);
    return found(copy);
  };
  const rows = rowsFor(1024);
  insert(database, rows.slice(0, 40));
  expect(look()).toEqual(rows.slice(0, 40));
  insert(database, rows.slice(40));
  expect(look()).toEqual(rows);
  const before = statSync(`${path}-wal`).size;
  database.exec("BEGIN");
  insert(
    database,
    Array.from({ length: 200 }, (_, at): Row => ["open", 50_000 + at, "y".repeat(300)]),
  );
  expect([statSync(`${path}-wal`).size > before, look()]).toEqual([true, rows]);
  database.exec("ROLLBACK");
  // The next round writes over the beginning of the log, and leaves the rest.
  database.prepare("PRAGMA wal_checkpoint(RESTART)").all();
  database.exec("UPDATE t SET body = 'new' WHERE seq = 0");
  expect(look()).toEqual(rows.map(([id, seq, body]) => [id, seq, seq === 0 ? "new" : body]));
  database.close();
});

test("without its header a file of usual pages is read all the same, and one that was cut off as far as it goes", () => {
  const path = place();
  const database = open(path, "page_size = 4096");
  const rows = rowsFor(4096);
  insert(database, rows);
  database.close();
  const known = new Set(rows.map((row) => JSON.stringify(row)));
  const content = readFileSync(path);
  writeFileSync(path, Buffer.concat([Buffer.alloc(100), content.subarray(100)]));
  expect(found(path)).toEqual(rows);
  for (const bytes of [0, 50, 100, 5000, content.length - 1, content.length - 4096]) {
    writeFileSync(path, content.subarray(0, bytes));
    const left = found(path);
    expect(left.filter((row) => !known.has(JSON.stringify(row)))).toEqual([]);
    expect(left.length < rows.length).toBe(true);
  }
});
