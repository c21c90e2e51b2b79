import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { inject } from "vitest";
import { limited, type Place } from "./place.ts";

/** Whether this machine can give a program a terminal. */
export function canPlayTerminal(): boolean {
  return process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;
}

/** The binary on a terminal. */
export interface OnTerminal {
  /** Resolves when what it showed, so far, matches. */
  shows(pattern: RegExp): Promise<void>;
  /** As if on the keyboard. */
  types(text: string): void;
  /** Nobody types any more. */
  hangUp(): void;
  /** Exit code and everything it showed. */
  readonly ended: Promise<{ readonly code: number | null; readonly shown: string }>;
}

/** Starts the bundled binary with a terminal of its own for standard input, output and error. */
export function startOnTerminal(
  place: Place,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): OnTerminal {
  const command = [process.execPath, inject("capstanEntry"), ...args].map(quoted).join(" ");
  const child = spawn("script", ["-qefc", command, "/dev/null"], {
    cwd: place.workspace,
    env: { PATH: process.env["PATH"] ?? "", HOME: place.folder, CAPSTAN_HOME: place.data, TERM: "xterm", ...env },
    stdio: ["pipe", "pipe", "ignore"],
  });
  place.onClose(() => child.kill("SIGKILL"));
  child.stdin?.on("error", () => undefined);
  const screen = new Screen(child);
  return {
    shows: (pattern) => screen.shows(pattern),
    types: (text) => void child.stdin?.write(text),
    hangUp: () => void child.stdin?.end(),
    ended: new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve({ code, shown: screen.text }));
    }),
  };
}

class Screen {
  text = "";
  readonly #watchers = new Set<() => void>();

  constructor(child: ChildProcess) {
    child.stdout?.setEncoding("utf8");
    child.stdout?.on("data", (piece: string) => {
      this.text += piece;
      for (const watcher of this.#watchers) watcher();
    });
  }

  shows(pattern: RegExp): Promise<void> {
    return limited(`${String(pattern)} on the terminal, which shows ${JSON.stringify(this.text)}`, (resolve) => {
      const look = (): void => {
        if (pattern.test(this.text)) resolve();
      };
      this.#watchers.add(look);
      look();
    });
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
