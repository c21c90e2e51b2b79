import { renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isWithin } from "@capstan/patterns";
import { messageOf } from "@capstan/protocol";
import { onDisk } from "@capstan/byte-paths";
import { entryAt, realPathOf } from "../layout/real-path.ts";
import { OpenFolder } from "../protect/open-folder.ts";

/**
 * Takes away the name by which git would find what a command has planted; nothing is deleted.
 * @param changeable  real paths of folders in which something may be renamed
 * @returns what became of it, in words
 */
export function setAside(path: string, changeable: readonly string[]): string {
  const place = placeOf(path);
  if (place === undefined || !changeable.some((root) => isWithin(root, place))) {
    return "and lies where it cannot be set aside: look at it before you use git there";
  }
  let folder: OpenFolder | undefined;
  try {
    folder = OpenFolder.at(dirname(place));
    const aside = freeName(folder, basename(place));
    renameSync(onDisk(folder.entry(basename(place))), onDisk(folder.entry(aside)));
    return `and is set aside as ${JSON.stringify(aside).slice(1, -1)}: rename it to use it`;
  } catch (error) {
    return `and cannot be set aside: ${messageOf(error)}`;
  } finally {
    folder?.close();
  }
}

/** The same entry by a path in which only the last name can be a link; of a folder that is a link, that link. */
function placeOf(path: string): string | undefined {
  const parent = dirname(path);
  const above = realPathOf(dirname(parent));
  if (entryAt(parent)?.isSymbolicLink() === true)
    return above === undefined ? undefined : join(above, basename(parent));
  const folder = realPathOf(parent);
  return folder === undefined ? undefined : join(folder, basename(path));
}

function freeName(folder: OpenFolder, name: string): string {
  for (let number = 1; ; number += 1) {
    const aside = `${name}.set-aside-${number}`;
    if (number > maxTries || entryAt(folder.entry(aside)) === undefined) return aside;
  }
}

/** More files of one name are never set aside: then one of them is replaced. */
const maxTries = 1_000;
