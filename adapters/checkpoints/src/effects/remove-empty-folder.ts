import { rmdirSync } from "node:fs";
import { errorCode } from "../files/error-code.ts";
import type { PinnedFolder } from "../files/pinned-folder.ts";
import { maxWalkDepth } from "../limits.ts";

/**
 * Removes a folder that holds nothing but empty folders: no content is lost with it.
 * @returns whether it is gone
 */
export function removeEmptyFolder(parent: PinnedFolder, name: string, depth = 0): boolean {
  if (depth > maxWalkDepth) return false;
  try {
    rmdirSync(parent.address(name));
    return true;
  } catch (error) {
    if (errorCode(error) !== "ENOTEMPTY") return errorCode(error) === "ENOENT";
  }
  const folder = parent.enter(name);
  try {
    const entries = folder.entries();
    if (entries.some((entry) => !entry.isDirectory())) return false;
    if (!entries.every((entry) => removeEmptyFolder(folder, entry.name, depth + 1))) return false;
  } finally {
    folder.close();
  }
  rmdirSync(parent.address(name));
  return true;
}
