import { type Row, rowText } from "@capstan/view";
import type { Acted, Overlay } from "../run/overlays.ts";
import type { PickerAction, PickerEntry } from "../overlay/picker.ts";

const pageLines = 40;
const pageEntries = 20;

/** Lists to choose from and rows to look through, as lines that are read and answered by a line. */
export class SpokenOverlays {
  /** Nothing lies over anything. */
  readonly current: Overlay | null = null;
  readonly #say: (lines: readonly string[]) => void;
  readonly #done: () => void;
  #take: ((line: string) => void) | null = null;

  constructor(say: (lines: readonly string[]) => void, done: () => void) {
    this.#say = say;
    this.#done = done;
  }

  /** A line is waited for. */
  get isAsking(): boolean {
    return this.#take !== null;
  }

  /** The line that is waited for. */
  answer(line: string): void {
    const take = this.#take;
    this.#take = null;
    take?.(line);
    if (this.#take === null) this.#done();
  }

  replace(): void {
    // Keys do not reach it.
  }

  close(): void {
    this.answer("");
  }

  show(title: string, rows: readonly Row[]): void {
    const lines = rows.map((row) => rowText(row).trim()).filter((line) => line !== "");
    this.#page(`${title}:`, lines);
  }

  async pick<Value>(
    title: string,
    entries: readonly PickerEntry<Value>[],
    _at?: number,
    notes: readonly Row[] = [],
  ): Promise<Value | null> {
    if (notes.length > 0) this.#say(notes.map((note) => rowText(note).trim()));
    return await new Promise((resolve) => this.#list(title, entries, resolve));
  }

  /** What is to be done is asked when it is known with what. */
  async act<Value>(
    title: string,
    entries: readonly PickerEntry<Value>[],
    actions: readonly PickerAction[],
  ): Promise<Acted<Value> | null> {
    const value = await this.pick(title, entries);
    if (value === null) return null;
    const ways = actions.map(({ chord, label }) => ({ value: chord, label, about: "" }));
    const action = await this.pick("What with it", [{ value: "", label: "opens", about: "" }, ...ways]);
    return action === null ? null : { value, action: action === "" ? null : action };
  }

  async write(title: string, about: readonly string[], text: string): Promise<string | null> {
    const now = text === "" ? [] : [`Now: ${text}`];
    this.#say([`${title}:`, ...about, ...now, "Write the value and Enter; Enter alone leaves it."]);
    return await new Promise((resolve) => {
      this.#take = (line) => resolve(line === "" ? null : line);
    });
  }

  #page(title: string, lines: readonly string[]): void {
    const rest = lines.slice(pageLines);
    this.#say([title, ...lines.slice(0, pageLines)]);
    if (rest.length === 0) return;
    this.#say([`${rest.length} more lines. Enter reads on, q ends.`]);
    this.#take = (line) => {
      if (line === "") this.#page(title, rest);
    };
  }

  #list<Value>(title: string, entries: readonly PickerEntry<Value>[], resolve: (value: Value | null) => void): void {
    const shown = entries.slice(0, pageEntries);
    const left = entries.length - shown.length;
    this.#say([
      `${title}, ${entries.length} to choose from:`,
      ...shown.map(({ label, about }, at) => `${at + 1}: ${label}${about === "" ? "" : `, ${about}`}`),
      ...(left === 0 ? [] : [`and ${left} more`]),
      "Type a number and Enter; words narrow the list; Enter alone leaves it.",
    ]);
    this.#take = (line) => {
      const number = /^\d+$/.test(line.trim()) ? Number(line) : null;
      const entry = number === null ? undefined : shown[number - 1];
      if (line.trim() === "") return resolve(null);
      if (entry !== undefined) return resolve(entry.value);
      const fitting = entries.filter(({ label, about }) =>
        `${label} ${about}`.toLowerCase().includes(line.trim().toLowerCase()),
      );
      const isNone = number !== null || fitting.length === 0;
      if (isNone) this.#say([`Nothing in the list is ${line.trim()}.`]);
      this.#list(title, isNone ? entries : fitting, resolve);
    };
  }
}
