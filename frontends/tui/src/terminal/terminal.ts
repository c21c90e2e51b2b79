import { closeSync } from "node:fs";
import type { ReadStream, WriteStream } from "node:tty";
import type { Size } from "./frame.ts";

/** A terminal that somebody sits at. */
export interface Terminal {
  readonly size: Size;
  write(bytes: string): void;
  /** Everything that was written has left the process. */
  flushed(): Promise<void>;
  /** Modes on: keys come one by one, pastes and focus are announced. */
  enter(): void;
  /** All of it as it was found. */
  leave(): void;
  fullScreen(on: boolean): void;
  /** What is typed, decoded; the terminal's new size; that its other end is gone. */
  listen(listeners: TerminalListeners): () => void;
}

export interface TerminalListeners {
  readonly text: (text: string) => void;
  readonly resized: () => void;
  readonly closed: () => void;
}

const paste = "2004";
const focus = "1004";
const mouse = "1000;1006";
const alternate = "1049";

/** What gives a terminal back for the ends that do not pass through `leave`. */
export const resetSequences: { readonly always: string; readonly alternate: string } = {
  always: [
    "\u001b[?2026l",
    "\u001b[<u\u001b[=0u",
    "\u001b[?1006l\u001b[?1000l\u001b[?1003l\u001b[?1004l\u001b[?2004l",
    "\u001b[0m\u001b[?25h",
  ].join(""),
  // On the normal screen it would put the cursor where it stood when another screen was shown last: tmux remembers that.
  alternate: `\u001b[?${alternate}l`,
};

/**
 * The terminal that this process was started at.
 * @param shows  is informed which screen is written on
 */
export function openTerminal(
  input: ReadStream,
  output: WriteStream,
  shows: (screen: "normal" | "alternate") => void,
): Terminal {
  return new ProcessTerminal(input, output, shows);
}

const standardStreams = [0, 1, 2];

/** The last thing that a process does: nothing else may get their numbers. */
function closeStandardStreams(): void {
  for (const stream of standardStreams) closeSync(stream);
}

const fallback: Size = { columns: 80, rows: 24 };

class ProcessTerminal implements Terminal {
  readonly #input: ReadStream;
  readonly #output: WriteStream;
  readonly #shows: (screen: "normal" | "alternate") => void;
  #isFull = false;
  #isEntered = false;

  constructor(input: ReadStream, output: WriteStream, shows: (screen: "normal" | "alternate") => void) {
    this.#input = input;
    this.#output = output;
    this.#shows = shows;
  }

  /** As it is now: the signal that says so may come later than a frame. */
  get size(): Size {
    if (this.#output.destroyed) return fallback;
    const [columns, rows] = this.#output.getWindowSize();
    return { columns: columns > 0 ? columns : fallback.columns, rows: rows > 0 ? rows : fallback.rows };
  }

  write(bytes: string): void {
    if (bytes !== "" && this.#output.writable) this.#output.write(bytes);
  }

  flushed(): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#output.writable) resolve();
      else this.#output.write("", () => resolve());
    });
  }

  enter(): void {
    this.#isEntered = true;
    if (this.#isFull) this.#shows("alternate");
    this.#input.setRawMode(true);
    this.#input.resume();
    this.write(`${this.#isFull ? `\u001b[?${alternate}h` : ""}\u001b[?${paste}h\u001b[?${focus}h\u001b[>1u`);
    if (this.#isFull) this.write(`\u001b[?${mouse}h`);
  }

  leave(): void {
    if (!this.#isEntered) return;
    this.#isEntered = false;
    const full = this.#isFull ? `\u001b[?${mouse}l\u001b[?${alternate}l` : "";
    this.write(`\u001b[<u\u001b[?${focus}l\u001b[?${paste}l${full}\u001b[0m\u001b[?25h`);
    if (this.#isFull) this.#shows("normal");
    this.#asItWas();
    this.#input.pause();
  }

  /** A terminal that is gone has no mode to be given back: neither here nor by Node, which would abort over it at the very end. */
  #asItWas(): void {
    if (this.#input.destroyed) return;
    try {
      this.#input.setRawMode(false);
    } catch {
      process.once("exit", closeStandardStreams);
    }
  }

  fullScreen(on: boolean): void {
    if (on === this.#isFull) return;
    this.#isFull = on;
    if (!this.#isEntered) return;
    if (on) this.#shows("alternate");
    // Each screen has a stack of keyboard modes of its own.
    if (on) this.write(`\u001b[<u\u001b[?${alternate}h\u001b[>1u\u001b[?${mouse}h\u001b[2J`);
    else this.write(`\u001b[?${mouse}l\u001b[<u\u001b[?${alternate}l\u001b[>1u`);
    if (!on) this.#shows("normal");
  }

  listen({ text, resized, closed }: TerminalListeners): () => void {
    const decoder = new TextDecoder();
    const onData = (bytes: Buffer): void => text(decoder.decode(bytes, { stream: true }));
    this.#input.on("data", onData);
    this.#output.on("resize", resized);
    this.#input.once("end", closed);
    this.#input.once("close", closed);
    this.#output.once("error", closed);
    return () => {
      this.#input.off("data", onData);
      this.#output.off("resize", resized);
      this.#input.off("end", closed);
      this.#input.off("close", closed);
      this.#output.off("error", closed);
    };
  }
}
