import { once } from "node:events";
import { randomBytes } from "node:crypto";
import { constants, createWriteStream, mkdirSync, openSync, type WriteStream } from "node:fs";
import { join } from "node:path";
import { messageOf } from "@capstan/protocol";
import { errorCode } from "../paths/error-code.ts";
import { RedactedLines } from "./redacted-lines.ts";
import { spillBytes, spillNameLength, spillNameTries } from "./limits.ts";

/** How much of an output went into its file, and why not all of it. */
export interface SpillEnd {
  readonly path: string;
  readonly writtenBytes: number;
  readonly problem: string | undefined;
}

/** A file that takes the whole of a long output, up to `spillBytes`. Only its owner may read it. */
export class SpillFile {
  readonly path: string;
  readonly #stream: WriteStream;
  readonly #lines: RedactedLines;
  #drained: Promise<void> | undefined;
  #accepted = 0;
  #problem: string | undefined;

  private constructor(path: string, descriptor: number, lines: RedactedLines) {
    this.path = path;
    this.#lines = lines;
    this.#stream = createWriteStream("", { fd: descriptor });
    this.#stream.on("error", (error) => {
      this.#problem = messageOf(error);
    });
  }

  /** @throws the system's error when no file can be made. */
  static create(directory: string, callId: string, redact: (text: string) => string = unchanged): SpillFile {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const name = safeName(callId);
    for (let attempt = 1; ; attempt += 1) {
      const suffix = attempt === 1 ? "" : `-${randomBytes(6).toString("hex")}`;
      const path = join(directory, `${name}${suffix}.log`);
      try {
        return new SpillFile(path, openSync(path, newFile, 0o600), new RedactedLines(redact));
      } catch (error) {
        if (errorCode(error) !== "EEXIST" || attempt === spillNameTries) throw error;
      }
    }
  }

  /** @returns a promise when the disk is slower than the command: take no more before it resolves */
  write(bytes: Buffer): Promise<void> | undefined {
    const room = spillBytes - this.#accepted;
    if (this.#problem !== undefined || room <= 0) return undefined;
    const taken = bytes.subarray(0, room);
    this.#accepted += taken.length;
    const clean = this.#lines.push(taken);
    if (clean.length === 0 || this.#stream.write(clean)) return undefined;
    this.#drained ??= this.#untilDrained();
    return this.#drained;
  }

  async #untilDrained(): Promise<void> {
    // A file that failed is closed, and never drains.
    await once(this.#stream, "drain").catch(() => undefined);
    this.#drained = undefined;
  }

  async close(): Promise<SpillEnd> {
    const rest = this.#lines.end();
    if (rest.length > 0 && this.#problem === undefined) this.#stream.write(rest);
    await new Promise<void>((resolve) => {
      if (this.#stream.closed) resolve();
      else this.#stream.once("close", resolve).end();
    });
    return { path: this.path, writtenBytes: this.#stream.bytesWritten, problem: this.#problem };
  }
}

function unchanged(text: string): string {
  return text;
}

const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Call ids come from models: nothing of them may lead out of the directory. */
function safeName(callId: string): string {
  const name = callId.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, spillNameLength);
  return name === "" ? "call" : name;
}
