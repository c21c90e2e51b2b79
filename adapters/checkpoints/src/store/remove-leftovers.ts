import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../files/error-code.ts";
import { leftoverAgeMs } from "../limits.ts";

/**
 * Removes what writes that were killed have left in a store. Younger files may still be written.
 * @param now  ms since 1970
 */
export async function removeLeftovers(folder: string, now: number): Promise<void> {
  const objects = join(folder, "objects");
  for (const below of [
    folder,
    join(folder, "trees"),
    objects,
    ...(await namesIn(objects)).map((name) => join(objects, name)),
  ])
    for (const name of await namesIn(below)) if (name.startsWith("tmp_obj_")) await removeOld(join(below, name), now);
}

async function removeOld(path: string, now: number): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found !== undefined && now - found.mtimeMs > leftoverAgeMs) await rm(path, { force: true });
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "")) return [];
    throw error;
  }
}
