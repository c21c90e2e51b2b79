import { isJsonObject, type JsonObject } from "@capstan/protocol";
import { busyTimeoutMs } from "../limits.ts";
import { toStorageError } from "../storage-error.ts";
import { loadSqlite, type SqlValue } from "./database.ts";

/** Another program's database. Nothing in it is ever changed. */
export interface ForeignDatabase {
  /** @throws {AppError} `storage.*` */
  rows(sql: string, ...values: readonly SqlValue[]): readonly JsonObject[];
  close(): void;
}

/**
 * Opens another program's database to read from these tables of it. Each has to be a real one: what a view does when it is read
 * is up to whoever wrote the file.
 * @returns `undefined`: it has not all of them
 * @throws {AppError} `storage.*`
 */
export function openForeignDatabase(path: string, tables: readonly string[]): ForeignDatabase | undefined {
  const attempt = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw toStorageError(error, path, "read");
    }
  };
  const opened = attempt(() => new (loadSqlite())(path, { timeout: busyTimeoutMs, defensive: true, readOnly: true }));
  const rows = (sql: string, ...values: readonly SqlValue[]): readonly JsonObject[] =>
    attempt(() => opened.prepare(sql).all(...values)).flatMap((row) => (isJsonObject(row) ? [{ ...row }] : []));
  const close = (): void => opened.close();
  try {
    const known = rows("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'");
    const names = new Set(known.map((row) => row["name"]));
    if (tables.every((table) => names.has(table))) return { rows, close };
  } catch (error) {
    close();
    throw error;
  }
  close();
  return undefined;
}
