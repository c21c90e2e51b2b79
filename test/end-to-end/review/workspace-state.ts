import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Every file and link of a folder: whether it can be executed, and what is in it. Folders count by their files. */
export function stateOf(folder: string): Readonly<Record<string, string>> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry): [string, string][] => {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1);
    if (entry.isSymbolicLink()) return [[name, `→ ${readlinkSync(path)}`]];
    if (!entry.isFile()) return [];
    const isExecutable = Math.floor(lstatSync(path).mode / 0o100) % 2 === 1;
    return [[name, `${isExecutable ? "x" : "-"} ${readFileSync(path).toString("latin1")}`]];
  });
  return Object.fromEntries(found.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
