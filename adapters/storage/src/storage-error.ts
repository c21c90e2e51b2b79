import { closeSync, openSync } from "node:fs";
import { AppError, messageOf } from "@capstan/protocol";

/** What was being done when storage failed: a file that cannot be opened is another matter than a write that fails. */
export type StorageActivity = "open" | "read" | "write";

/**
 * Anything thrown by SQLite or the file system, as an error with a stable code that names the file.
 * @see https://sqlite.org/rescode.html for the numbers
 */
export function toStorageError(thrown: unknown, path: string, activity: StorageActivity): AppError {
  if (thrown instanceof AppError) return thrown;
  const message = `${path}: ${messageOf(thrown)}`;
  switch (kindOf(thrown, activity)) {
    case "busy":
      return new AppError("session.busy", `${path}: another process is writing to the database`, {
        cause: thrown,
        hint: "Wait for the other process, or end it, and try again.",
      });
    case "full":
      return new AppError("storage.full", message, {
        cause: thrown,
        hint: `Free space on the disk that holds ${path}, then continue the session; everything acknowledged is kept.`,
      });
    case "corrupt":
      return new AppError("storage.corrupt", message, {
        cause: thrown,
        hint: "Run `capstan doctor --repair`: it saves every record that can be read, after a backup.",
      });
    case "unavailable":
      return new AppError("storage.unavailable", message, {
        cause: thrown,
        hint: areDescriptorsUsedUp()
          ? "Too many files are open: raise the limit (`ulimit -n 1024`), or end other programs, and try again. Nothing was changed."
          : "Check that the file and its folder may be read and written, or point CAPSTAN_HOME to another folder.",
      });
    case "failed":
      return new AppError("storage.failed", message, { cause: thrown, hint: `Check the disk that holds ${path}.` });
  }
}

/** SQLite says no more than that it cannot open a file: it needs the database, its log, their index, and a folder to flush. */
function areDescriptorsUsedUp(): boolean {
  const opened: number[] = [];
  try {
    while (opened.length < neededDescriptors) opened.push(openSync("/dev/null", "r"));
    return false;
  } catch (error) {
    return ["EMFILE", "ENFILE"].includes(textField(error, "code"));
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

const neededDescriptors = 4;

/** Whether SQLite gave up waiting for another connection. */
export function isBusy(thrown: unknown): boolean {
  return [sqlite.busy, sqlite.locked].includes(primaryCode(thrown));
}

/** Whether SQLite found what no SQLite writes. */
export function isCorruption(thrown: unknown): boolean {
  return primaryCode(thrown) === sqlite.corrupt;
}

/** A record or row that cannot be understood. */
export function corruptRow(path: string, what: string, cause?: unknown): AppError {
  return new AppError("storage.corrupt", `${path}: ${what}`, {
    hint: "Nothing was changed. `capstan doctor SESSION` says what of it is good, and with --repair keeps that; or restore a backup.",
    ...(cause === undefined ? {} : { cause }),
  });
}

/** A record that is whole, and that only a later Capstan knows. */
export function newerRecord(path: string, what: string): AppError {
  return new AppError("storage.newer-version", `${path}: ${what}`, {
    hint: "Update Capstan, and open the session again. Nothing was changed, and the other sessions work.",
  });
}

type Kind = "busy" | "full" | "corrupt" | "unavailable" | "failed";

const sqlite = {
  error: 1,
  permission: 3,
  busy: 5,
  locked: 6,
  readonly: 8,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notDatabase: 26,
};
/** ENOSPC and EDQUOT: a full quota reaches SQLite as a plain write error. */
const fullErrnos = new Set([28, 122]);
const fullCodes = new Set(["ENOSPC", "EDQUOT"]);

function kindOf(thrown: unknown, activity: StorageActivity): Kind {
  if (fullErrnos.has(numberField(thrown, "systemErrno")) || fullCodes.has(textField(thrown, "code"))) return "full";
  switch (primaryCode(thrown)) {
    case sqlite.busy:
    case sqlite.locked:
      return "busy";
    case sqlite.full:
      return "full";
    case sqlite.corrupt:
    case sqlite.notDatabase:
      return "corrupt";
    case sqlite.error:
      return otherSchema.test(messageOf(thrown)) ? "corrupt" : "failed";
    case sqlite.permission:
    case sqlite.readonly:
    case sqlite.cannotOpen:
      return activity === "open" ? "unavailable" : "failed";
    case noCode:
      if (messageOf(thrown).includes(tooLargeNumber)) return "corrupt";
      return activity === "open" ? "unavailable" : "failed";
    default:
      return "failed";
  }
}

/** A name of a table or column is not what it was made as: the file's own words for it were changed. */
const otherSchema = /^no such (?:table|column): |^table \S+ has no column named /;

const noCode = 0;
/** What both SQLite packages say of an integer that no store wrote. */
const tooLargeNumber = "too large to be represented as a JavaScript number";

/** The low byte names the kind of error, the rest the place (SQLITE_IOERR_FSYNC is an SQLITE_IOERR). */
function primaryCode(thrown: unknown): number {
  // oxlint-disable-next-line no-bitwise -- SQLite's codes are built that way
  return (numberField(thrown, "errcode") || codesByMessage.get(messageOf(thrown)) || noCode) & 0xff;
}

/** Errors of a query that returns rows come without a code from `@photostructure/sqlite`, but in SQLite's own fixed words. */
const codesByMessage = new Map([
  ["database is locked", sqlite.busy],
  ["database table is locked", sqlite.locked],
  ["attempt to write a readonly database", sqlite.readonly],
  ["database disk image is malformed", sqlite.corrupt],
  ["database or disk is full", sqlite.full],
  ["unable to open database file", sqlite.cannotOpen],
  ["file is not a database", sqlite.notDatabase],
]);

function numberField(thrown: unknown, field: string): number {
  const value = fieldOf(thrown, field);
  return typeof value === "number" ? value : 0;
}

function textField(thrown: unknown, field: string): string {
  const value = fieldOf(thrown, field);
  return typeof value === "string" ? value : "";
}

function fieldOf(thrown: unknown, field: string): unknown {
  return typeof thrown === "object" && thrown !== null ? Reflect.get(thrown, field) : undefined;
}
