import type { NestedCommand } from "@capstan/protocol";
import { maxNestedCommands, maxParsedCharacters, maxReportedCharacters } from "./limits.ts";

/** The commands found so far, within bounds. */
export class FoundCommands {
  readonly commands: NestedCommand[] = [];
  /** Nothing was left out, and nothing was written in a way that cannot be read. */
  complete = true;
  readonly #known = new Set<string>();
  #reported = 0;
  #parsed = 0;

  /** @returns whether it is new, and so what it starts has not been looked at */
  add(words: readonly string[], via: string | undefined): boolean {
    const key = JSON.stringify([via, words]);
    if (this.#known.has(key)) return false;
    const length = words.reduce((sum, word) => sum + word.length, 0);
    if (this.commands.length >= maxNestedCommands || this.#reported + length > maxReportedCharacters) {
      this.complete = false;
      return false;
    }
    this.#known.add(key);
    this.#reported += length;
    this.commands.push(via === undefined ? { words } : { words, via });
    return true;
  }

  /** @returns whether there is room to parse so much more */
  mayParse(characters: number): boolean {
    this.#parsed += characters;
    if (this.#parsed <= maxParsedCharacters) return true;
    this.complete = false;
    return false;
  }
}
