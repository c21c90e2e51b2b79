import { accessSync, closeSync, constants, statSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { processesGonePollMs, processesGoneTimeoutMs } from "../limits.ts";
import { isWithin } from "@capstan/patterns";
import { bytesOf } from "@capstan/byte-paths";
import { systemFolders } from "../layout/system-folders.ts";
import type { Holder } from "../holder/holder.ts";
import { holderPaths } from "../holder/start-holder.ts";
import { openAnonymousFile } from "./anonymous-file.ts";
import { launchDescriptors } from "./launch-descriptors.ts";
import { readLaunchStatus } from "./launch-status.ts";
import { processNamespace, startTicksOf } from "./process-identity.ts";

/** How `bwrap` is started in a holder, and how to know when nothing of its program is left. */
export interface ConfinedLaunch {
  readonly file: string;
  readonly args: readonly string[];
  readonly descriptors: readonly number[];
  /** The first process of its namespace, as soon as there is one. */
  first(): FirstProcess | undefined;
  /** Ends the program, where it was started. */
  kill(): void;
  /** Closes the descriptors, and waits until the last process is gone. */
  end(): Promise<void>;
}

/** Arguments of the starter: it runs files, such as the system's shells; a shell finds all others. Ends with 127 when there is none, with 126 if it cannot be run. */
export function namedProgram(file: string, args: readonly string[]): readonly string[] {
  if (systemFolders.some((folder) => isWithin(folder, file)) && isProgram(file)) return [file, ...args];
  return ["/bin/sh", "-c", 'exec "$@"', "sh", file, ...args];
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

export interface LaunchRequest {
  /** Where nameless files can be made. */
  readonly directory: string;
  readonly holder: Holder;
  readonly profile: readonly string[];
  readonly program: readonly string[];
}

/** @throws the system's error, with nothing left open */
export function prepareLaunch({ directory, holder, profile, program }: LaunchRequest): ConfinedLaunch {
  const opened: number[] = [];
  try {
    const zero = String.fromCharCode(0);
    // In a file: other users can read the arguments of every process.
    opened.push(openAnonymousFile(directory, bytesOf(profile.map((argument) => `${argument}${zero}`).join(""))));
    opened.push(holder.openFilter());
    const status = openAnonymousFile(directory, new Uint8Array());
    opened.push(status);
    const entered = holder.enter(holderPaths.bubblewrap, [
      "--args",
      String(launchDescriptors.arguments),
      "--",
      holderPaths.starter,
      ...program,
    ]);
    return {
      file: entered.file,
      args: entered.args,
      descriptors: [...entered.descriptors, ...opened],
      first: () => readStatus(status),
      kill: () => {
        const first = readStatus(status);
        if (first !== undefined && processNamespace(first.pid) === first.namespace) kill(first.pid);
      },
      end: async () => {
        const first = readStatus(status);
        for (const descriptor of opened) closeSync(descriptor);
        if (first !== undefined) await waitUntilGone(first);
      },
    };
  } catch (error) {
    for (const descriptor of opened) closeSync(descriptor);
    throw error;
  }
}

/** The first process of the program's namespace: when it is gone, the kernel has ended all others. */
export interface FirstProcess {
  readonly pid: number;
  readonly namespace: string;
}

function readStatus(descriptor: number): FirstProcess | undefined {
  const { pid, namespace } = readLaunchStatus(descriptor);
  return pid === undefined || namespace === undefined ? undefined : { pid, namespace };
}

/** It ends with `bwrap`; if not in time, it is ended. */
async function waitUntilGone({ pid, namespace }: FirstProcess): Promise<void> {
  const until = performance.now() + processesGoneTimeoutMs;
  let isSignalled = false;
  while (startTicksOf(pid) !== undefined && performance.now() < until) {
    const current = processNamespace(pid);
    // Its number has been used again.
    if (current !== undefined && current !== namespace) return;
    if (!isSignalled && current !== undefined) {
      isSignalled = true;
      kill(pid);
    }
    await setTimeout(processesGonePollMs);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has just ended.
  }
}
