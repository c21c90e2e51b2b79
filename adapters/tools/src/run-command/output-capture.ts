import { TextDecoder } from "node:util";
import { messageOf } from "@capstan/protocol";
import { lineCutBytes } from "./limits.ts";
import type { LiveOutput } from "./live-output.ts";
import type { SpillEnd, SpillFile } from "./spill-file.ts";
import { TailBuffer } from "./tail-buffer.ts";

/** An output as the model gets it: whole, or head and tail with a note between them. */
export interface CapturedOutput {
  readonly text: string;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  readonly truncated: boolean;
  readonly spillPath: string | null;
}

/**
 * Collects stdout and stderr in order of arrival, in memory that does not grow with the output. As soon as it no longer
 * fits, everything goes to a spill file as well.
 */
export class OutputCapture {
  readonly #live: LiveOutput;
  readonly #createSpill: () => SpillFile;
  readonly #whole: Buffer;
  readonly #tail: TailBuffer;
  readonly #headBytes: number;
  // Invalid bytes become U+FFFD; a character split over two writes is put together.
  readonly #decoders = { stdout: newDecoder(), stderr: newDecoder() };
  readonly #received = { stdout: 0, stderr: 0 };
  #total = 0;
  #spill: SpillFile | undefined;
  #spillProblem: string | undefined;

  constructor(limitBytes: number, live: LiveOutput, createSpill: () => SpillFile) {
    this.#live = live;
    this.#createSpill = createSpill;
    this.#whole = Buffer.allocUnsafe(limitBytes);
    this.#headBytes = Math.floor(limitBytes / 2);
    this.#tail = new TailBuffer(limitBytes - this.#headBytes);
  }

  /** @returns a promise when the spill file cannot follow: read no more before it resolves */
  add(stream: "stdout" | "stderr", bytes: Buffer): Promise<void> | undefined {
    this.#received[stream] += bytes.length;
    return this.#take(stream, this.#decoders[stream].decode(bytes, { stream: true }));
  }

  async finish(): Promise<CapturedOutput> {
    await this.#take("stdout", this.#decoders.stdout.decode());
    await this.#take("stderr", this.#decoders.stderr.decode());
    this.#live.flush();
    const truncated = this.#total > this.#whole.length;
    return {
      text: truncated ? await this.#shorten() : this.#whole.toString("utf8", 0, this.#total),
      stdoutBytes: this.#received.stdout,
      stderrBytes: this.#received.stderr,
      truncated,
      spillPath: this.#spill?.path ?? null,
    };
  }

  #take(stream: "stdout" | "stderr", decoded: string): Promise<void> | undefined {
    if (decoded === "") return undefined;
    // NUL is shown as its symbol: with it in the file, read_file would take the output for binary.
    const text = decoded.replaceAll("\0", "␀");
    this.#live.add(stream, text);
    const bytes = Buffer.from(text);
    const before = this.#total;
    this.#total += bytes.length;
    this.#tail.append(bytes);
    bytes.copy(this.#whole, Math.min(before, this.#whole.length));
    if (this.#total <= this.#whole.length) return undefined;
    if (before <= this.#whole.length) this.#openSpill(before);
    return this.#spill?.write(bytes);
  }

  #openSpill(before: number): void {
    try {
      this.#spill = this.#createSpill();
      void this.#spill.write(Buffer.from(this.#whole.subarray(0, before)));
    } catch (error) {
      this.#spillProblem = messageOf(error);
    }
  }

  async #shorten(): Promise<string> {
    const spill = await this.#spill?.close();
    const head = toLineEnd(this.#whole.subarray(0, this.#headBytes));
    const tail = fromLineStart(this.#tail.read());
    const left = this.#total - head.length - tail.length;
    const where = describeSpill(spill, this.#spillProblem, this.#total);
    return `${head.toString()}\n[… ${left} of ${this.#total} bytes left out here; ${where} …]\n${tail.toString()}`;
  }
}

// The byte order mark is kept: what the command wrote is what is shown.
function newDecoder(): TextDecoder {
  return new TextDecoder("utf-8", { ignoreBOM: true });
}

function describeSpill(spill: SpillEnd | undefined, problem: string | undefined, total: number): string {
  if (spill === undefined) return `they were not kept (${problem ?? "no file"})`;
  if (spill.problem !== undefined) return `only part was kept in ${spill.path} (${spill.problem})`;
  const part = spill.writtenBytes < total ? `its first ${spill.writtenBytes} bytes are` : "all of it is";
  return `${part} in ${spill.path}; read_file with a range, or search, reads it`;
}

function toLineEnd(bytes: Buffer): Buffer {
  const lineEnd = bytes.lastIndexOf(lineFeed);
  if (lineEnd >= bytes.length - lineCutBytes && lineEnd !== -1) return bytes.subarray(0, lineEnd + 1);
  let end = bytes.length;
  while (end > 0 && isInsideCharacter(bytes, end - 1)) end -= 1;
  // `end - 1` is where the last character begins; it is whole only if as many bytes follow as its first byte says.
  const begin = Math.max(0, end - 1);
  return bytes.subarray(0, begin + characterBytes(bytes[begin] ?? 0) <= bytes.length ? bytes.length : begin);
}

function fromLineStart(bytes: Buffer): Buffer {
  const lineEnd = bytes.subarray(0, lineCutBytes).indexOf(lineFeed);
  if (lineEnd !== -1) return bytes.subarray(lineEnd + 1);
  let start = 0;
  while (start < bytes.length && isInsideCharacter(bytes, start)) start += 1;
  return bytes.subarray(start);
}

function isInsideCharacter(bytes: Buffer, index: number): boolean {
  return ((bytes[index] ?? 0) & 0xc0) === 0x80;
}

function characterBytes(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

const lineFeed = 0x0a;
