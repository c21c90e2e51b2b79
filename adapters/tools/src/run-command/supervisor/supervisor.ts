import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { maxSupervisorRestarts } from "../limits.ts";
import { supervisorScript } from "./supervisor-script.ts";

/**
 * Sees to it that commands die with this process, even when it is killed and can do nothing itself: a small shell in a
 * session of its own holds the reading end of a pipe whose writing end only this process has (closed in every child when it
 * executes its program), and is notified of each run before it is spawned. At the pipe's end it kills what is registered.
 *
 * It is started with the first run and waits, idle, until this process ends. It holds nothing open but its pipe. Where there
 * is no /bin/sh, commands run without it.
 */
export class Supervisor {
  /** The runs there are, each with its group once it has one. */
  readonly #runs = new Map<string, number | undefined>();
  #shell: Shell | undefined;
  #restarts = 0;

  /** To be called before a run is spawned. When it returns, the run dies with this process. */
  expect(runId: string): void {
    this.#restarts = 0;
    this.#runs.set(runId, undefined);
    this.#send(`run ${runId}\n`);
  }

  started(runId: string, group: number): void {
    this.#runs.set(runId, group);
    this.#send(`run ${runId} ${group}\n`);
  }

  /** Nothing of the run is left. */
  over(runId: string): void {
    this.#runs.delete(runId);
    if (this.#shell !== undefined) this.#send(`end ${runId}\n`);
  }

  #send(line: string): void {
    if (this.#shell === undefined || sendNow(this.#shell, line)) {
      if (this.#shell === undefined) this.#start();
      return;
    }
    // It does not read, so it is of no use. It must go before its pipe ends, for it would take that for our end.
    this.#shell.child.kill("SIGKILL");
    this.#start();
  }

  #start(): void {
    const shell = startShell();
    this.#shell = shell;
    shell?.child.once("exit", () => this.#replace(shell));
    shell?.child.once("error", () => this.#forget(shell));
    shell?.pipe.on("error", () => this.#forget(shell));
    for (const [runId, group] of this.#runs) shell?.pipe.write(`run ${runId} ${group ?? ""}\n`);
  }

  /** Somebody ended it: what runs must not be without one. */
  #replace(shell: Shell): void {
    if (this.#shell !== shell) return;
    this.#shell = undefined;
    if (this.#runs.size === 0 || this.#restarts >= maxSupervisorRestarts) return;
    this.#restarts += 1;
    this.#start();
  }

  #forget(shell: Shell): void {
    if (this.#shell === shell) this.#shell = undefined;
  }
}

interface Shell {
  readonly child: ChildProcess;
  readonly pipe: Socket;
}

function startShell(): Shell | undefined {
  try {
    const child = spawn("/bin/sh", ["-c", supervisorScript, `capstan-supervisor-of-${process.pid}`], {
      cwd: "/",
      // Not the search path of commands, which a workspace may have a say in.
      env: { PATH: "/usr/bin:/bin:/usr/local/bin:/run/current-system/sw/bin" },
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    const { stdin } = child;
    if (!(stdin instanceof Socket)) return undefined;
    child.unref();
    stdin.unref();
    return { child, pipe: stdin };
  } catch {
    return undefined;
  }
}

/** Node writes what a pipe has room for on the spot. @returns whether all of it is with the system now */
function sendNow({ pipe }: Shell, line: string): boolean {
  if (pipe.destroyed) return false;
  pipe.write(line);
  return pipe.writableLength === 0;
}
