import type { JsonObject } from "@capstan/protocol";
import { inertLine } from "@capstan/view";

/** It is asked at most this often. */
const leastMs = 1000;
const lineCharacters = 400;

/** A program of the user's that writes the status line: asked when something has changed, one question at a time. */
export class StatusProgram {
  readonly #ask: (input: JsonObject) => Promise<string | null>;
  readonly #changed: () => void;
  #asked = "";
  #askedAt = Number.NEGATIVE_INFINITY;
  #isAsking = false;
  #line: string | null = null;

  constructor(ask: (input: JsonObject) => Promise<string | null>, changed: () => void) {
    this.#ask = ask;
    this.#changed = changed;
  }

  /** What it wrote last, inert; `null`: nothing that can be shown. */
  get line(): string | null {
    return this.#line;
  }

  /** @returns in how many ms it wants to be shown this again; `null`: there is no need */
  update(current: () => JsonObject, now: number): number | null {
    const wait = this.#askedAt + leastMs - now;
    if (wait > 0) return wait;
    if (this.#isAsking) return leastMs;
    const input = current();
    const text = JSON.stringify(input);
    if (text === this.#asked) return null;
    [this.#asked, this.#askedAt, this.#isAsking] = [text, now, true];
    void this.#askFor(input);
    return null;
  }

  async #askFor(input: JsonObject): Promise<void> {
    const line = await this.#ask(input);
    this.#isAsking = false;
    const shown = line === null ? null : inertLine(line, lineCharacters);
    if (shown === this.#line) return;
    this.#line = shown;
    this.#changed();
  }
}
