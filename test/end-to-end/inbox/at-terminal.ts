import { type ChildProcess, spawn } from "node:child_process";
import { inject } from "vitest";
import { limited } from "../stage/place.ts";
import type { InboxPlace } from "./use-inbox.ts";

/** Capstan at a pseudo-terminal, and somebody who types. */
export interface TerminalRun {
  /** Resolves when what was shown since the last call matches. */
  shows(pattern: RegExp): Promise<void>;
  type(text: string): void;
  /** The exit code. */
  readonly ended: Promise<number | null>;
  /** Everything shown. */
  readonly text: () => string;
}

/** Runs a command line as `script` does: with a terminal of its own on all three streams. */
export function atTerminal(
  { place }: InboxPlace,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): TerminalRun {
  const command = [process.execPath, inject("capstanEntry"), ...args].map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["-qefc", `exec ${command}`, "/dev/null"], {
    cwd: place.workspace,
    env: { PATH: process.env["PATH"] ?? "", HOME: place.folder, CAPSTAN_HOME: place.data, TERM: "xterm", ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  place.onClose(() => void child.kill("SIGKILL"));
  return follow(child);
}

function follow(child: ChildProcess): TerminalRun {
  let text = "";
  let seen = 0;
  const listeners = new Set<() => void>();
  child.stdout?.on("data", (piece: Buffer) => {
    text += piece.toString("utf8");
    for (const listener of listeners) listener();
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once("close", resolve);
  });
  return {
    shows: (pattern) =>
      limited(`${String(pattern)} on the terminal`, (resolve) => {
        const look = (): void => {
          const found = pattern.exec(text.slice(seen));
          if (found === null) return;
          seen += found.index + found[0].length;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        look();
      }),
    type: (typed) => void child.stdin?.write(typed),
    ended,
    text: () => text,
  };
}
