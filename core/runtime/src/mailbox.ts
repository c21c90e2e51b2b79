/**
 * One item at a time, in the order of arrival. The handler never runs twice at once, and a later item never overtakes.
 * `push` resolves when its own item was handled, and rejects when handling it failed; the others go on.
 */
export class Mailbox<Item> {
  readonly #handle: (item: Item) => Promise<void>;
  #tail: Promise<void> = Promise.resolve();

  constructor(handle: (item: Item) => Promise<void>) {
    this.#handle = handle;
  }

  push(item: Item): Promise<void> {
    const handled = this.#tail.then(() => this.#handle(item));
    this.#tail = handled.catch(() => undefined);
    return handled;
  }

  /** Resolves when everything pushed so far was handled. */
  async drained(): Promise<void> {
    await this.#tail;
  }
}
