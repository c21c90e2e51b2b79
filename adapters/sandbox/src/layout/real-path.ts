import { type BigIntStats, lstatSync, realpathSync, type Stats } from "node:fs";
import { onDisk, pathText, unreadable } from "@capstan/byte-paths";

/** @returns `undefined` when there is nothing, or nothing that may be looked at */
export function realPathOf(path: string): string | undefined {
  try {
    const place = onDisk(path);
    const found = typeof place === "string" ? realpathSync(place) : unreadable;
    return found.includes(unreadable) ? pathText(realpathSync.native(place, "buffer")) : found;
  } catch {
    return undefined;
  }
}

/** What lies there itself, links not followed; `undefined` when there is nothing: a path that leads through a file leads nowhere. */
export function entryAt(path: string): Stats | undefined {
  return unlessThroughFile(() => lstatSync(onDisk(path), { throwIfNoEntry: false }));
}

/** The same, with numbers as exact as the file system has them. */
export function exactEntryAt(path: string): BigIntStats | undefined {
  return unlessThroughFile(() => lstatSync(onDisk(path), { bigint: true, throwIfNoEntry: false }));
}

function unlessThroughFile<Found>(look: () => Found): Found | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOTDIR") return undefined;
    throw error;
  }
}
