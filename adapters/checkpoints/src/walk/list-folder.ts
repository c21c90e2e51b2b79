import { lstatSync, type Stats } from "node:fs";
import type { FolderEntry } from "@capstan/byte-paths";
import type { PinnedFolder } from "../files/pinned-folder.ts";

/** What lies in a folder; a folder that cannot be listed is closed. */
export function listOrClose(folder: PinnedFolder): readonly FolderEntry[] {
  try {
    return folder.entries();
  } catch (error) {
    folder.close();
    throw error;
  }
}

export function inOrder(entries: readonly FolderEntry[]): readonly FolderEntry[] {
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

type EntryKind = "file" | "folder" | "special" | "gone";

/** A link counts as a file. Some file systems do not say the type when they list. */
export function kindOf(entry: FolderEntry, folder: PinnedFolder): EntryKind {
  const isKnown = entry.isFile() || entry.isDirectory() || entry.isSymbolicLink();
  const stats = isKnown ? entry : lookAt(folder, entry.name);
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
