import type { Clock } from "@capstan/ports";
import { offerAfterMs } from "./limits.ts";

/** What others reach a session by. */
interface Entrance {
  close(): Promise<void>;
}

/**
 * A session is offered to other processes once it has lasted a moment: what ends at once is joined by nobody, and what lasts begins without
 * waiting for it. Whoever looks for it earlier looks again.
 */
export class LateOffer {
  readonly #cancel: () => void;
  #entrance: Promise<Entrance | null> | undefined;

  /** @param listen  `null`: it cannot be offered */
  constructor(clock: Pick<Clock, "after">, listen: () => Promise<Entrance | null>) {
    this.#cancel = clock.after(offerAfterMs, () => {
      this.#entrance = listen();
    });
  }

  async close(): Promise<void> {
    this.#cancel();
    await (await this.#entrance)?.close();
  }
}
