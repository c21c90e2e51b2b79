import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { inject } from "vitest";
import type { Place } from "./place.ts";
import type { TerminalOptions, TerminalRun } from "./terminal.ts";

const waitLimitMs = 60_000;
const lookMs = 40;

/** What the stories need of a terminal. */
export type StoryTerminal = Pick<TerminalRun, "screenShows" | "type" | "screen"> & {
  /** As the terminal itself pastes: announced, where the program asked for it. */
  paste(text: string): void;
  /** Where the program has ended, its exit code is shown. */
  left(): Promise<void>;
};

/** Starts the bundled binary in a tmux of its own, which is the terminal that the program sees. */
export function startInTmux(
  place: Place,
  args: readonly string[],
  options: TerminalOptions,
): StoryTerminal & { readonly kill: () => void } {
  const { env, columns = 100, rows = 40 } = options;
  const socket = join(place.folder, "tmux");
  const tmux = (...words: readonly string[]): string =>
    execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...words], { encoding: "utf8", maxBuffer: 64_000_000 });
  const all = { HOME: place.folder, CAPSTAN_HOME: place.data, PATH: process.env["PATH"] ?? "", ...env };
  const script = [
    `cd ${quoted(place.workspace)}`,
    `env -i TERM="$TERM" ${Object.entries(all)
      .map(([name, value]) => `${name}=${quoted(value)}`)
      .join(" ")} ${[process.execPath, inject("capstanEntry"), ...args].map(quoted).join(" ")}`,
    'echo "ended with $?"',
    "read -r line",
  ];
  const file = join(place.folder, `tmux-${Date.now()}.sh`);
  writeFileSync(file, script.join("\n"));
  tmux("new-session", "-d", "-x", String(columns), "-y", String(rows), `sh ${quoted(file)}`);
  const end = (): void => {
    try {
      tmux("kill-server");
    } catch {
      // It has ended.
    }
  };
  place.onClose(end);
  // What is captured has lost the blank behind the sign of an empty draft.
  const screen = (): string => tmux("capture-pane", "-p", "-S", "-").replace(/\n+$/, "").replaceAll(/^›$/gm, "› ");
  const run: StoryTerminal & { readonly kill: () => void } = {
    async screenShows(pattern) {
      for (let waited = 0; waited < waitLimitMs; waited += lookMs) {
        if (pattern.test(`${screen()}\n`)) return;
        await pause(lookMs);
      }
      throw new Error(`waited too long for ${String(pattern)} in tmux, which shows\n${screen()}`);
    },
    type(text) {
      const bytes = [...Buffer.from(text)].map((byte) => byte.toString(16).padStart(2, "0"));
      tmux("send-keys", "-H", ...bytes);
    },
    paste(text) {
      const pasted = join(place.folder, "pasted");
      writeFileSync(pasted, text);
      tmux("load-buffer", pasted);
      tmux("paste-buffer", "-p");
    },
    async screen() {
      return screen().split("\n");
    },
    kill() {
      const shell = tmux("display-message", "-p", "#{pane_pid}").trim();
      process.kill(Number(execFileSync("pgrep", ["-P", shell], { encoding: "utf8" }).trim()), "SIGKILL");
    },
    async left() {
      await run.screenShows(/ended with 0\n/);
      end();
    },
  };
  return run;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
