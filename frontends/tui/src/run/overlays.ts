import type { Row } from "@capstan/view";
import { atEnd, newPager, type Pager } from "../overlay/pager.ts";
import { newLine, newPicker, type Picker, type PickerEntry } from "../overlay/picker.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** What lies over the chat. */
export type Overlay =
  | { readonly type: "picker"; readonly picker: Picker<unknown> }
  | { readonly type: "pager"; readonly pager: Pager };

export interface ShowOptions {
  /** Rows that can be jumped to. */
  readonly marks?: readonly number[];
  readonly atEnd?: boolean;
}

/** Lists to choose from and rows to look through, one at a time. */
export class Overlays {
  readonly #terminal: Terminal;
  readonly #changed: () => void;
  #current: Overlay | null = null;
  #choose: ((value: unknown) => void) | null = null;

  constructor(terminal: Terminal, changed: () => void) {
    this.#terminal = terminal;
    this.#changed = changed;
  }

  get current(): Overlay | null {
    return this.#current;
  }

  /** What a key made of it. */
  replace(overlay: Overlay): void {
    this.#current = overlay;
  }

  /** To look through on the whole screen. */
  show(title: string, rows: readonly Row[], { marks = [], atEnd: isAtEnd = false }: ShowOptions = {}): void {
    const pager = newPager(title, rows, marks);
    this.close();
    this.#current = { type: "pager", pager: isAtEnd ? atEnd(pager, this.#terminal.size) : pager };
  }

  /**
   * @param notes  what to know before choosing
   * @returns `null`: nothing was chosen
   */
  async pick<Value>(
    title: string,
    entries: readonly PickerEntry<Value>[],
    at = 0,
    notes: readonly Row[] = [],
  ): Promise<Value | null> {
    this.close();
    return await new Promise<Value | null>((resolve) => {
      // Only what the entries hold is ever given back.
      this.#choose = (value) => resolve(entries.find((entry) => entry.value === value)?.value ?? null);
      this.#current = { type: "picker", picker: newPicker<unknown>(title, entries, at, notes) };
      this.#changed();
    });
  }

  /** A line that is written. @returns `null`: it was put away */
  async write(title: string, about: readonly string[], text: string): Promise<string | null> {
    this.close();
    return await new Promise<string | null>((resolve) => {
      this.#choose = (value) => resolve(typeof value === "string" ? value : null);
      this.#current = { type: "picker", picker: newLine(title, about, text) };
      this.#changed();
    });
  }

  /** With what was chosen, if anything was. */
  close(value: unknown = null): void {
    const choose = this.#choose;
    this.#choose = null;
    this.#current = null;
    choose?.(value);
    this.#changed();
  }
}
