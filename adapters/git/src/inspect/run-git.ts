import { spawn } from "node:child_process";
import type { GitAnswer, GitRequest } from "@capstan/ports";
import { killGraceMs } from "../limits.ts";

/** A git that is to be started. */
export interface GitRun extends GitRequest {
  readonly environment: Readonly<Record<string, string>>;
}

/** Starts git, and takes so much of what it writes. @throws the signal's reason; the system's error where there is none */
export function runGit(run: GitRun, signal: AbortSignal): Promise<GitAnswer> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = spawn("git", run.args, {
      cwd: run.cwd,
      env: run.environment,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const stdout = new BoundedText(run.maxStdoutBytes);
    const stderr = new BoundedText(run.maxStderrBytes);
    let isTimedOut = false;
    const end = (name: NodeJS.Signals): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, name);
      } catch {
        // It is gone.
      }
    };
    let last: NodeJS.Timeout | undefined;
    // Asked first: a git that is asked takes its lock away.
    const stop = (): void => {
      end("SIGTERM");
      last ??= setTimeout(() => end("SIGKILL"), killGraceMs);
    };
    const timer = setTimeout(() => {
      isTimedOut = true;
      stop();
    }, run.timeoutMs);
    signal.addEventListener("abort", stop, { once: true });
    const over = (): void => {
      clearTimeout(timer);
      clearTimeout(last);
      signal.removeEventListener("abort", stop);
    };
    child.stdout.on("data", (bytes: Buffer) => stdout.add(bytes));
    child.stderr.on("data", (bytes: Buffer) => stderr.add(bytes));
    child.once("error", (error) => {
      over();
      reject(error);
    });
    child.once("close", (exitCode) => {
      over();
      if (signal.aborted) reject(signal.reason);
      else
        resolve({
          exitCode,
          isTimedOut,
          stdout: stdout.text,
          stderr: stderr.text,
          isStdoutCut: stdout.isCut,
          isStderrCut: stderr.isCut,
        });
    });
  });
}

/** The beginning of what is written; the rest is read, and dropped. */
class BoundedText {
  readonly #chunks: Buffer[] = [];
  readonly #limitBytes: number;
  #bytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  add(bytes: Buffer): void {
    const room = this.#limitBytes - this.#bytes;
    this.#bytes += bytes.length;
    if (room > 0) this.#chunks.push(bytes.subarray(0, room));
  }

  get isCut(): boolean {
    return this.#bytes > this.#limitBytes;
  }

  get text(): string {
    const text = Buffer.concat(this.#chunks).toString("utf8");
    return this.isCut ? text.replace(/\ufffd+$/, "") : text;
  }
}
