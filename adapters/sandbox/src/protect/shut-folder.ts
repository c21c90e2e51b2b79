import { accessSync, constants } from "node:fs";
import { onDisk } from "@capstan/byte-paths";
import { entryAt } from "../layout/real-path.ts";

/**
 * Whether a folder cannot be looked into: `own` is one that belongs to this user, so that a program of theirs can open it with `chmod`
 * and then find what nobody has seen; `foreign` is one that nobody here can open.
 */
export function shutness(folder: string): "open" | "own" | "foreign" {
  try {
    accessSync(onDisk(folder), constants.R_OK | constants.X_OK);
    return "open";
  } catch {
    return entryOf(folder)?.uid === process.getuid?.() ? "own" : "foreign";
  }
}

/** What is there, as far as it may be looked at. */
export function entryOf(path: string): ReturnType<typeof entryAt> {
  try {
    return entryAt(path);
  } catch {
    return undefined;
  }
}
