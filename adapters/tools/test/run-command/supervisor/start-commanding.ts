import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { onTestFinished } from "vitest";
import { processesOfRuns, supervisorsOf, untilGone } from "../live-processes.ts";

/** A process that runs commands until it is killed. */
export interface Commanding {
  readonly base: string;
  readonly pid: number;
  readonly child: ChildProcess;
  readonly runIds: readonly string[];
  /** Resolves when it has said the line so many times. */
  said(line: string, times?: number): Promise<void>;
  /** Resolves at the end of its standard output, however it came. */
  readonly silent: Promise<void>;
  /** Kills it, waits until its output has ended, and looks until nothing of it is left. @returns what is left */
  kill(signal?: NodeJS.Signals): Promise<readonly number[]>;
  /** @returns what is left of its commands, and its supervisors, after a generous time */
  left(): Promise<readonly number[]>;
}

/** The process as one file, since loading the sources takes longer than what is tested. */
export async function bundleCommanding(name = "commanding-process"): Promise<string> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "capstan-commanding-")));
  const outfile = join(folder, `${basename(name)}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["source"],
    packages: "bundle",
    banner: { js: `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);` },
    logLevel: "error",
  });
  return outfile;
}

export function startCommanding(
  file: string,
  commands: readonly string[],
  options: { readonly ending?: "stay" | "leave"; readonly detached?: boolean } = {},
): Commanding {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "capstan-killed-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const child = spawn(process.execPath, [file, base, JSON.stringify(commands), options.ending ?? "stay"], {
    stdio: ["ignore", "pipe", "inherit"],
    detached: options.detached ?? false,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const { pid = 0 } = child;
  const lines: string[] = [];
  const runIds: string[] = [];
  let listeners: (() => void)[] = [];
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const whole = (rest + text).split("\n");
    rest = whole.pop() ?? "";
    lines.push(...whole);
    runIds.push(...whole.filter((line) => line.startsWith("staged ")).map((line) => line.slice("staged ".length)));
    for (const listener of listeners) listener();
  });
  const silent = new Promise<void>((resolve) => child.stdout.once("close", resolve));
  const left = async (): Promise<readonly number[]> =>
    await untilGone(() => [...processesOfRuns(runIds), ...supervisorsOf(pid)]);
  return {
    base,
    pid,
    child,
    runIds,
    silent,
    left,
    said: async (line, times = 1) =>
      await new Promise<void>((resolve) => {
        const look = (): void => {
          if (lines.filter((one) => one.startsWith(line)).length < times) return;
          listeners = listeners.filter((one) => one !== look);
          resolve();
        };
        listeners.push(look);
        look();
      }),
    kill: async (signal = "SIGKILL") => {
      process.kill(options.detached === true ? -pid : pid, signal);
      await silent;
      return await left();
    },
  };
}
