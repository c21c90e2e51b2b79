import { maxLeftNotes } from "../limits.ts";
import { shownPath } from "./shown-path.ts";

/** What could not be kept, in words: the first ones by name, the others counted. */
export class LeftOut {
  readonly #notes: string[] = [];
  #others = 0;

  add(path: string, reason: string): void {
    if (this.#notes.length < maxLeftNotes) this.#notes.push(`${shownPath(path)}: ${reason}`);
    else this.#others += 1;
  }

  get notes(): readonly string[] {
    return this.#others === 0 ? this.#notes : [...this.#notes, `and ${this.#others} more`];
  }
}
