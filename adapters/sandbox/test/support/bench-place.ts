import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sandbox, SandboxedProgram } from "@capstan/ports";
import { type Confinement, defaultDeniedPatterns } from "@capstan/protocol";
import { onTestFinished } from "vitest";
import { createSandbox, type SandboxOptions } from "../../src/index.ts";
import { type Ended, runProgram } from "./run-program.ts";

/** A home, a workspace in it, and Capstan's data: all real, all removed at the end of the test. */
export interface Place {
  readonly folder: string;
  readonly home: string;
  readonly workspace: string;
  readonly options: SandboxOptions;
}

export type Confined = Extract<Confinement, { readonly type: "sandbox" }>;

/** @param under  where it is made; the sandbox has its own in place of the machine's /tmp */
export function makePlace(options: Partial<SandboxOptions> = {}, under = tmpdir()): Place {
  const folder = realpathSync(mkdtempSync(join(under, "capstan-sandbox-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const home = join(folder, "home");
  const workspace = join(home, "work");
  const data = join(home, ".capstan");
  for (const path of [workspace, data]) mkdirSync(path, { recursive: true });
  return {
    folder,
    home,
    workspace,
    options: {
      home,
      stateDirectory: join(data, "sandbox"),
      hidden: [data],
      deniedPatterns: defaultDeniedPatterns,
      searchPath: "/usr/local/bin:/usr/bin:/bin",
      node: process.execPath,
      git: askGitPlainly,
      ...options,
    },
  };
}

/** Nothing has to be made inert for the one question that the sandbox asks. */
export async function askGitPlainly(): Promise<{
  readonly settings: [];
  readonly environment: Readonly<Record<string, string>>;
}> {
  return { settings: [], environment: {} };
}

export interface RunOptions {
  readonly confinement?: Partial<Confined>;
  readonly sandbox?: Sandbox;
  readonly cwd?: string;
  readonly roots?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly shell?: string;
}

/** Runs a script in the sandbox, to its end. */
export async function runInside(place: Place, script: string, options: RunOptions = {}): Promise<Ended> {
  const program = await enterPlace(place, script, options);
  return await runProgram(program);
}

export async function enterPlace(place: Place, script: string, options: RunOptions = {}): Promise<SandboxedProgram> {
  const sandbox = options.sandbox ?? createSandbox(place.options);
  return await sandbox.enter({
    workspace: { cwd: place.workspace, roots: options.roots ?? [place.workspace] },
    confinement: { type: "sandbox", workspace: "write", hosts: [], writable: [], ...options.confinement },
    file: options.shell ?? "/bin/bash",
    args: ["-c", script],
    cwd: options.cwd ?? place.workspace,
    environment: { PATH: "/usr/local/bin:/usr/bin:/bin", ...options.environment },
  });
}
