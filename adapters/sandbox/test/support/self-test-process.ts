import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSandbox } from "../../src/index.ts";

// Prints what the self-test says for whoever runs this.
const home = mkdtempSync(join(tmpdir(), "capstan-self-test-"));
try {
  const isolation = await createSandbox({
    home,
    stateDirectory: join(home, ".capstan", "sandbox"),
    hidden: [join(home, ".capstan")],
    deniedPatterns: [],
    searchPath: "/usr/local/bin:/usr/bin:/bin",
    node: process.execPath,
  }).test();
  process.stdout.write(`${JSON.stringify(isolation)}\n`);
} finally {
  rmSync(home, { recursive: true, force: true });
}
