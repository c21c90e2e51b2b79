import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import type { Sandbox, SandboxedProgram } from "@capstan/ports";
import { isWithin } from "@capstan/patterns";
import type { Workspace } from "@capstan/protocol";
import type { McpPlace } from "../mcp-server.ts";

/** What servers that are programs run in. */
export interface ProgramSurroundings {
  readonly sandbox: Sandbox;
  readonly workspace: Workspace;
  /** Folders outside of the workspace in which programs are looked up. */
  readonly searchPath: string;
}

/** A server's process, which ends with Capstan. */
export interface RunningProgram {
  readonly child: ChildProcess;
  /** Ends every process of it, and resolves when none is left. May be called twice. */
  end(): Promise<void>;
}

/** @throws Error in words for people; then nothing runs */
export async function startProgram(
  place: Extract<McpPlace, { readonly type: "program" }>,
  { sandbox, workspace, searchPath }: ProgramSurroundings,
): Promise<RunningProgram> {
  const entered = await sandbox.enter({
    workspace,
    confinement: {
      type: "sandbox",
      workspace: place.writes ? "write" : "read",
      hosts: [...place.hosts],
      writable: [],
    },
    ownHosts: place.hosts.filter((host) => !host.includes("*")),
    file: findProgram(place.command, searchPath),
    args: place.args,
    cwd: startFolder(place.cwd, workspace),
    environment: { PATH: searchPath, ...place.env },
  });
  return follow(await spawned(entered), entered);
}

async function spawned(entered: SandboxedProgram): Promise<ChildProcess> {
  const child = spawn(entered.file, entered.args, {
    cwd: "/",
    env: entered.environment,
    stdio: ["pipe", "pipe", "pipe", ...entered.descriptors],
    detached: true,
    windowsHide: true,
  });
  try {
    await new Promise<void>((done, fail) => void child.once("spawn", done).once("error", fail));
  } catch (error) {
    await entered.finish();
    throw error;
  }
  return child;
}

function follow(child: ChildProcess, entered: SandboxedProgram): RunningProgram {
  const kill = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // It is gone already.
    }
  };
  process.once("exit", kill);
  // Writing to a program that has ended is no mistake of ours.
  child.stdin?.on("error", () => undefined);
  const exited = new Promise<void>((done) => void child.once("exit", () => done()));
  const over = finishAfter(exited, async () => {
    process.off("exit", kill);
    kill();
    await entered.finish();
  });
  over.catch(() => undefined);
  return {
    child,
    end: async () => {
      if (child.exitCode === null && child.signalCode === null) kill();
      await over;
    },
  };
}

async function finishAfter(exited: Promise<void>, finish: () => Promise<void>): Promise<void> {
  await exited;
  await finish();
}

/** The program itself: what is approved and started is one file, wherever its name leads later. */
function findProgram(command: string, searchPath: string): string {
  const candidates = isAbsolute(command)
    ? [command]
    : command.includes("/")
      ? []
      : searchPath.split(delimiter).flatMap((folder) => (isAbsolute(folder) ? [join(folder, command)] : []));
  const found = candidates.find((path) => isProgram(path));
  if (found === undefined)
    throw new Error(`no program ${JSON.stringify(command)}: name one on the PATH, or write its absolute path`);
  return found;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function startFolder(cwd: string | null, { cwd: workspace, roots }: Workspace): string {
  const folder = realpathSync(resolve(workspace, cwd ?? "."));
  if (roots.some((root) => isWithin(root, folder))) return folder;
  throw new Error(`cwd ${JSON.stringify(cwd)} lies outside of the workspace`);
}
