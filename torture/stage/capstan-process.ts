import { spawn } from "node:child_process";
import { runLimitMs } from "../limits.ts";

export interface CapstanStart {
  /** The bundled binary's entry, or a program in front of it with its arguments. */
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Called with each whole line of standard output as it comes, counted from 1. */
  readonly onLine?: (count: number) => void;
}

/** A run of the binary that has ended. */
export interface CapstanEnd {
  /** `null`: killed. */
  readonly code: number | null;
  /** Whole lines only: a line that a kill cut in two was shown to nobody. */
  readonly lines: readonly string[];
  readonly stderr: string;
  readonly durationMs: number;
  /** It did not end by itself within the limit. */
  readonly hung: boolean;
}

/** The binary in a process group of its own. */
export interface CapstanProcess {
  readonly ended: Promise<CapstanEnd>;
  /** SIGKILL, to the process alone or to its whole group. */
  kill(whom: "process" | "group"): void;
}

export function startCapstan(start: CapstanStart): CapstanProcess {
  const [program = process.execPath, ...before] = start.command;
  const child = spawn(program, [...before, ...start.args], {
    cwd: start.cwd,
    env: start.env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const startedMs = performance.now();
  const lines = new LineReader(start.onLine);
  const errors: Buffer[] = [];
  child.stdout.on("data", (piece: Buffer) => lines.add(piece));
  child.stderr.on("data", (piece: Buffer) => errors.push(piece));
  const kill: CapstanProcess["kill"] = (whom) => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    try {
      process.kill(whom === "group" ? -child.pid : child.pid, "SIGKILL");
    } catch {
      // Gone in this moment.
    }
  };
  const ended = new Promise<CapstanEnd>((resolve, reject) => {
    let hung = false;
    const timer = setTimeout(() => {
      hung = true;
      kill("group");
    }, runLimitMs);
    child.once("error", reject);
    let isOver = false;
    const finish = (): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      const durationMs = performance.now() - startedMs;
      const stderr = Buffer.concat(errors).toString("utf8");
      resolve({ code: child.exitCode, lines: lines.lines, stderr, durationMs, hung });
    };
    child.once("close", finish);
    // What a killed process left running may hold its pipes open.
    child.once("exit", () => setTimeout(finish, drainMs));
  });
  return { ended, kill };
}

/** What lies in the pipe of a dead process is read within this time. */
const drainMs = 300;

class LineReader {
  readonly lines: string[] = [];
  readonly #onLine: ((count: number) => void) | undefined;
  #rest = Buffer.alloc(0);

  constructor(onLine: ((count: number) => void) | undefined) {
    this.#onLine = onLine;
  }

  add(piece: Buffer): void {
    let bytes = Buffer.concat([this.#rest, piece]);
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10)) {
      this.lines.push(bytes.subarray(0, end).toString("utf8"));
      bytes = bytes.subarray(end + 1);
      this.#onLine?.(this.lines.length);
    }
    this.#rest = bytes;
  }
}
