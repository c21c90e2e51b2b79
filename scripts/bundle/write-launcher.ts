import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

/**
 * Writes the executable `bin/capstan`, which loads the entry from beside it.
 * @returns its path
 */
export function writeLauncher(root: string, entry: string): string {
  const folder = join(root, "bin");
  const path = join(folder, "capstan");
  mkdirSync(folder, { recursive: true });
  // A file without extension is a module only where the nearest package.json says so and Node is new enough to look:
  // `import()` works in a script and in a module alike.
  writeFileSync(path, `#!/usr/bin/env node\nimport(${JSON.stringify(relative(folder, entry))});\n`);
  chmodSync(path, 0o755);
  return path;
}
