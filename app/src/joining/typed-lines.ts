import { createInterface, type Interface } from "node:readline";
import type { ReadStream, WriteStream } from "node:tty";
import type { Output, Streams, TypedLines } from "@capstan/cli";
import { guardTerminal } from "../terminal-guard/guard-terminal.ts";

/** Lines of somebody at a terminal that other things are printed on meanwhile. */
export interface TerminalLines extends TypedLines {
  /** What is printed here stands above what is being typed. */
  readonly streams: Streams;
  close(): void;
}

/** Keys come one by one: should this process be killed, the terminal gets its settings back. */
export async function typedLines(input: ReadStream, output: WriteStream, streams: Streams): Promise<TerminalLines> {
  const guard = await guardTerminal("");
  const lines = createInterface({ input, output, terminal: true, historySize: 0, prompt: "" });
  // The terminal is in raw mode and sends no signal of its own.
  lines.on("SIGINT", () => {
    process.kill(process.pid, "SIGINT");
  });
  return {
    [Symbol.asyncIterator]: () => lines[Symbol.asyncIterator](),
    isEmpty: () => lines.line === "",
    onKey(before, after) {
      input.prependListener("keypress", before);
      input.on("keypress", after);
    },
    streams: {
      ...streams,
      result: above(streams.result, lines, output),
      progress: above(streams.progress, lines, output),
    },
    close() {
      lines.close();
      guard.release();
    },
  };
}

function above(target: Output, lines: Interface, output: WriteStream): Output {
  return {
    isTerminal: target.isTerminal,
    get columns() {
      return target.columns;
    },
    get rows() {
      return target.rows;
    },
    ...(target.asSent === undefined ? {} : { asSent: target.asSent }),
    write(text) {
      if (lines.line === "") return target.write(text);
      const { rows } = lines.getCursorPos();
      output.write(`\r${rows > 0 ? `\u001b[${rows}A` : ""}\u001b[J`);
      target.write(text);
      lines.prompt(true);
    },
  };
}
