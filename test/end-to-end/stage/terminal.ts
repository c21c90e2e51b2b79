import { type IPty, spawn } from "@lydell/node-pty";
// A CommonJS module: its names are on its default export.
import headless from "@xterm/headless";
import { inject } from "vitest";
import { limited, type Place } from "./place.ts";

/** The binary on a terminal, and somebody who types. */
export interface TerminalRun {
  /** Resolves when what was written since the last match, matches. */
  shows(pattern: RegExp): Promise<void>;
  /** Resolves when what stands on the screen, or scrolled away from it, matches: lines joined by line ends. */
  screenShows(pattern: RegExp): Promise<void>;
  /** Ends the process at once. */
  kill(): void;
  /** As if on the keyboard. */
  type(text: string): void;
  resize(columns: number, rows: number): void;
  /** The terminal goes away, as when its window is closed. */
  hangUp(): void;
  /** The exit code. */
  readonly ended: Promise<number>;
  /** Every byte that was written, as text. */
  text(): string;
  /** What a user sees, from the first line that scrolled away to the last that is not empty. */
  screen(): Promise<readonly string[]>;
}

export interface TerminalOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
  /** What the terminal calls itself. */
  readonly term?: string;
  /** A shell that runs this, with the binary's command line in `$@`. */
  readonly script?: string;
}

/** Starts the bundled binary with a pseudo-terminal of its own for standard input, output and error. */
export function startOnTerminal(place: Place, args: readonly string[], options: TerminalOptions): TerminalRun {
  const { env, columns = 100, rows = 30, term = "xterm-256color", script } = options;
  const binary = [inject("capstanEntry"), ...args];
  const [file, words] =
    script === undefined ? [process.execPath, binary] : ["sh", ["-c", script, "sh", process.execPath, ...binary]];
  const pty = spawn(file, words, {
    name: term,
    cols: columns,
    rows,
    cwd: place.workspace,
    env: { PATH: process.env["PATH"] ?? "", HOME: place.folder, CAPSTAN_HOME: place.data, ...env },
  });
  return new PseudoTerminal(place, pty, { columns, rows });
}

/** Lines that scrolled away and can still be looked at. */
const scrollbackLines = 5_000;

class PseudoTerminal implements TerminalRun {
  readonly ended: Promise<number>;
  readonly #pty: IPty;
  readonly #emulator: InstanceType<typeof headless.Terminal>;
  readonly #watchers = new Set<() => void>();
  #text = "";
  #seen = 0;

  constructor(place: Place, pty: IPty, { columns, rows }: { readonly columns: number; readonly rows: number }) {
    this.#pty = pty;
    this.#emulator = new headless.Terminal({
      cols: columns,
      rows,
      scrollback: scrollbackLines,
      allowProposedApi: true,
    });
    pty.onData((piece) => {
      this.#text += piece;
      this.#emulator.write(piece);
      for (const watcher of this.#watchers) watcher();
    });
    let isOver = false;
    this.ended = new Promise((resolve) => {
      pty.onExit(({ exitCode }) => {
        isOver = true;
        resolve(exitCode);
      });
    });
    place.onClose(async () => {
      if (!isOver) pty.kill("SIGKILL");
      await this.ended;
      this.#emulator.dispose();
    });
  }

  async shows(pattern: RegExp): Promise<void> {
    await limited(
      () => `${String(pattern)} on the terminal, which shows ${JSON.stringify(this.#text.slice(this.#seen))}`,
      (resolve) => {
        const look = (): void => {
          const match = pattern.exec(this.#text.slice(this.#seen));
          if (match === null) return;
          this.#seen += match.index + match[0].length;
          this.#watchers.delete(look);
          resolve();
        };
        this.#watchers.add(look);
        look();
      },
    );
  }

  async screenShows(pattern: RegExp): Promise<void> {
    let shown = "";
    await limited(
      () => `${String(pattern)} on the screen, which is\n${shown}`,
      (resolve) => {
        const look = (): void => {
          this.#emulator.write("", () => {
            shown = this.#lines().join("\n");
            if (!pattern.test(shown)) return;
            this.#watchers.delete(look);
            resolve();
          });
        };
        this.#watchers.add(look);
        look();
      },
    );
  }

  kill(): void {
    process.kill(this.#pty.pid, "SIGKILL");
  }

  type(text: string): void {
    this.#pty.write(text);
  }

  resize(columns: number, rows: number): void {
    this.#emulator.resize(columns, rows);
    this.#pty.resize(columns, rows);
  }

  hangUp(): void {
    this.#pty.kill("SIGHUP");
  }

  text(): string {
    return this.#text;
  }

  async screen(): Promise<readonly string[]> {
    await new Promise<void>((resolve) => this.#emulator.write("", resolve));
    return this.#lines();
  }

  #lines(): readonly string[] {
    const { active } = this.#emulator.buffer;
    const lines = Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString(true) ?? "");
    return lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
  }
}
