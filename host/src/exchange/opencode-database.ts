import { closeSync, openSync, readSync } from "node:fs";
import { opencodeExport, opencodeTables } from "@capstan/importers";
import { AppError } from "@capstan/protocol";
import { quotePath } from "@capstan/settings";
import { openForeignDatabase } from "@capstan/storage";
import { maxFileBytes } from "../limits.ts";

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
 * One session of opencode's database, as the text of its export.
 * @param wanted  the session's id there; without it the only one
 * @throws {AppError} `import.unreadable` when it is another program's, or there is no such session, or no single one
 */
export function readOpencodeDatabase(path: string, wanted: string | undefined): string {
  const database = openForeignDatabase(path, opencodeTables);
  if (database === undefined)
    throw new AppError("import.unreadable", `${quotePath(path)} cannot be read: it is a database, and not opencode's`, {
      hint: "Name opencode's own database, and a session in it as `opencode.db#ses_…`.",
    });
  try {
    return opencodeExport(database, { path, wanted, maxBytes: maxFileBytes });
  } finally {
    database.close();
  }
}
