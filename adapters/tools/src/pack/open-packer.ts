import type { PackFiles } from "@capstan/ports";

/** Reads packs of files; its code loads with the first of them. */
export function openPacker(deniedPatterns: readonly string[]): PackFiles {
  return async (workspace, pack, limits, signal) => {
    const { packFiles } = await import("./pack-files.ts");
    return await packFiles({ workspace, deniedPatterns }, pack, limits, signal);
  };
}
