import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { buildEntry } from "./build-entry.ts";

/**
 * Writes the executable `bin/capstan`: the entry itself, which finds the program's scripts from where it lies. A file that only
 * loaded the entry would be one more to find on every start.
 * @param entry  its scripts are those beside this one
 * @returns its path
 */
export async function writeLauncher(root: string, folder: string, entry: string): Promise<string> {
  const path = join(folder, "bin", "capstan");
  const { outputFiles } = await buildEntry(root, path, relative(dirname(path), dirname(entry)));
  mkdirSync(dirname(path), { recursive: true });
  for (const { text } of outputFiles) writeFileSync(path, text);
  chmodSync(path, 0o755);
  // What lies around it may be a package of modules; a file without an ending would be one, too.
  writeFileSync(join(dirname(path), "package.json"), '{ "type": "commonjs" }\n');
  return path;
}
