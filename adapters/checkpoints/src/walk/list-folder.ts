import { type Dirent, lstatSync, readdirSync, type Stats } from "node:fs";
import type { PinnedFolder } from "../files/pinned-folder.ts";

/** What lies in a folder; a folder that cannot be listed is closed. */
export function listOrClose(folder: PinnedFolder): readonly Dirent[] {
  try {
    return readdirSync(folder.address("."), { withFileTypes: true });
  } catch (error) {
    folder.close();
    throw error;
  }
}

/** Each name once: two names that are not UTF-8 may read the same. */
export function inOrder(dirents: readonly Dirent[]): readonly Dirent[] {
  const byName = new Map(dirents.map((dirent) => [dirent.name, dirent]));
  return [...byName.keys()].toSorted().flatMap((name) => byName.get(name) ?? []);
}

type EntryKind = "file" | "folder" | "special" | "gone";

/** A link counts as a file. Some file systems do not say the type when they list. */
export function kindOf(dirent: Dirent, folder: PinnedFolder): EntryKind {
  const needsLook =
    dirent.name.includes("\uFFFD") || !(dirent.isFile() || dirent.isDirectory() || dirent.isSymbolicLink());
  const stats = needsLook ? lookAt(folder, dirent.name) : dirent;
  if (stats === undefined) return "gone";
  if (stats.isDirectory()) return "folder";
  return stats.isFile() || stats.isSymbolicLink() ? "file" : "special";
}

/** What a name stands for, a link not followed; `undefined`: nothing that can be looked at. */
export function lookAt(folder: PinnedFolder, name: string): Stats | undefined {
  try {
    return lstatSync(folder.address(name), { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
