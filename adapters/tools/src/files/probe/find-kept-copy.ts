import type { PinnedDirectory } from "../../paths/pinned-directory.ts";
import { withPinnedParent } from "../../paths/pinned-file.ts";
import type { ResolvedPath } from "../../paths/workspace-paths.ts";
import { hashFile } from "../commit/hash-file.ts";
import { readTemporaryName } from "../commit/temporary-name.ts";
import { maxSweptEntries } from "../limits.ts";

/**
 * Where a file system has no hard links, the original is moved aside for a moment; killed in that moment, a process leaves
 * the only copy under that name.
 * @returns the name of a copy beside the file that has the content it had before
 */
export async function findKeptCopy(place: ResolvedPath, before: string | null): Promise<string | undefined> {
  try {
    return await withPinnedParent(place, async (parent) => {
      for (const name of await parent.names(maxSweptEntries)) {
        if (readTemporaryName(name)?.kind === "old" && (await hashOf(parent, name)) === before) return name;
      }
      return undefined;
    });
  } catch {
    return undefined;
  }
}

async function hashOf(parent: PinnedDirectory, name: string): Promise<string | undefined> {
  const file = parent.openFile(name);
  try {
    return file.stats().isFile() ? await hashFile(file) : undefined;
  } finally {
    file.close();
  }
}
