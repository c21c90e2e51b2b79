/**
 * One item at a time, in the order of arrival. The handler never runs twice at once, and a later item never overtakes.
 * `push` resolves with what its own item led to, and rejects when handling it failed; the others continue.
 */
export class Mailbox<Item, Result> {
  readonly #handle: (item: Item) => Promise<Result>;
  #tail: Promise<void> = Promise.resolve();

  constructor(handle: (item: Item) => Promise<Result>) {
    this.#handle = handle;
  }

  push(item: Item): Promise<Result> {
    const handled = this.#tail.then(() => this.#handle(item));
    this.#tail = handled.then(ignore, ignore);
    return handled;
  }

  /** Resolves when everything pushed so far was handled. */
  async drained(): Promise<void> {
    await this.#tail;
  }
}

function ignore(): void {
  // Whoever pushed the item is notified.
}
