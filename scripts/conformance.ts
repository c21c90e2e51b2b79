/**
 * `npm run conformance`: other makers' clients, pinned, drive the binary against a scripted model. Each part is a file of `conformance/`; `-- NAME`
 * runs one (`editors`, `claude-sdk`, `codex-sdk`, `claude-files`, `mcp`). Their packages are installed into a folder of their own, since some have licences that keep them out of the lockfile.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { claudeSdk } from "./conformance/claude-sdk.ts";
import { checkEditors } from "./conformance/check-editors.ts";
import { codexSdk } from "./conformance/codex-sdk.ts";
import { claudeFiles } from "./conformance/claude-files.ts";
import { mcp } from "./conformance/mcp.ts";
import type { ConformancePart } from "./conformance/part.ts";
import { Surroundings } from "./conformance/surroundings.ts";

const parts: readonly ConformancePart[] = [claudeSdk, codexSdk, claudeFiles, mcp];
const binary = fileURLToPath(new URL("../bin/capstan", import.meta.url));
const [wanted] = process.argv.slice(2);

if (wanted === undefined || wanted === "editors") process.exitCode = (await checkEditors()) ? 0 : 1;
for (const part of parts) {
  if (wanted !== undefined && part.name !== wanted) continue;
  const folder = mkdtempSync(join(tmpdir(), "capstan-conformance-"));
  const surroundings = new Surroundings(folder, binary);
  try {
    await surroundings.install(part.packages);
    for (const [story, tell] of Object.entries(part.stories)) {
      await tell(surroundings);
      process.stdout.write(`${part.name}: ${story}\n`);
    }
  } catch (error) {
    process.stderr.write(`${part.name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  } finally {
    await surroundings.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
