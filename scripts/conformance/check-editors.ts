import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { installAcpx } from "./install-acpx.ts";
import { playAcpx } from "./play-acpx.ts";

const root = join(import.meta.dirname, "../..");
const suites = ["frontends/acp", "test/end-to-end/editor"];

function vitest(...flags: readonly string[]): boolean {
  const args = [join(root, "node_modules", "vitest", "vitest.mjs"), "run", ...flags, ...suites];
  return spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" }).status === 0;
}

/** The protocol of editors, held against its own client, its published schema, and `acpx`. */
export async function checkEditors(): Promise<boolean> {
  const ofSuites = [vitest(), vitest("--mode", "slow")];
  const installed = installAcpx();
  if (typeof installed === "string") process.stdout.write(`acpx: left out, because ${installed}\n`);
  const ofAcpx = typeof installed === "string" ? [] : await playAcpx(installed, join(root, "bin", "capstan"));
  for (const { story, problem } of ofAcpx)
    process.stdout.write(`acpx: ${problem === null ? "✓" : "✗"} ${story}\n${problem ?? ""}`);
  return ofSuites.every(Boolean) && ofAcpx.every(({ problem }) => problem === null);
}
