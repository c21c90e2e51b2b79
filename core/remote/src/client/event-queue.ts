interface Pending<Value> {
  resolve(result: IteratorResult<Value, undefined>): void;
  reject(error: Error): void;
}

/** What waits for whoever iterates: values of a stream that the server sends no faster than they are taken. */
export class EventQueue<Value> implements AsyncIterator<Value> {
  #waiting: { readonly value: Value; readonly characters: number }[] = [];
  #pending: Pending<Value>[] = [];
  #end: { readonly error?: Error } | undefined;
  readonly #onTaken: (characters: number) => void;
  readonly #onReturn: () => void;

  /**
   * @param onTaken  called with how many characters a value had that was taken
   * @param onReturn  called once when the iteration is given up
   */
  constructor(onTaken: (characters: number) => void, onReturn: () => void) {
    this.#onTaken = onTaken;
    this.#onReturn = onReturn;
  }

  push(value: Value, characters: number): void {
    if (this.#end !== undefined) return;
    const pending = this.#pending.shift();
    if (pending === undefined) {
      this.#waiting.push({ value, characters });
      return;
    }
    pending.resolve({ done: false, value });
    this.#onTaken(characters);
  }

  /** Nothing follows what waits; with an error, whoever has taken that learns it. */
  finish(error?: Error): void {
    this.#end ??= error === undefined ? {} : { error };
    const pending = this.#pending;
    this.#pending = [];
    for (const waiting of pending) {
      if (error === undefined) waiting.resolve({ done: true, value: undefined });
      else waiting.reject(error);
    }
  }

  async next(): Promise<IteratorResult<Value, undefined>> {
    const waiting = this.#waiting.shift();
    if (waiting !== undefined) {
      this.#onTaken(waiting.characters);
      return { done: false, value: waiting.value };
    }
    if (this.#end?.error !== undefined) throw this.#end.error;
    if (this.#end !== undefined) return { done: true, value: undefined };
    return new Promise((resolve, reject) => {
      this.#pending.push({ resolve, reject });
    });
  }

  async return(): Promise<IteratorResult<Value, undefined>> {
    const wasOpen = this.#end === undefined;
    this.#waiting = [];
    this.finish();
    this.#end = {};
    if (wasOpen) this.#onReturn();
    return { done: true, value: undefined };
  }
}
