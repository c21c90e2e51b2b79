import { AppError, isJsonObject, type JsonObject, type JsonValue } from "@capstan/protocol";
import { quotePath } from "@capstan/settings";
import { maxNamedSessions } from "../../limits.ts";

/** The tables in which opencode keeps its sessions. */
export const opencodeTables = ["session", "message", "part"] as const;

/** What answers questions in SQL. */
interface Rows {
  rows(sql: string, ...values: readonly (string | number)[]): readonly JsonObject[];
}

export interface OpencodeQuestion {
  /** Of the database, for people. */
  readonly path: string;
  /** The session's id there; `undefined`: the only one. */
  readonly wanted: string | undefined;
  /** A longer session is refused. */
  readonly maxBytes: number;
}

/**
 * One session of the database in which opencode keeps all of them (`opencode.db`), as the text of its export.
 * @throws {AppError} `import.unreadable` when there is no such session, or no single one
 */
export function opencodeExport(database: Rows, { path, wanted, maxBytes }: OpencodeQuestion): string {
  const session = wanted === undefined ? onlySession(path, database) : sessionOf(path, database, wanted);
  const id = session["id"] ?? "";
  if (typeof id !== "string") throw unreadable(path, "a session in it has no id");
  const [size] = database.rows("SELECT sum(length(data)) AS bytes FROM part WHERE session_id = ?", id);
  if (Number(size?.["bytes"] ?? 0) > maxBytes) throw unreadable(path, `${id} has more than ${maxBytes} bytes`);
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

function onlySession(path: string, database: Rows): JsonObject {
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

function sessionOf(path: string, database: Rows, id: string): JsonObject {
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
