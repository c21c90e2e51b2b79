import { randomUUID } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AppError, isJsonObject, messageOf } from "@capstan/protocol";

/** The file's version: another one is as good as none, since it can be fetched again. */
const version = 1;

export function refreshedFile(home: string): string {
  return join(home, "models.json");
}

/** Rows by vendor, as the last `capstan models refresh` wrote them; none without a file that can be read. */
export function readRefreshedRows(home: string): Readonly<Record<string, string>> {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(refreshedFile(home), "utf8"));
  } catch {
    // Mostly there is no such file. A damaged one costs prices of new models, and the next refresh replaces it.
    return {};
  }
  if (!isJsonObject(value) || value["version"] !== version || !isJsonObject(value["vendors"])) return {};
  const sections = Object.entries(value["vendors"]);
  return Object.fromEntries(sections.flatMap(([vendor, rows]) => (typeof rows === "string" ? [[vendor, rows]] : [])));
}

/**
 * Puts a new file in place of the old one, for its owner alone; whoever reads meanwhile sees one of them whole.
 * @throws {AppError} `storage.unavailable`; then the old one is still there
 */
export function writeRefreshedRows(home: string, source: string, vendors: Readonly<Record<string, string>>): void {
  const file = refreshedFile(home);
  const draft = `${file}.${randomUUID()}`;
  try {
    writeFileSync(draft, `${JSON.stringify({ version, source, vendors })}\n`, { mode: 0o600, flag: "wx", flush: true });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new AppError("storage.unavailable", `${file} cannot be written: ${messageOf(error)}`, {
      cause: error,
      hint: "Check the permissions, or set CAPSTAN_HOME.",
    });
  }
}
