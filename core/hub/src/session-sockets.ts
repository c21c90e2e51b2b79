import type { Clock } from "@capstan/ports";
import type { ClientIdentity, EngineClient, SessionId } from "@capstan/protocol";
import { offerAfterMs } from "./limits.ts";

/** How processes that have the same session open speak with each other. */
export interface SessionSockets {
  /**
   * Offers a session to other processes of the same user.
   * @param owner  whoever opened it here: the frontend that others see as its owner
   * @throws when the system refuses it
   */
  listen(id: SessionId, engine: EngineClient, owner: ClientIdentity): Promise<{ close(): Promise<void> }>;
  /** Whether the session is offered; whoever offers it need not answer. */
  isOffered(id: SessionId): Promise<boolean>;
  /** Whether somebody listens there. */
  answers(id: SessionId): Promise<boolean>;
  /**
   * @param identity  who joins; what it may do there is for the owner to say
   * @throws AppError `remote.*` when nobody answers, `door.*` when it is turned away
   */
  connect(id: SessionId, identity: ClientIdentity): Promise<EngineClient>;
}

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
