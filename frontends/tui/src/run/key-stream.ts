import type { Input } from "../keys/input.ts";
import { flushKeys, isWaiting, type KeyState, noKeys, readKeys } from "../keys/read-keys.ts";
import type { Timers } from "./timers.ts";

/** What begins a sequence and gets no rest in this time is a key of its own. */
const escapeMs = 25;

/** Text as the terminal sends it, as keys. */
export class KeyStream {
  readonly #timers: Timers;
  readonly #take: (inputs: readonly Input[]) => void;
  #state: KeyState = noKeys;

  constructor(timers: Timers, take: (inputs: readonly Input[]) => void) {
    this.#timers = timers;
    this.#take = take;
  }

  push(text: string): void {
    this.#timers.stop("escape");
    this.#read(readKeys(this.#state, text));
    if (isWaiting(this.#state)) this.#timers.after("escape", escapeMs, () => this.#read(flushKeys(this.#state)));
  }

  #read({ state, inputs }: { readonly state: KeyState; readonly inputs: readonly Input[] }): void {
    this.#state = state;
    if (inputs.length > 0) this.#take(inputs);
  }
}
