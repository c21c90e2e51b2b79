import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sandbox } from "@capstan/ports";
import type { Workspace } from "@capstan/protocol";
import { atExit } from "./at-exit.ts";
import { pluginScript } from "./plugin-script.ts";

/** Where plugins run. */
export interface PluginSurroundings {
  readonly sandbox: Sandbox;
  readonly workspace: Workspace;
  /** What plugins see of the environment; those in the sandbox its `PATH` alone. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A plugin's process, which ends with Capstan. */
export interface StartedPlugin {
  readonly child: ChildProcess;
  /** Ends every process of it, and resolves when none is left. May be called twice. */
  end(): Promise<void>;
}

interface Start {
  readonly file: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly descriptors: readonly number[];
  readonly cwd: string;
  /** Takes away at once what no process needs any more; may be called twice. */
  tidy(): void;
  finish(): Promise<unknown>;
}

/**
 * @param isTrusted  it runs outside of the sandbox, as the user
 * @throws Error in words for people; then nothing runs
 */
export async function startPlugin(isTrusted: boolean, surroundings: PluginSurroundings): Promise<StartedPlugin> {
  const start = isTrusted ? asUser(surroundings) : await inSandbox(surroundings);
  const child = spawn(start.file, start.args, {
    cwd: start.cwd,
    env: start.environment,
    stdio: ["pipe", "pipe", "pipe", ...start.descriptors],
    detached: true,
    windowsHide: true,
  });
  const gone = new Promise<void>((resolve) => void child.once("error", () => resolve()).once("exit", () => resolve()));
  const kill = (): void => killGroup(child);
  const forget = atExit(() => {
    kill();
    start.tidy();
  });
  // Writing to a process that has ended is no mistake of ours.
  child.stdin?.on("error", () => undefined);
  const over = whenGone(gone, async () => {
    forget();
    kill();
    start.tidy();
    await start.finish();
  });
  over.catch(() => undefined);
  return {
    child,
    end: async () => {
      kill();
      await over;
    },
  };
}

function asUser({ workspace, environment }: PluginSurroundings): Start {
  const folder = mkdtempSync(join(tmpdir(), "capstan-plugin-"));
  return {
    file: process.execPath,
    args: ["-e", pluginScript(), folder],
    environment,
    descriptors: [],
    cwd: workspace.cwd,
    tidy: () => rmSync(folder, { recursive: true, force: true }),
    finish: () => Promise.resolve(),
  };
}

async function inSandbox({ sandbox, workspace, environment }: PluginSurroundings): Promise<Start> {
  const entered = await sandbox.enter({
    workspace,
    confinement: { type: "sandbox", workspace: "read", hosts: [], writable: [] },
    file: process.execPath,
    args: ["-e", pluginScript()],
    cwd: workspace.cwd,
    environment: { PATH: environment["PATH"] ?? "" },
  });
  return { ...entered, cwd: "/", tidy: () => undefined, finish: () => entered.finish() };
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nothing of it is left: its number is only ever that of its own group, which nobody reuses while one of it lives.
  }
}

async function whenGone(gone: Promise<void>, finish: () => Promise<void>): Promise<void> {
  await gone;
  await finish();
}
