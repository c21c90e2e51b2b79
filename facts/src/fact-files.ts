import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { isWithin } from "@capstan/patterns";
import type { Fact, FactFile } from "@capstan/protocol";
import { maxHashedBytes } from "./limits.ts";

/** Whether a file that the fact speaks of is gone or has other bytes than then. */
export async function isStale({ files }: Pick<Fact, "files">): Promise<boolean> {
  const changed = await Promise.all(
    files.map(async ({ path, sha256 }) => {
      const now = await hashOf(path);
      return now !== "" && now !== sha256;
    }),
  );
  return changed.includes(true);
}

/** The file of the folder that a name means; `undefined`: it means none. */
export async function fileOfEntity(cwd: string, name: string): Promise<FactFile | undefined> {
  try {
    const path = await realpath(resolve(cwd, name));
    if (!isWithin(cwd, path)) return undefined;
    const sha256 = await hashOf(path);
    return sha256 === undefined || sha256 === "" ? undefined : { path, sha256 };
  } catch {
    return undefined;
  }
}

/** @returns `undefined` for what is no file that can be read; empty for one that is too large */
async function hashOf(path: string): Promise<string | undefined> {
  try {
    // oxlint-disable-next-line no-bitwise -- open flags are bits
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      const { size, isFile } = await file.stat().then((stats) => ({ size: stats.size, isFile: stats.isFile() }));
      if (!isFile) return undefined;
      if (size > maxHashedBytes) return "";
      return createHash("sha256")
        .update(await file.readFile())
        .digest("hex");
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}
