import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { type IPty, spawn } from "@lydell/node-pty";
import { runTimeoutMs } from "../limits.ts";

export interface TerminalCommand {
  /** Absent: this Node. */
  readonly program?: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What a process wrote since it was last asked. */
export interface Written {
  readonly text: string;
  readonly bytes: number;
  /** Updates of the screen. */
  readonly frames: number;
  readonly fullClears: number;
}

/** CPU time is counted in hundredths of a second. */
const tickMs = 10;

/** A program at a terminal of 100 columns and 30 rows. */
export class TerminalProcess {
  readonly startedAtMs: number = performance.now();
  readonly #pty: IPty;
  readonly #ended: Promise<void>;
  #text = "";
  #taken = 0;
  #watcher: () => void = () => undefined;
  #firstFrameMs: number | null = null;
  #lastWriteAtMs = 0;
  #isOver = false;

  constructor({ program = process.execPath, args, cwd, env }: TerminalCommand) {
    const name = "xterm-256color";
    this.#pty = spawn(program, [...args], { name, cols: 100, rows: 30, cwd, env: { ...env } });
    this.#pty.onData((piece) => {
      this.#lastWriteAtMs = performance.now();
      this.#text += piece;
      if (this.#firstFrameMs === null && this.#text.includes("\u001b[?2026h"))
        this.#firstFrameMs = this.#lastWriteAtMs - this.startedAtMs;
      this.#watcher();
    });
    this.#ended = new Promise((resolve) => {
      this.#pty.onExit(() => {
        this.#isOver = true;
        this.#watcher();
        resolve();
      });
    });
  }

  /** From the start of the process. */
  get firstFrameMs(): number {
    return this.#firstFrameMs ?? Number.NaN;
  }

  get lastWriteAtMs(): number {
    return this.#lastWriteAtMs;
  }

  /** User and system time of all its threads. */
  get cpuMs(): number {
    const [user = 0, system = 0] = this.#stat().slice(11, 13).map(Number);
    return (user + system) * tickMs;
  }

  get memoryMb(): number {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.#pty.pid}/status`, "utf8"))?.[1]) / 1024;
  }

  /** Behind the name, which may hold anything. */
  #stat(): readonly string[] {
    return readFileSync(`/proc/${this.#pty.pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  }

  type(text: string): void {
    this.#pty.write(text);
  }

  resize(columns: number, rows: number): void {
    this.#pty.resize(columns, rows);
  }

  /** Resolves when what was written since the last `take` has this. @throws when it does not come in time */
  async shows(words: string): Promise<void> {
    let from = this.#taken;
    await new Promise<void>((resolve, reject) => {
      const give = (end: () => void): void => {
        clearTimeout(timer);
        this.#watcher = () => undefined;
        end();
      };
      const timer = setTimeout(() => give(() => reject(this.#lacks(words))), runTimeoutMs);
      this.#watcher = () => {
        if (this.#text.includes(words, from)) give(resolve);
        else if (this.#isOver) give(() => reject(this.#lacks(words)));
        // What was looked at is not looked at again.
        else from = Math.max(this.#taken, this.#text.length - words.length);
      };
      this.#watcher();
    });
  }

  #lacks(words: string): Error {
    return new Error(
      `the terminal never showed ${JSON.stringify(words)}; it ends in ${JSON.stringify(this.#text.slice(-300))}`,
    );
  }

  /** Resolves when nothing was written for so long. */
  async isQuiet(ms: number): Promise<void> {
    const until = performance.now() + runTimeoutMs;
    while (performance.now() - this.#lastWriteAtMs < ms && performance.now() < until) await pause(ms / 4);
  }

  take(): Written {
    const text = this.#text.slice(this.#taken);
    this.#taken = this.#text.length;
    const frames = text.split("\u001b[?2026h").length - 1;
    // oxlint-disable-next-line no-control-regex -- what is counted are control sequences
    const fullClears = (text.match(/\u001b\[[23]J/g) ?? []).length;
    return { text, bytes: Buffer.byteLength(text), frames, fullClears };
  }

  async end(): Promise<void> {
    if (!this.#isOver) this.#pty.kill("SIGKILL");
    await this.#ended;
  }

  get ended(): Promise<void> {
    return this.#ended;
  }
}
