import { randomUUID } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AppError, isJsonObject, type JsonObject, messageOf } from "@capstan/protocol";
import type { ModelSection } from "./model-table.ts";

/** The file's version: another one is as good as none, since it can be fetched again. */
const version = 2;

export function refreshedFile(home: string): string {
  return join(home, "models.json");
}

/** Models by vendor, as the last `capstan models refresh` wrote them; none without a file that can be read. */
export function readRefreshedModels(home: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(refreshedFile(home), "utf8"));
  } catch {
    // Mostly there is no such file. A damaged one costs prices of new models, and the next refresh replaces it.
    return {};
  }
  if (!isJsonObject(value) || value["version"] !== version || !isJsonObject(value["vendors"])) return {};
  return value["vendors"];
}

/**
 * Puts a new file in place of the old one, for its owner alone; whoever reads meanwhile sees one of them whole.
 * @throws {AppError} `storage.unavailable`; then the old one is still there
 */
export function writeRefreshedModels(
  home: string,
  source: string,
  vendors: Readonly<Record<string, ModelSection>>,
): void {
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
