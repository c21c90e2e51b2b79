import { closeSync, constants, openSync, unlinkSync, writeSync } from "node:fs";
import type { RunStatus } from "./run-status.ts";

/**
 * How far one run has come: a line for each step, the last whole one counts. Written on the spot, since what is reported must be
 * with the system before the next thing happens; not flushed, for what takes unflushed files ends the processes as well.
 */
export class StatusFile {
  readonly #path: string;
  readonly #descriptor: number;

  /** Makes the file. @throws the system's error; also when there is one */
  constructor(path: string) {
    this.#path = path;
    this.#descriptor = openSync(path, newFile, 0o600);
  }

  /** @throws the system's error */
  append(status: RunStatus): void {
    writeSync(this.#descriptor, `${JSON.stringify(status)}\n`);
  }

  /** Nothing was started after all. */
  remove(): void {
    try {
      unlinkSync(this.#path);
    } catch {
      // It then says that something was perhaps started, which is the careful side.
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

const newFile = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
