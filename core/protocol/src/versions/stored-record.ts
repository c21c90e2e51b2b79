import { isJsonObject, type JsonObject } from "../json.ts";
import { fitsRecord } from "./fits-shape.ts";
import { recordCatalog } from "../record-catalog.ts";
import type { JournalRecord } from "../record.ts";
import { upcasts } from "./upcasts.ts";

/**
 * What stands in a journal for a record: its JSON, with its version as `v` from version 2 on. Links of the chain are made of
 * this text; a record is upcast after it was verified, and never written back.
 */
export function storedRecord(record: JournalRecord): object {
  const version = recordVersion(record.type);
  return version === 1 ? record : { v: version, ...record };
}

/** What reading a stored record gave. */
export type ReadRecord =
  | { readonly type: "record"; readonly record: JournalRecord }
  /** A later Capstan wrote it, in a version or of a type that this one does not know. `text` says so. */
  | { readonly type: "newer"; readonly text: string }
  | { readonly type: "malformed" };

/** The record of a stored one, in today's version. Total: whatever the JSON is. */
export function readRecord(stored: unknown): ReadRecord {
  if (!isJsonObject(stored)) return { type: "malformed" };
  const { v: version = 1, ...fields } = stored;
  const { type } = fields;
  if (typeof type !== "string" || !isVersion(version)) return { type: "malformed" };
  if (!isRecordType(type)) return { type: "newer", text: `its type ${JSON.stringify(type)} is not known here` };
  const known = recordVersion(type);
  if (version > known) {
    return {
      type: "newer",
      text: `it is ${type} of version ${version}, and this Capstan knows versions up to ${known}`,
    };
  }
  const record = upcastRecord(fields, type, version);
  return isRecord(record) ? { type: "record", record } : { type: "malformed" };
}

function isVersion(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}

function isRecordType(type: string): type is JournalRecord["type"] {
  return Object.hasOwn(recordCatalog, type);
}

function recordVersion(type: JournalRecord["type"]): number {
  return (upcasts[type]?.length ?? 0) + 1;
}

/** Without a look at what came of it. Total. */
export function upcastRecord(stored: JsonObject, type: JournalRecord["type"], version: number): JsonObject {
  return (upcasts[type] ?? []).slice(version - 1).reduce((json, step) => step(json), stored);
}

/** Whether it has all that its type says, however damaged the journal is: whoever reads records relies on it. */
function isRecord(value: JsonObject): value is JsonObject & JournalRecord {
  return fitsRecord(value);
}
