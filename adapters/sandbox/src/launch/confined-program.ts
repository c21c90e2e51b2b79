import { closeSync, fstatSync, readSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { isJsonObject, type JsonValue } from "@capstan/protocol";
import { processesGonePollMs, processesGoneTimeoutMs } from "../limits.ts";
import { openAnonymousFile } from "./anonymous-file.ts";
import { processNamespace, startTicksOf } from "./process-identity.ts";

/** How `bwrap` is started, and how to know when nothing of its program is left. */
export interface ConfinedLaunch {
  readonly args: readonly string[];
  readonly descriptors: readonly number[];
  /** Closes the descriptors, and waits until the last process is gone. */
  end(): Promise<void>;
}

/** What a program's descriptors are called inside `bwrap`: the first is 3. */
export const launchDescriptors = { arguments: 3, filter: 4, starter: 5, status: 6, channel: 7 } as const;

/** Where the first program lies inside. */
export const starterPath = "/run/capstan-start";

/** Arguments of the starter: it runs files, a shell finds programs. Ends with 127 when there is none, with 126 if it cannot be run. */
export function namedProgram(file: string, args: readonly string[]): readonly string[] {
  return ["/bin/sh", "-c", 'exec "$@"', "sh", file, ...args];
}

export interface LaunchRequest {
  /** Where nameless files can be made. */
  readonly directory: string;
  readonly profile: readonly string[];
  readonly filter: Uint8Array;
  /** The first program inside. */
  readonly starter: Uint8Array;
  readonly program: readonly string[];
  /** Given to the program as `launchDescriptors.channel`. */
  readonly channel?: number;
}

/** @throws the system's error, with nothing left open but the channel */
export function prepareLaunch({
  directory,
  profile,
  filter,
  starter,
  program,
  channel,
}: LaunchRequest): ConfinedLaunch {
  const opened: number[] = [];
  const open = (content: Uint8Array): number => {
    const descriptor = openAnonymousFile(directory, content);
    opened.push(descriptor);
    return descriptor;
  };
  try {
    const zero = String.fromCharCode(0);
    // In a file: other users can read the arguments of every process.
    open(Buffer.from(profile.map((argument) => `${argument}${zero}`).join("")));
    open(filter);
    open(starter);
    const status = open(new Uint8Array());
    const descriptors = channel === undefined ? opened : [...opened, channel];
    return {
      args: ["--args", String(launchDescriptors.arguments), "--", starterPath, ...program],
      descriptors,
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
interface FirstProcess {
  readonly pid: number;
  readonly namespace: string;
}

function readStatus(descriptor: number): FirstProcess | undefined {
  const bytes = Buffer.alloc(Math.min(fstatSync(descriptor).size, maxStatusBytes));
  const text = bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, bytes.length, 0));
  const status = parseStatus(text);
  if (!isJsonObject(status)) return undefined;
  const { "child-pid": pid, "pid-namespace": namespace } = status;
  return typeof pid === "number" && typeof namespace === "number" ? { pid, namespace: String(namespace) } : undefined;
}

/** `bwrap` writes a few lines. */
const maxStatusBytes = 4_096;

function parseStatus(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    // It did not come so far.
    return undefined;
  }
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
