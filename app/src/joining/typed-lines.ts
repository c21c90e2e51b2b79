import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";
import type { ReadStream, WriteStream } from "node:tty";
import type { Output, Streams, TypedKeys } from "@capstan/cli";
import { continuesAfterStop } from "../asking/stopped-terminal.ts";
import { guardTerminal, nothingSent } from "../terminal-guard/guard-terminal.ts";

/** Lines of somebody at a terminal on which other things are printed meanwhile. */
export interface TerminalLines {
  /** One by one, as they are sent with Enter. */
  readonly lines: AsyncIterable<string>;
  readonly keys: TypedKeys;
  /** What is printed here stands above what is being typed. */
  readonly streams: Streams;
  close(): void;
}

export interface TypingOptions {
  /** Whether keys make lines; else only those that stop the process count, and none is shown. */
  readonly canWrite: boolean;
  /** The user ended the input, with Ctrl-D or by closing the terminal. */
  readonly onEnd: () => void;
}

/** Keys come one by one from here on: should this process be killed, the terminal gets its settings back. */
export async function typedLines(
  [input, output]: readonly [ReadStream, WriteStream],
  streams: Streams,
  { canWrite, onEnd }: TypingOptions,
): Promise<TerminalLines> {
  const guard = await guardTerminal(nothingSent);
  const shown = canWrite ? output : nowhere();
  const lines = createInterface({ input, output: shown, terminal: true, historySize: 0, prompt: "" });
  // Keys that came before were shown by the terminal, and are shown again when they are read.
  output.write("\r\u001b[J");
  // The terminal is in raw mode and sends no signal of its own.
  lines.on("SIGINT", () => {
    process.kill(process.pid, "SIGINT");
  });
  continuesAfterStop(lines);
  lines.on("close", onEnd);
  const typed = new TypedLine(lines, output, canWrite);
  return {
    lines: { [Symbol.asyncIterator]: () => lines[Symbol.asyncIterator]() },
    keys: {
      isEmpty: () => typed.isEmpty(),
      onKey(before, after) {
        if (!canWrite) return;
        input.prependListener("keypress", before);
        input.on("keypress", () => {
          typed.wasChanged();
          after();
        });
      },
    },
    streams: { ...streams, result: typed.below(streams.result), progress: typed.below(streams.progress) },
    close() {
      lines.off("close", onEnd);
      lines.close();
      guard.release();
    },
  };
}

/** What stands on the terminal of a line that is not sent yet. */
class TypedLine {
  readonly #lines: Interface;
  readonly #output: WriteStream;
  readonly #isShown: boolean;
  #isClosed = false;

  constructor(lines: Interface, output: WriteStream, isShown: boolean) {
    this.#lines = lines;
    this.#output = output;
    this.#isShown = isShown;
    lines.once("close", () => {
      this.#isClosed = true;
    });
  }

  isEmpty(): boolean {
    return !this.#isShown || this.#isClosed || this.#lines.line === "";
  }

  /** Pasted words are written past readline's count of their rows. */
  wasChanged(): void {
    this.#countRows(this.#lines.getCursorPos().rows);
  }

  /** @returns an output above whose end the line always stands */
  below(target: Output): Output {
    return {
      isTerminal: target.isTerminal,
      get columns() {
        return target.columns;
      },
      get rows() {
        return target.rows;
      },
      ...(target.asSent === undefined ? {} : { asSent: target.asSent }),
      write: (text) => {
        if (this.isEmpty()) return target.write(text);
        const { rows } = this.#lines.getCursorPos();
        this.#output.write(`\r${rows > 0 ? `\u001b[${rows}A` : ""}\u001b[J`);
        target.write(text);
        this.#countRows(0);
        this.#lines.prompt(true);
      },
    };
  }

  /** How many rows above the cursor the line begins: where readline goes before it writes the line again. */
  #countRows(prevRows: number): void {
    Object.assign(this.#lines, { prevRows });
  }
}

function nowhere(): Writable {
  return new Writable({
    write(_piece, _encoding, done) {
      done();
    },
  });
}
