import { type ChildProcess, spawn, type StdioOptions } from "node:child_process";
import { closeSync } from "node:fs";
import type { Readable } from "node:stream";
import { type CommandPipes, openPipes } from "./open-pipes.ts";
import { type OnData, PipeReader } from "./pipe-reader.ts";
import { killProcesses, stopProcesses } from "./processes/end-processes.ts";
import { readProcessStat } from "./processes/process-stat.ts";
import { signalGroup } from "./processes/signal-processes.ts";
import type { RunEnd } from "./runs/run-status.ts";
import { TimeAllowance } from "./time-allowance.ts";

/** A program to run in a process group of its own. */
export interface ProcessRequest {
  readonly file: string;
  readonly args: readonly string[];
  /** From `StartDirectory`: checked, and still what was checked. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What it reads from its standard input; absent: it has none. */
  readonly input?: string;
  /** Open descriptors that it gets as 3, 4, …; without them none. */
  readonly descriptors?: readonly number[];
  /** The program only carries others, which end it, and end with it: it is not asked to end, but made to. */
  readonly isCarrier?: boolean;
  readonly timeoutMs: number;
  /** What counts that time; without it, the clock alone does. */
  readonly allowance?: TimeAllowance;
  readonly signal: AbortSignal;
  /** Where real pipes may be made; without it the program's output goes to sockets. */
  readonly pipeDirectory?: string;
  /** Takes output in order of arrival. A promise holds back further reading until it resolves; it must not reject. */
  readonly onData: OnData;
  /** Whose environment's mark is looked for when the group has ended; without it the group is all that is ended. */
  readonly run?: ObservedRun;
}

/** Receives how a program fares, on the spot, before anything else happens. */
export interface ObservedRun {
  /** The mark that all its processes carry. */
  readonly id: string;
  /** What it throws keeps the program from being started. */
  beforeStart(): void;
  notStarted(): void;
  /** @param startTicks  `undefined`: not known here */
  started(pid: number, startTicks: number | undefined): void;
  exited(end: RunEnd): void;
  /** Nothing of it is left, or it was never there. */
  over(): void;
}

export interface ProcessEnd extends RunEnd {
  /** Other processes it had started outlived the program, and were ended. */
  readonly leftovers: boolean;
}

/**
 * Runs a program to its end. When it resolves, no process of its group or with its mark is left and both pipes are closed.
 * @throws the system's error when the program cannot be started, or the signal's reason when it was aborted before
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessEnd> {
  const pipes = request.pipeDirectory === undefined ? undefined : await openPipes(request.pipeDirectory);
  try {
    const startedAt = performance.now();
    return await follow(start(request, pipes), request, pipes, startedAt);
  } finally {
    request.run?.over();
  }
}

async function follow(
  child: ChildProcess,
  request: ProcessRequest,
  pipes: CommandPipes | undefined,
  startedAt: number,
): Promise<ProcessEnd> {
  const { run } = request;
  const stop = watchForStop(request);
  const end = (): RunEnd => ({
    cause: stop.cause(),
    exitCode: child.exitCode,
    signal: child.signalCode,
    durationMs: Math.round(performance.now() - startedAt),
  });
  const exited = waitForExit(child, () => {
    stop.cancel();
    run?.exited(end());
  });
  const reader = new PipeReader(streamsOf(child, pipes), request.onData);
  const endWithUs = (): void => {
    if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
  };
  // Whoever ends this process at once (a second Ctrl-C, a bug) must not leave a group of its own running.
  process.once("exit", endWithUs);
  try {
    if (child.pid === undefined) throw (await exited) ?? new Error("it did not start");
    const startTicks = readProcessStat(child.pid)?.startTicks;
    run?.started(child.pid, startTicks);
    const first = { pid: child.pid, startTicks: startTicks ?? 0, startedAtMs: startedAt };
    const traits = { group: child.pid, runId: run?.id, first, leaderIsCarrier: request.isCarrier === true };
    if ((await Promise.race([exited, stop.requested])) === "stop") await stopProcesses(traits, exited);
    await reader.finish();
    // What a carrier carries ends with it; who made it waits for that.
    const found = request.isCarrier === true ? false : (await killProcesses(traits)).found;
    return { ...end(), leftovers: found };
  } finally {
    process.off("exit", endWithUs);
    stop.cancel();
    reader.close();
  }
}

function start(request: ProcessRequest, pipes: CommandPipes | undefined): ChildProcess {
  try {
    request.signal.throwIfAborted();
    request.run?.beforeStart();
    const child = spawn(request.file, request.args, {
      cwd: request.cwd,
      env: request.environment,
      stdio: stdioOf(request, pipes),
      detached: true,
      windowsHide: true,
    });
    if (child.pid === undefined) request.run?.notStarted();
    // A program need not read what it is given.
    child.stdin?.on("error", () => undefined).end(request.input);
    return child;
  } catch (error) {
    request.run?.notStarted();
    pipes?.stdout.destroy();
    pipes?.stderr.destroy();
    throw error;
  } finally {
    for (const descriptor of pipes?.writing ?? []) closeSync(descriptor);
  }
}

function stdioOf({ descriptors = [], input }: ProcessRequest, pipes: CommandPipes | undefined): StdioOptions {
  const [out = "pipe", err = "pipe"] = pipes?.writing ?? [];
  return [input === undefined ? "ignore" : "pipe", out, err, ...descriptors];
}

function streamsOf(child: ChildProcess, pipes: CommandPipes | undefined): Record<"stdout" | "stderr", Readable | null> {
  return { stdout: pipes?.stdout ?? child.stdout, stderr: pipes?.stderr ?? child.stderr };
}

/** Resolves when the program is gone; with the error if it never ran. */
async function waitForExit(child: ChildProcess, onExit: () => void): Promise<Error | undefined> {
  return new Promise((resolve) => {
    child.once("exit", () => {
      onExit();
      resolve(undefined);
    });
    child.on("error", resolve);
  });
}

interface StopWatch {
  /** Resolves when the program must be made to end. */
  readonly requested: Promise<"stop">;
  /** Why; `exited` as long as nobody asked. */
  readonly cause: () => RunEnd["cause"];
  /** From now on nothing is a reason any more. */
  readonly cancel: () => void;
}

function watchForStop({ signal, timeoutMs, allowance = new TimeAllowance(timeoutMs) }: ProcessRequest): StopWatch {
  const over = new AbortController();
  let cause: RunEnd["cause"] = "exited";
  const requested = new Promise<"stop">((resolve) => {
    const stopFor = (reason: RunEnd["cause"]): void => {
      if (cause === "exited") cause = reason;
      resolve("stop");
    };
    allowance.start(() => stopFor("timeout"));
    over.signal.addEventListener("abort", () => allowance.stop());
    signal.addEventListener("abort", () => stopFor("aborted"), { signal: over.signal });
  });
  return { requested, cause: () => cause, cancel: () => over.abort() };
}
