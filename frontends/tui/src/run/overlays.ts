import type { Row } from "@capstan/view";
import { atEnd, newPager, type Pager } from "../overlay/pager.ts";
import { newLine, newPicker, type Picker, type PickerAction, type PickerEntry } from "../overlay/picker.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** What lies over the chat. */
export type Overlay =
  | { readonly type: "picker"; readonly picker: Picker<unknown> }
  | { readonly type: "pager"; readonly pager: Pager };

/** An entry, and the chord of what is to be done with it; `null`: it is taken. */
export interface Acted<Value> {
  readonly value: Value;
  readonly action: string | null;
}

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
  #choose: ((value: unknown, action: string | null) => void) | null = null;

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

  /**
   * As `pick`, with keys that do something else with an entry.
   * @param at  the entry that is marked at first
   */
  async act<Value>(
    title: string,
    entries: readonly PickerEntry<Value>[],
    actions: readonly PickerAction[],
    at = 0,
  ): Promise<Acted<Value> | null> {
    this.close();
    return await new Promise<Acted<Value> | null>((resolve) => {
      this.#choose = (value, action) => {
        const entry = entries.find((each) => each.value === value);
        resolve(entry === undefined ? null : { value: entry.value, action });
      };
      this.#current = { type: "picker", picker: { ...newPicker<unknown>(title, entries, at), actions } };
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
  close(value: unknown = null, action: string | null = null): void {
    const choose = this.#choose;
    this.#choose = null;
    this.#current = null;
    choose?.(value, action);
    this.#changed();
  }
}
