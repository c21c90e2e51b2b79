import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultDeniedPatterns } from "@capstan/protocol";
import type { Sandbox } from "@capstan/ports";
import { createSandbox } from "@capstan/sandbox";
import { rounds } from "./limits.ts";
import type { Pair } from "./measurements.ts";
import { median } from "./median.ts";

/** From deciding to run `true` until nothing of it is left, in ms. @returns `undefined` where there is no sandbox */
export async function measureSandboxedSpawn(): Promise<Pair | undefined> {
  const home = mkdtempSync(join(tmpdir(), "capstan-bench-sandbox-"));
  const workspace = join(home, "workspace");
  mkdirSync(workspace);
  try {
    const sandbox = createSandbox({
      home,
      stateDirectory: join(home, ".capstan", "sandbox"),
      hidden: [join(home, ".capstan")],
      deniedPatterns: defaultDeniedPatterns,
      searchPath: "/usr/local/bin:/usr/bin:/bin",
      node: process.execPath,
    });
    if ((await sandbox.test()).type === "none") return undefined;
    const samples: Record<keyof Pair, number[]> = { capstan: [], bare: [] };
    for (let round = 0; round < rounds.sandboxedSpawn; round += 1) {
      samples.capstan.push(await time(() => runInside(sandbox, workspace)));
      samples.bare.push(
        await time(async () => await once(spawn("/bin/true", { cwd: workspace, stdio: "ignore" }), "exit")),
      );
    }
    return { capstan: median(samples.capstan), bare: median(samples.bare) };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

async function runInside(sandbox: Sandbox, workspace: string): Promise<void> {
  const program = await sandbox.enter({
    workspace: { cwd: workspace, roots: [workspace] },
    confinement: { type: "sandbox", workspace: "write", hosts: [], writable: [] },
    file: "/bin/true",
    args: [],
    cwd: workspace,
    environment: {},
  });
  const child = spawn(program.file, program.args, {
    env: program.environment,
    stdio: ["ignore", "ignore", "ignore", ...program.descriptors],
  });
  await once(child, "exit");
  await program.finish();
}
