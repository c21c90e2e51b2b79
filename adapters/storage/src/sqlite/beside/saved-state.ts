import { hash } from "node:crypto";
import type { SavedState } from "@capstan/ports";
import { isJsonObject, type JsonValue, type SessionId } from "@capstan/protocol";
import { savedPartItems } from "../../limits.ts";
import type { Connection } from "../connection.ts";

/**
 * Keeps the newest copy only; one of records that are not stored is not kept. The long lists of a state grow at their ends: they are kept
 * in parts, of which only the new ones are written.
 */
export function storeState(connection: Connection, sessionId: SessionId, { seq, format, state }: SavedState): void {
  connection.write("committed", () => {
    if (connection.all(selectFitting, sessionId, seq).length === 0) return;
    const stored = new Set(connection.all<{ readonly hash: string }>(selectHashes, sessionId).map((row) => row.hash));
    const used = new Set<string>();
    const keep = (part: readonly unknown[]): string => {
      const known = nameOf(part);
      const body = known === undefined || !stored.has(known) ? JSON.stringify(part) : "";
      const name = known ?? remembered(part, hash("sha256", body, "hex"));
      if (!stored.has(name) && !used.has(name)) connection.run(insertPart, sessionId, name, body);
      used.add(name);
      return name;
    };
    connection.run(replaceState, sessionId, seq, inParts(format), JSON.stringify(packed(state, keep)));
    for (const name of stored) if (!used.has(name)) connection.run(deletePart, sessionId, name);
  });
}

/** `null` whenever the copy is of no use: the journal has everything. */
export function readState(connection: Connection, sessionId: SessionId, format: string): SavedState | null {
  return connection.read(() => {
    const [row] = connection.all<StateRow>(selectState, sessionId, inParts(format));
    const state = row === undefined ? undefined : unpacked(parsed(row.body), partReader(connection, sessionId));
    return row === undefined || state === undefined ? null : { seq: row.seq, format, state };
  });
}

interface StateRow {
  readonly seq: number;
  readonly body: string;
}

/** An older version of Capstan does not know parts, and must not take one of these for a state. */
function inParts(format: string): string {
  return `${format} in parts`;
}

/** A state without what is in parts, and of each list the names of its first parts. */
function packed(state: unknown, keep: (part: readonly unknown[]) => string): object {
  const parts: Record<string, readonly string[]> = {};
  if (!isJsonObject(state)) return { state, parts };
  const rest: Record<string, unknown> = { ...state };
  for (const [key, list] of Object.entries(state)) {
    if (!Array.isArray(list) || list.length < savedPartItems || !isJsonObject(list[0])) continue;
    const names: string[] = [];
    for (let end = savedPartItems; end <= list.length; end += savedPartItems)
      names.push(keep(list.slice(end - savedPartItems, end)));
    parts[key] = names;
    rest[key] = list.slice(names.length * savedPartItems);
  }
  return { state: rest, parts };
}

/** `undefined`: something is missing. One part after the other is read, so that no text holds them all. */
function unpacked(
  body: JsonValue | undefined,
  read: (name: string) => readonly JsonValue[] | undefined,
): JsonValue | undefined {
  if (!isJsonObject(body)) return undefined;
  const { state, parts } = body;
  if (state === undefined || !isJsonObject(parts)) return undefined;
  if (!isJsonObject(state)) return state;
  const whole: Record<string, JsonValue> = { ...state };
  for (const [key, names] of Object.entries(parts)) {
    const rest = state[key];
    if (!Array.isArray(names) || !Array.isArray(rest)) return undefined;
    const items: JsonValue[] = [];
    for (const name of names) {
      const part = typeof name === "string" ? read(name) : undefined;
      if (part === undefined) return undefined;
      items.push(...part);
    }
    items.push(...rest);
    whole[key] = items;
  }
  return whole;
}

function partReader(connection: Connection, sessionId: SessionId): (name: string) => readonly JsonValue[] | undefined {
  return (name) => {
    const [row] = connection.all<{ readonly body: string }>(selectPart, sessionId, name);
    const part = row === undefined ? undefined : parsed(row.body);
    if (!Array.isArray(part)) return undefined;
    remembered(part, name);
    return part;
  };
}

/** Parts whose names are known, by their first items: what is the same objects is the same text, for a state never changes. */
const names = new WeakMap<object, { readonly items: readonly unknown[]; readonly name: string }>();

function remembered(items: readonly unknown[], name: string): string {
  const [first] = items;
  if (isJsonObject(first)) names.set(first, { items, name });
  return name;
}

function nameOf(part: readonly unknown[]): string | undefined {
  const [first] = part;
  const known = isJsonObject(first) ? names.get(first) : undefined;
  return known?.items.length === part.length && known.items.every((item, at) => item === part[at])
    ? known.name
    : undefined;
}

function parsed(body: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(body);
    return value;
  } catch {
    return undefined;
  }
}

const selectFitting = "SELECT 1 FROM sessions WHERE id = ? AND last_seq >= ?";
const replaceState = "INSERT OR REPLACE INTO saved_states (session_id, seq, format, body) VALUES (?, ?, ?, ?)";
const selectState =
  "SELECT seq, body FROM saved_states JOIN sessions ON id = session_id" +
  " WHERE session_id = ? AND format = ? AND seq <= last_seq";
const selectHashes = "SELECT hash FROM saved_parts WHERE session_id = ?";
const selectPart = "SELECT body FROM saved_parts WHERE session_id = ? AND hash = ?";
const insertPart = "INSERT INTO saved_parts (session_id, hash, body) VALUES (?, ?, ?)";
const deletePart = "DELETE FROM saved_parts WHERE session_id = ? AND hash = ?";
