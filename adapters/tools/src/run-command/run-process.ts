import { type ChildProcess, spawn, type StdioOptions } from "node:child_process";
import { closeSync } from "node:fs";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { exitAfterKillMs, killDelayMs } from "./limits.ts";
import { type CommandPipes, openPipes } from "./open-pipes.ts";
import { type OnData, PipeReader } from "./pipe-reader.ts";
import { endGroup, signalGroup } from "./process-group.ts";

/** A program to run in a process group of its own, without standard input. */
export interface ProcessRequest {
  readonly file: string;
  readonly args: readonly string[];
  /** From `StartDirectory`: checked, and still what was checked. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Where real pipes may be made; without it the program's output goes to sockets. */
  readonly pipeDirectory?: string;
  /** Takes output in order of arrival. A promise holds back further reading until it resolves; it must not reject. */
  readonly onData: OnData;
}

export interface ProcessEnd {
  /** `exited`: by itself. Otherwise it was made to. */
  readonly type: "exited" | "timeout" | "aborted";
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
  /** Other processes of the group outlived the program, and were ended. */
  readonly leftovers: boolean;
}

/**
 * Runs a program to its end. When it resolves, no process of its group is left and both pipes are closed.
 * @throws the system's error when the program cannot be started, or the signal's reason when it was aborted before
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessEnd> {
  const pipes = request.pipeDirectory === undefined ? undefined : await openPipes(request.pipeDirectory);
  const startedAt = performance.now();
  const child = start(request, pipes);
  const reader = new PipeReader(streamsOf(child, pipes), request.onData);
  const exited = waitForExit(child);
  const stop = watchForStop(request);
  const endWithUs = (): void => {
    if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
  };
  // Whoever ends this process at once (a second Ctrl-C, a bug) must not leave a group of its own running.
  process.once("exit", endWithUs);
  try {
    if (child.pid === undefined) throw (await exited) ?? new Error("it did not start");
    const type = await Promise.race([exited.then(() => "exited" as const), stop.requested]);
    if (type !== "exited") await stopGroup(child.pid, exited);
    await reader.finish();
    const leftovers = await endGroup(child.pid);
    const durationMs = Math.round(performance.now() - startedAt);
    return { type, exitCode: child.exitCode, signal: child.signalCode, durationMs, leftovers };
  } finally {
    process.off("exit", endWithUs);
    stop.cancel();
    reader.close();
  }
}

function start(request: ProcessRequest, pipes: CommandPipes | undefined): ChildProcess {
  const stdio: StdioOptions = ["ignore", pipes?.writing[0] ?? "pipe", pipes?.writing[1] ?? "pipe"];
  try {
    request.signal.throwIfAborted();
    return spawn(request.file, request.args, {
      cwd: request.cwd,
      env: request.environment,
      stdio,
      detached: true,
      windowsHide: true,
    });
  } catch (error) {
    pipes?.stdout.destroy();
    pipes?.stderr.destroy();
    throw error;
  } finally {
    for (const descriptor of pipes?.writing ?? []) closeSync(descriptor);
  }
}

function streamsOf(child: ChildProcess, pipes: CommandPipes | undefined): Record<"stdout" | "stderr", Readable | null> {
  return { stdout: pipes?.stdout ?? child.stdout, stderr: pipes?.stderr ?? child.stderr };
}

/** Resolves when the program is gone; with the error if it never ran. */
async function waitForExit(child: ChildProcess): Promise<Error | undefined> {
  return new Promise((resolve) => {
    child.once("exit", () => resolve(undefined));
    child.on("error", resolve);
  });
}

function watchForStop(request: ProcessRequest): {
  readonly requested: Promise<"timeout" | "aborted">;
  readonly cancel: () => void;
} {
  const over = new AbortController();
  const requested = new Promise<"timeout" | "aborted">((resolve) => {
    const timer = setTimeout(() => resolve("timeout"), request.timeoutMs);
    over.signal.addEventListener("abort", () => clearTimeout(timer));
    request.signal.addEventListener("abort", () => resolve("aborted"), { signal: over.signal });
  });
  return { requested, cancel: () => over.abort() };
}

/** Asks the group to end, then makes it. */
async function stopGroup(leader: number, exited: Promise<unknown>): Promise<void> {
  signalGroup(leader, "SIGTERM");
  if (await endsWithin(exited, killDelayMs)) return;
  signalGroup(leader, "SIGKILL");
  await endsWithin(exited, exitAfterKillMs);
}

async function endsWithin(exited: Promise<unknown>, limitMs: number): Promise<boolean> {
  const waiting = new AbortController();
  try {
    const late = delay(limitMs, false, { signal: waiting.signal }).catch(() => false);
    return await Promise.race([exited.then(() => true), late]);
  } finally {
    waiting.abort();
  }
}
