import { spawn } from "node:child_process";

/**
 * Waits for a line. Where the line never comes because its writer is gone, the terminal gets back what it had: the modes that the
 * sequence resets, and the settings that `stty` found. Stops and signals of the terminal's own are not for it.
 */
const script = [
  "trap '' HUP INT QUIT TERM TTOU TTIN TSTP",
  "settings=$(stty -g < /dev/tty) || exit 0",
  "echo ready",
  'read -r line && [ "$line" = bye ] && exit 0',
  `printf '%b' "$1" > /dev/tty`,
  'stty "$settings" < /dev/tty',
].join("\n");

/** A terminal that is given back whatever becomes of this process. */
export interface TerminalGuard {
  /** It is given back by this process itself: the guard ends. */
  release(): void;
}

/**
 * Starts the guard of the terminal that this process sits at; where there is no shell, there is none. Call it before raw mode is
 * entered: what it finds is what it gives back.
 * @param reset  what the terminal is sent when this process is gone: escape sequences
 * @returns when it knows the terminal's settings
 */
export async function guardTerminal(reset: string): Promise<TerminalGuard> {
  const child = spawn("/bin/sh", ["-c", script, "sh", reset.replaceAll("\u001b", String.raw`\0033`)], {
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
    release() {
      stdin.end("bye\n");
    },
  };
}

function ignore(): void {
  // The guard ended before this process did.
}
