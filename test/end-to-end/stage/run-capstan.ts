import { type ChildProcess, spawn } from "node:child_process";
import { inject } from "vitest";

/** How long a run may take before it is killed and the test fails: far above any run here, below the test's own limit. */
const runLimitMs = 60_000;

export interface StartOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Written to standard input, which then ends; without it standard input is /dev/null. */
  readonly input?: string;
  /** Standard input is a pipe that brings what is written to it, and ends when it is asked to. */
  readonly holdInput?: boolean;
}

/** A run that has ended. */
export interface Run {
  /** `null`: killed by `signal`. */
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Of stdout, the last line's end removed. */
  readonly lines: readonly string[];
}

export type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP" | "SIGKILL" | "SIGSTOP";

/** The binary as a child process. */
export interface RunningCapstan {
  readonly pid: number;
  readonly ended: Promise<Run>;
  /** Resolves when stdout, so far, matches; rejects when the process ends without. */
  stdoutMatches(pattern: Pick<RegExp, "test">): Promise<void>;
  stderrMatches(pattern: Pick<RegExp, "test">): Promise<void>;
  kill(signal: StopSignal): void;
  /** Writes to standard input that is held open. */
  write(text: string): void;
  endInput(): void;
  /** Receives what stdout brings from here on. */
  onStdout(listener: (piece: Buffer) => void): void;
  /** Goes away as the reader of stdout. */
  closeStdout(): void;
  closeStderr(): void;
}

/** Starts the bundled binary. The process is gone after the run's limit at the latest. */
export function startCapstan(args: readonly string[], options: StartOptions): RunningCapstan {
  const child = spawn(process.execPath, [inject("capstanEntry"), ...args], {
    cwd: options.cwd,
    env: options.env,
    stdio: [options.input === undefined && options.holdInput !== true ? "ignore" : "pipe", "pipe", "pipe"],
  });
  // A program that needs no input may end before it has read any.
  child.stdin?.on("error", () => undefined);
  if (options.holdInput !== true) child.stdin?.end(options.input);
  const stdout = collect(child, "stdout");
  const stderr = collect(child, "stderr");
  const ended = new Promise<Run>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`still running after ${runLimitMs} ms: ${args.join(" ")}\n${stdout.text()}\n${stderr.text()}`));
    }, runLimitMs);
    child.once("error", reject);
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      const text = stdout.text();
      const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
      resolve({ code, signal, stdout: text, stderr: stderr.text(), lines });
    });
  });
  ended.catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    ended,
    stdoutMatches: (pattern) => stdout.matches(pattern, ended),
    stderrMatches: (pattern) => stderr.matches(pattern, ended),
    kill: (signal) => void child.kill(signal),
    write: (text) => void child.stdin?.write(text),
    endInput: () => void child.stdin?.end(),
    onStdout: (listener) => void child.stdout?.on("data", listener),
    closeStdout: () => child.stdout?.destroy(),
    closeStderr: () => child.stderr?.destroy(),
  };
}

interface Collected {
  text(): string;
  matches(pattern: Pick<RegExp, "test">, ended: Promise<Run>): Promise<void>;
}

function collect(child: ChildProcess, name: "stdout" | "stderr"): Collected {
  const pieces: Buffer[] = [];
  const listeners = new Set<() => void>();
  const text = (): string => Buffer.concat(pieces).toString("utf8");
  child[name]?.on("data", (piece: Buffer) => {
    pieces.push(piece);
    for (const listener of listeners) listener();
  });
  return {
    text,
    matches: (pattern, ended) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (pattern.test(text())) resolve();
        };
        listeners.add(look);
        look();
        ended.then(
          () => reject(new Error(`${name} ended without what was waited for: ${text()}`)),
          (error: unknown) => reject(error instanceof Error ? error : new Error(String(error))),
        );
      }),
  };
}
