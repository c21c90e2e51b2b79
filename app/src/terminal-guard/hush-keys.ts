import { spawn, spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import type { HushedKeys } from "@capstan/cli";

/**
 * Lets the terminal echo no keys, says what its settings were, and waits for a line. Where the line never comes because its writer is
 * gone, the terminal gets its settings back. Stops and signals of the terminal's own are not for it.
 */
const script = [
  "trap '' HUP INT QUIT TERM TTOU TTIN TSTP",
  "settings=$(stty -g < /dev/tty) || exit 0",
  "stty -echo < /dev/tty",
  'echo "$settings"',
  'read -r line && [ "$line" = bye ] && exit 0',
  'stty "$settings" < /dev/tty',
].join("\n");

/**
 * Nothing is read: what is typed stays with the terminal, for the shell or for whoever asks next, and its signals come as ever. A process
 * that read keys would, in the background, be stopped by the system with the first key that is meant for the shell.
 */
export function hushKeys(): HushedKeys {
  return new Hushed();
}

class Hushed implements HushedKeys {
  #guard: { readonly settings: Promise<string>; end(words: string): void } | undefined;
  /** Once they are known. */
  #settings = "";
  readonly #onStop = (): void => void this.#stop();
  readonly #onContinued = (): void => void this.begin();
  readonly #onExit = (): void => this.#restore();

  async begin(): Promise<void> {
    // Another program has the terminal now, and its settings are not ours to change.
    if (this.#guard !== undefined || !hasTerminal()) return;
    this.#settings = "";
    this.#guard = startGuard();
    process.on("SIGTSTP", this.#onStop);
    process.on("exit", this.#onExit);
    this.#settings = await this.#guard.settings;
  }

  async end(): Promise<void> {
    const guard = this.#guard;
    if (guard === undefined) return;
    await guard.settings;
    // It was ended by another caller meanwhile.
    if (this.#guard !== guard) return;
    this.#restore();
    process.off("SIGTSTP", this.#onStop);
    process.off("exit", this.#onExit);
  }

  /** Whoever gets the terminal while this process is stopped finds it as it was. */
  async #stop(): Promise<void> {
    await this.end();
    process.once("SIGCONT", this.#onContinued);
    process.kill(process.pid, "SIGSTOP");
  }

  #restore(): void {
    const guard = this.#guard;
    this.#guard = undefined;
    if (guard === undefined) return;
    const isOurs = hasTerminal();
    if (isOurs && this.#settings !== "") setTerminal(this.#settings);
    // Where they are not known yet, the guard knows them.
    guard.end(isOurs && this.#settings === "" ? "" : "bye\n");
  }
}

function startGuard(): { readonly settings: Promise<string>; end(words: string): void } {
  const child = spawn("/bin/sh", ["-c", script], { stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.on("error", ignore);
  const settings = new Promise<string>((resolve) => {
    child.stdout.once("data", (text: Buffer) => resolve(text.toString("latin1").trim()));
    child.once("error", () => resolve(""));
    child.once("exit", () => resolve(""));
  }).then((text) => {
    child.stdout.destroy();
    return text;
  });
  child.unref();
  return { settings, end: (words) => void child.stdin.end(words) };
}

function setTerminal(settings: string): void {
  try {
    const terminal = openSync("/dev/tty", "r");
    spawnSync("stty", [settings], { stdio: [terminal, "ignore", "ignore"] });
    closeSync(terminal);
  } catch {
    // It is gone.
  }
}

/** Whether this process's group is the one that the terminal listens to; where the system does not say, no. */
function hasTerminal(): boolean {
  try {
    const stat = readFileSync("/proc/self/stat", "latin1");
    const [, , group, , , owner] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return group === owner;
  } catch {
    return false;
  }
}

function ignore(): void {
  // The guard ended before this process did.
}
