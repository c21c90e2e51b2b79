import type { Output, Streams } from "../output.ts";
import { textWidth } from "@capstan/view";
import type { StatusRoom } from "./turn-status.ts";

/** Between two paintings. */
const minPauseMs = 100;
/** After which the time that is shown has changed. */
const tickMs = 1000;

const clearDown = "\u001b[J";
/** A line that is wider than it seems is cut by the terminal, and not continued on a row that nobody counts. */
const wrapOff = "\u001b[?7l";
const wrapOn = "\u001b[?7h";

/**
 * Lines that stand below everything else on a terminal, and are taken away before anything else is printed. The cursor stays at the beginning of
 * the row below them, so that a process that is killed leaves the terminal as a finished one does.
 */
export class StatusLines {
  /** What is written here takes the lines away first. */
  readonly streams: Streams;
  readonly #screen: Output;
  readonly #colors: boolean;
  readonly #lines: (nowMs: number, room: StatusRoom) => readonly string[];
  #painted: readonly string[] = [];
  /** Elsewhere than at the beginning of a row nothing is painted. */
  #isAtLineStart = true;
  #paintedAtMs = 0;
  #timer: { readonly at: number; readonly id: NodeJS.Timeout } | undefined;
  #isClosed = false;
  readonly #onContinued = (): void => this.#forget();
  readonly #onResized = (): void => this.changed();

  constructor(streams: Streams, lines: (nowMs: number, room: StatusRoom) => readonly string[]) {
    this.#screen = streams.progress;
    this.#colors = streams.colors;
    this.#lines = lines;
    this.streams = { ...streams, result: this.#above(streams.result), progress: this.#above(streams.progress) };
    process.on("SIGCONT", this.#onContinued);
    process.on("SIGWINCH", this.#onResized);
  }

  /** What they say may be something else now. */
  changed(): void {
    this.#paintBy(Math.max(Date.now(), this.#paintedAtMs + minPauseMs));
  }

  /** Until the next change. */
  hide(): void {
    const erasing = this.#erasing();
    if (erasing !== "") this.#screen.write(erasing);
    this.#painted = [];
  }

  close(): void {
    if (this.#isClosed) return;
    this.hide();
    this.#isClosed = true;
    clearTimeout(this.#timer?.id);
    process.off("SIGCONT", this.#onContinued);
    process.off("SIGWINCH", this.#onResized);
  }

  #above(output: Output): Output {
    return {
      isTerminal: output.isTerminal,
      get columns() {
        return output.columns;
      },
      write: (text) => {
        if (text === "") return;
        this.hide();
        output.write(text);
        this.#isAtLineStart = text.endsWith("\n");
        this.changed();
      },
    };
  }

  #paintBy(at: number): void {
    if (this.#isClosed || (this.#timer !== undefined && this.#timer.at <= at)) return;
    clearTimeout(this.#timer?.id);
    const id = setTimeout(() => this.#paint(), Math.max(0, at - Date.now()));
    id.unref();
    this.#timer = { at, id };
  }

  #paint(): void {
    this.#timer = undefined;
    if (!this.#isAtLineStart) return;
    const lines = this.#current();
    const isSame = lines.length === this.#painted.length && lines.every((line, at) => line === this.#painted[at]);
    if (!isSame) {
      const text = lines.map((line) => `${this.#colors ? `\u001b[2m${line}\u001b[0m` : line}\n`).join("");
      this.#screen.write(`${this.#erasing()}${wrapOff}${text}${wrapOn}`);
      this.#painted = lines;
      this.#paintedAtMs = Date.now();
    }
    if (lines.length > 0) this.#paintBy(Date.now() + tickMs);
  }

  #current(): readonly string[] {
    const { columns, rows = defaultRows, asSent = asItIs } = this.#screen;
    if (columns === undefined) return [];
    // The last column stays free: a terminal may take a full row for the beginning of the next.
    return this.#lines(Date.now(), { columns: Math.max(1, columns - 1), rows, asSent });
  }

  /** After a change of the width the terminal breaks the rows elsewhere. */
  #erasing(): string {
    if (this.#painted.length === 0) return "";
    const columns = this.#screen.columns ?? defaultColumns;
    const heights = this.#painted.map((line) => Math.max(1, Math.ceil(textWidth(line) / columns)));
    return `\r\u001b[${heights.reduce((sum, height) => sum + height, 0)}A${clearDown}`;
  }

  /** Whatever was printed while the process was stopped stands below the lines: they are left there. */
  #forget(): void {
    this.#painted = [];
    this.changed();
  }
}

const defaultColumns = 80;
const defaultRows = 24;

function asItIs(text: string): string {
  return text;
}
