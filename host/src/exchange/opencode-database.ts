import { closeSync, openSync, readSync } from "node:fs";
import { AppError, isJsonObject, type JsonObject, type JsonValue } from "@capstan/protocol";
import { quotePath } from "@capstan/settings";
import { type ForeignDatabase, openForeignDatabase } from "@capstan/storage";
import { maxFileBytes, maxNamedSessions } from "../limits.ts";

const sqliteMark = "SQLite format 3\0";

/** Whether a file is a database of SQLite. */
export function isDatabase(path: string): boolean {
  const descriptor = openSync(path, "r");
  try {
    const start = Buffer.alloc(sqliteMark.length);
    readSync(descriptor, start, 0, start.length, 0);
    return start.toString("latin1") === sqliteMark;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * One session of the database in which opencode keeps all of them (`opencode.db`), as the text of its export.
 * @param wanted  the session's id there; without it the only one
 * @throws {AppError} `import.unreadable` when it is another program's, or there is no such session, or no single one
 */
export function readOpencodeDatabase(path: string, wanted: string | undefined): string {
  const database = openForeignDatabase(path, ["session", "message", "part"]);
  if (database === undefined) throw unreadable(path, "it is a database, and not opencode's");
  try {
    return exported(path, database, wanted);
  } finally {
    database.close();
  }
}

function exported(path: string, database: ForeignDatabase, wanted: string | undefined): string {
  const session = wanted === undefined ? onlySession(path, database) : sessionOf(path, database, wanted);
  const id = session["id"] ?? "";
  if (typeof id !== "string") throw unreadable(path, "a session in it has no id");
  const [size] = database.rows("SELECT sum(length(data)) AS bytes FROM part WHERE session_id = ?", id);
  if (Number(size?.["bytes"] ?? 0) > maxFileBytes) throw unreadable(path, `${id} has more than ${maxFileBytes} bytes`);
  const parts = new Map<JsonValue, JsonObject[]>();
  for (const row of database.rows("SELECT id, message_id, data FROM part WHERE session_id = ? ORDER BY id", id)) {
    const message = row["message_id"] ?? "";
    parts.set(message, [...(parts.get(message) ?? []), dataOf(row)]);
  }
  const infos = database
    .rows("SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id", id)
    .map(dataOf);
  const messages = infos.map((info) => ({ info, parts: parts.get(info["id"] ?? "") ?? [] }));
  return JSON.stringify({ info: { ...session, revert: parsed(session["revert"]) ?? null }, messages });
}

/** Sessions of sub-agents belong to those that started them. */
const ownSessions = "FROM session WHERE parent_id IS NULL ORDER BY time_updated DESC";

function onlySession(path: string, database: ForeignDatabase): JsonObject {
  const [counted] = database.rows("SELECT count(*) AS count FROM session WHERE parent_id IS NULL");
  const found = database.rows(`SELECT * ${ownSessions} LIMIT ?`, maxNamedSessions);
  const [first] = found;
  if (first === undefined) throw unreadable(path, "there is no session in it");
  if (found.length === 1) return first;
  const names = found.map((row) => `${said(row["id"])} (${said(row["title"])})`).join(", ");
  throw new AppError("import.unreadable", `${quotePath(path)} holds ${said(counted?.["count"])} sessions`, {
    hint: `The last ones are ${names}. Name one of them, for example ${quotePath(`${path}#${said(first["id"])}`)}.`,
  });
}

function said(value: JsonValue | undefined): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function sessionOf(path: string, database: ForeignDatabase, id: string): JsonObject {
  const [session] = database.rows("SELECT * FROM session WHERE id = ?", id);
  if (session === undefined) throw unreadable(path, `there is no session ${JSON.stringify(id)} in it`);
  return session;
}

/** The ids stand in columns, and everything else in one field of JSON. */
function dataOf({ id, data }: JsonObject): JsonObject {
  return { ...parsed(data), id: id ?? "" };
}

function parsed(text: JsonValue | undefined): JsonObject | undefined {
  if (typeof text !== "string") return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function unreadable(path: string, reason: string): AppError {
  return new AppError("import.unreadable", `${quotePath(path)} cannot be read: ${reason}`, {
    hint: "Name opencode's own database, and a session in it as `opencode.db#ses_…`.",
  });
}
