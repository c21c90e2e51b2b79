import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { messageOf } from "@capstan/protocol";
import { RedactedLines } from "../run-command/redacted-lines.ts";
import { logBytes } from "./limits.ts";

/** A part of an output. `skipped`: bytes before it that are not in it. */
export interface LogPart {
  readonly text: string;
  readonly skipped: number;
  /** Where the next part begins. */
  readonly next: number;
}

/** The output of a background command, in a file that never exceeds `logBytes`: it starts over, and what was dropped is counted. */
export class OutputLog {
  readonly path: string;
  readonly #descriptor: number;
  readonly #lines: RedactedLines;
  #dropped = 0;
  #size = 0;
  #problem: string | undefined;

  /** @throws the system's error */
  constructor(path: string, redact: (text: string) => string) {
    this.path = path;
    this.#descriptor = openSync(path, newFile, 0o600);
    this.#lines = new RedactedLines(redact);
  }

  /** Why not all of it was kept. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Where the output ends now. */
  get end(): number {
    return this.#dropped + this.#size;
  }

  add(bytes: Buffer): void {
    this.#write(this.#lines.push(bytes));
  }

  /** What follows on a place, at most so many bytes: the latest. */
  read(from: number, limitBytes: number): LogPart {
    const start = Math.max(from, this.#dropped);
    const part = readPart(this.path, start - this.#dropped, limitBytes);
    return { text: part.text, skipped: start - from + part.skipped, next: this.#dropped + part.next };
  }

  close(): void {
    this.#write(this.#lines.end());
    closeSync(this.#descriptor);
  }

  #write(bytes: Buffer): void {
    // A command that runs for hours must not fill the disk, nor fail because it is full.
    for (let at = 0; at < bytes.length;) {
      if (this.#size >= logBytes) this.#startOver();
      const end = Math.min(bytes.length, at + logBytes - this.#size);
      try {
        const written = writeSync(this.#descriptor, bytes, at, end - at);
        this.#size += written;
        at += written;
      } catch (error) {
        this.#problem = messageOf(error);
        return;
      }
    }
  }

  #startOver(): void {
    ftruncateSync(this.#descriptor, 0);
    this.#dropped += this.#size;
    this.#size = 0;
  }
}

/** What the file of an output holds from a place on, at most so many bytes: the latest. A file that is gone holds nothing. */
export function readPart(path: string, from: number, limitBytes: number): LogPart {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    const { size } = fstatSync(descriptor);
    const start = Math.max(from, size - limitBytes);
    const buffer = Buffer.alloc(Math.max(0, size - start));
    const read = readSync(descriptor, buffer, 0, buffer.length, start);
    const text = buffer.toString("utf8", 0, read).replaceAll("\0", "␀");
    return { text, skipped: Math.max(0, start - from), next: start + read };
  } catch {
    return { text: "", skipped: 0, next: from };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_APPEND | constants.O_NOFOLLOW;
