import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/**
 * Writes the executable `bin/capstan`: the entry itself, with the program found from where it lies. A file that only loaded
 * the entry would be one module more to find on every start.
 * @returns its path
 */
export function writeLauncher(root: string, entry: string): string {
  const folder = join(root, "bin");
  const path = join(folder, "capstan");
  const beside = relative(folder, dirname(entry));
  mkdirSync(folder, { recursive: true });
  const text = readFileSync(entry, "utf8").replace(/^#!.*\n/, "");
  const moved = text.replaceAll('import("./', `import("${beside}/`);
  if (moved === text) throw new Error(`${entry} loads nothing from beside it`);
  writeFileSync(path, `#!/usr/bin/env node\n${moved}`);
  chmodSync(path, 0o755);
  return path;
}
