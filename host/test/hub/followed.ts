import { deltaScope, type Frame, type SessionClient, type SessionEvent } from "@capstan/protocol";

/** Everything that one client receives from a number on, in the background. */
export class Followed {
  readonly client: SessionClient;
  readonly frames: Frame[] = [];
  readonly #iterator: AsyncIterator<Frame>;
  readonly #over: Promise<void>;
  #wake: (() => void) | undefined;

  constructor(client: SessionClient, after = 0) {
    this.client = client;
    this.#iterator = client.attach(after)[Symbol.asyncIterator]();
    this.#over = this.#pull();
  }

  get events(): readonly SessionEvent[] {
    return this.frames.flatMap((frame) => (frame.type === "record" ? [frame.event] : []));
  }

  /** What nothing supersedes. */
  get kept(): readonly SessionEvent[] {
    return this.events.filter(({ record }) => deltaScope(record) === undefined);
  }

  /** Numbers that came twice, or not in their order. */
  get misplaced(): readonly number[] {
    const numbers = this.events.map(({ seq }) => seq);
    return numbers.filter((seq, at) => seq <= (numbers[at - 1] ?? 0));
  }

  async until(fits: (frame: Frame) => boolean): Promise<void> {
    while (!this.frames.some(fits)) {
      const ended = await Promise.race([
        this.#over.then(() => true),
        new Promise<boolean>((resolve) => {
          this.#wake = () => resolve(false);
        }),
      ]);
      if (ended && !this.frames.some(fits)) throw new Error("nothing like it came");
    }
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.#iterator.return?.();
    await this.#over;
  }

  async #pull(): Promise<void> {
    for (let next = await this.#iterator.next(); next.done !== true; next = await this.#iterator.next()) {
      this.frames.push(next.value);
      this.#wake?.();
    }
  }
}
