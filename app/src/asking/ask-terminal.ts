import { createInterface } from "node:readline";
import type { ReadStream, WriteStream } from "node:tty";
import { type AskTerminal, fittedRows, paintLine } from "@capstan/cli";
import { type ProgressLine, textWidth, wrapText } from "@capstan/view";
import { guardTerminal, nothingSent } from "../terminal-guard/guard-terminal.ts";
import { editInEditor } from "./edit-in-editor.ts";
import { dropTypedAhead, readKey } from "./read-key.ts";
import { continuesAfterStop } from "./stopped-terminal.ts";

/** Asks at a terminal, on stderr, so that the answer on stdout stays clean. */
export function terminalAsker(input: ReadStream, output: WriteStream, colors: boolean): AskTerminal {
  return new TerminalAsker(input, output, colors);
}

const bell = "\u0007";

class TerminalAsker implements AskTerminal {
  readonly #input: ReadStream;
  readonly #output: WriteStream;
  readonly #colors: boolean;
  /** What was painted last, and still stands at the end of the screen. */
  #painted: readonly ProgressLine[] = [];

  constructor(input: ReadStream, output: WriteStream, colors: boolean) {
    this.#input = input;
    this.#output = output;
    this.#colors = colors;
  }

  show(lines: readonly ProgressLine[]): void {
    for (const line of this.#fitted(lines)) this.#output.write(`${paintLine(line, this.#colors)}\n`);
  }

  async ask(prompt: string, signal: AbortSignal): Promise<string | null> {
    return await guarded(async () => {
      if (!(await this.#isReady(signal))) return null;
      const rows = wrapText(prompt, this.#output.columns || defaultColumns);
      const last = rows.at(-1) ?? "";
      this.#output.write(bell);
      for (const row of rows.slice(0, -1)) this.#output.write(`${row}\n`);
      return await readLine(this.#input, this.#output, last, signal);
    });
  }

  async key(
    asked: readonly ProgressLine[],
    { again, signal }: { readonly again: boolean; readonly signal: AbortSignal },
  ): Promise<string | null> {
    return await guarded(async () => {
      if (!again && !(await this.#isReady(signal))) return null;
      const lines = this.#fitted(asked);
      this.#output.write(`${again ? this.#upToPainted() : bell}${this.#text(lines)}`);
      this.#painted = lines;
      const key = await readKey(this.#input, signal, () => this.#output.write(`\n${this.#text(lines)}`));
      if (key === null) this.#output.write("\n");
      return key;
    });
  }

  chosen(text: string): void {
    this.#output.write(`${text}\n`);
  }

  async edit(text: string, ending: string): Promise<{ readonly text: string } | { readonly problem: string }> {
    return await editInEditor(text, ending, process.env);
  }

  /** Whether what is asked may be painted: what was typed until now is thrown away. */
  async #isReady(signal: AbortSignal): Promise<boolean> {
    await dropTypedAhead(this.#input);
    if (signal.aborted && !this.#input.destroyed) this.#input.setRawMode(false);
    return !signal.aborted;
  }

  #fitted(lines: readonly ProgressLine[]): readonly ProgressLine[] {
    return lines.flatMap((line) => fittedRows(line, this.#output.columns || defaultColumns));
  }

  #text(lines: readonly ProgressLine[]): string {
    return lines.map((line) => paintLine(line, this.#colors)).join("\n");
  }

  /** To where the last painting began, and away with it. One that is higher than the screen is left standing. */
  #upToPainted(): string {
    const columns = this.#output.columns || defaultColumns;
    const heights = this.#painted.map(({ text }) => Math.max(1, Math.ceil(textWidth(text) / columns)));
    const rows = heights.reduce((sum, height) => sum + height, 0);
    if (rows >= (this.#output.rows || 0)) return "\n";
    return `\r${rows > 1 ? `\u001b[${rows - 1}A` : ""}\u001b[J`;
  }
}

const defaultColumns = 80;

/** While somebody is asked, keys come one by one: should this process be killed then, the terminal gets its settings back. */
async function guarded<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const guard = await guardTerminal(nothingSent);
  try {
    return await ask();
  } finally {
    guard.release();
  }
}

/** `null` for Escape, the end of input, or when `signal` aborts. */
function readLine(input: ReadStream, output: WriteStream, prompt: string, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    const lines = createInterface({ input, output, terminal: true, historySize: 0 });
    const end = (answer: string | null): void => {
      signal.removeEventListener("abort", giveUp);
      input.off("keypress", onKey);
      // Only ours: readline takes its own listeners off the terminal when it closes.
      lines.off("close", giveUp);
      lines.close();
      input.pause();
      if (answer === null) output.write("\n");
      resolve(answer);
    };
    const giveUp = (): void => end(null);
    const onKey = (_text: string | undefined, key: { readonly name?: string } | undefined): void => {
      if (key?.name === "escape") end(null);
    };
    signal.addEventListener("abort", giveUp, { once: true });
    input.on("keypress", onKey);
    lines.once("close", giveUp);
    // The terminal is in raw mode and sends no signal of its own.
    lines.on("SIGINT", () => {
      process.kill(process.pid, "SIGINT");
    });
    continuesAfterStop(lines);
    lines.question(prompt, end);
  });
}
