import { existsSync } from "node:fs";
import type { FactStore } from "@capstan/ports";

/** Whether anything was ever remembered there. */
export function hasFacts(path: string): boolean {
  return existsSync(path);
}

/** Opens the facts in one SQLite file; its code is loaded with the first use. @throws {AppError} `storage.*` */
export async function openFactStore(path: string): Promise<FactStore> {
  const { openFacts } = await import("./open-facts.ts");
  return openFacts(path);
}
