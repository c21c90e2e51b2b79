/** Something that changes, and who waits for the next change. */
export class Changing {
  #waiting: (() => void)[] = [];

  change(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }
}

/**
 * Values as they can be taken, for as long as somebody iterates; giving up ends it at once.
 * @param take  the next value; `undefined` while there is none; `null` when none follows
 */
export function watched<Value extends object>(
  changing: Changing,
  begin: () => () => Value | undefined | null,
): AsyncIterable<Value> {
  return {
    [Symbol.asyncIterator]() {
      const take = begin();
      const iteration = { isOver: false };
      return {
        async next() {
          while (!iteration.isOver) {
            const value = take();
            if (value === null) break;
            if (value !== undefined) return { done: false, value };
            await changing.next();
          }
          iteration.isOver = true;
          return { done: true, value: undefined };
        },
        async return() {
          iteration.isOver = true;
          changing.change();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

/** The whole, once and whenever it is another. */
export function whenChanged<Value extends object>(whole: () => Value): () => Value | undefined {
  let last = "";
  return () => {
    const value = whole();
    const text = JSON.stringify(value);
    if (text === last) return undefined;
    last = text;
    return value;
  };
}
