import { spawn } from "node:child_process";

/**
 * Waits for the line `bye`. Where it never comes because its writer is gone, the terminal gets back what it had: the modes that the
 * sequences reset, and the settings that `stty` found. Other lines say which screen is shown. Stops and signals of the terminal's own are
 * not for it.
 */
const script = [
  "trap '' HUP INT QUIT TERM TTOU TTIN TSTP",
  "settings=$(stty -g < /dev/tty) || exit 0",
  "echo ready",
  'while read -r line; do [ "$line" = bye ] && exit 0; screen=$line; done',
  `[ "$screen" = alternate ] || set -- "$1" ''`,
  `printf '%b' "$1$2" > /dev/tty`,
  'stty "$settings" < /dev/tty',
].join("\n");

/** A terminal that is given back whatever becomes of this process. */
export interface TerminalGuard {
  /** The screen that this process writes on from now on; from the start it is the normal one. */
  shows(screen: "normal" | "alternate"): void;
  /** It is given back by this process itself: the guard ends. */
  release(): void;
}

/** What a terminal is sent when its process is gone: escape sequences. A shell may have written its prompt by then: none erases. */
export interface Resets {
  readonly always: string;
  /** Behind that, where the alternate screen was shown. */
  readonly alternate: string;
}

/** For a process that changes nothing but the settings. */
export const nothingSent: Resets = { always: "", alternate: "" };

/**
 * Starts the guard of the terminal that this process sits at; where there is no shell, there is none. Call it before raw mode is
 * entered: what it finds is what it gives back.
 * @returns when it knows the terminal's settings
 */
export async function guardTerminal({ always, alternate }: Resets): Promise<TerminalGuard> {
  const sequences = [always, alternate].map((reset) => reset.replaceAll("\u001b", String.raw`\0033`));
  const child = spawn("/bin/sh", ["-c", script, "sh", ...sequences], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const { stdin, stdout } = child;
  // Its end is no matter of ours, and it must not keep this process.
  stdin.on("error", ignore);
  const ready = new Promise<void>((resolve) => {
    stdout.once("data", () => resolve());
    child.once("error", () => resolve());
    child.once("exit", () => resolve());
  });
  await ready;
  child.unref();
  stdout.destroy();
  return {
    shows(screen) {
      stdin.write(`${screen}\n`);
    },
    release() {
      stdin.end("bye\n");
    },
  };
}

function ignore(): void {
  // The guard ended before this process did.
}
