import headless from "@xterm/headless";

/** A terminal that remembers what it shows, scrollback included. */
export class Screen {
  readonly #terminal: InstanceType<typeof headless.Terminal>;
  /** How often everything was erased in one go: some terminals keep in the scrollback what stood there. */
  wholeErasures = 0;

  constructor(columns: number, rows: number) {
    this.#terminal = new headless.Terminal({ cols: columns, rows, scrollback: 100_000, allowProposedApi: true });
    this.#terminal.parser.registerCsiHandler({ final: "J" }, () => {
      const { cursorX, cursorY } = this.#terminal.buffer.active;
      if (cursorX === 0 && cursorY === 0) this.wholeErasures += 1;
      return false;
    });
  }

  async write(bytes: string): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#terminal.write(bytes, resolve);
    });
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
  }

  /** All lines to the last that is not empty, without blanks at their ends; what the terminal wrapped is one line. */
  get lines(): readonly string[] {
    const { active } = this.#terminal.buffer;
    const lines: string[] = [];
    for (let at = 0; at < active.length; at += 1) {
      const line = active.getLine(at);
      const text = line?.translateToString(true, 0, this.#terminal.cols) ?? "";
      if (line?.isWrapped === true) lines.push(`${lines.pop() ?? ""}${text}`);
      else lines.push(text);
    }
    const trimmed = lines.map((line) => line.trimEnd());
    while (trimmed.at(-1) === "") trimmed.pop();
    return trimmed;
  }

  /** Line from the beginning of the scrollback on, and cell. */
  get caret(): { readonly row: number; readonly column: number } {
    const { active } = this.#terminal.buffer;
    return { row: active.baseY + active.cursorY, column: active.cursorX };
  }

  close(): void {
    this.#terminal.dispose();
  }
}
