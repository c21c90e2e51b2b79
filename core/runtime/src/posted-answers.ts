import type { DecisionPorts } from "./runtime-ports.ts";
import type { SessionRuntime } from "./session-runtime.ts";
import { lookIntervalMs } from "./limits.ts";

/**
 * The answers that others left for this session's writer. Each is decided on in the order in which they were left, and then
 * removed: whether it counted, the journal says.
 */
export class PostedAnswers {
  readonly #session: SessionRuntime;
  readonly #ports: Pick<DecisionPorts, "store" | "clock" | "report">;
  #cancelLook: (() => void) | undefined;
  #isStopped = false;
  #hasFailed = false;

  constructor(session: SessionRuntime, ports: Pick<DecisionPorts, "store" | "clock" | "report">) {
    this.#session = session;
    this.#ports = ports;
  }

  /** Decides on what is there now. @throws AppError `storage.*`, `session.busy` */
  async take(): Promise<void> {
    const { store } = this.#ports;
    const { id } = this.#session;
    for (const { answerId, interactionId, answer, origin } of await store.postedAnswers(id)) {
      if (this.#isStopped) return;
      await this.#session.submit({ type: "answer", interactionId, answer, answerId }, { origin });
      // Only when it is durable: an answer that is lost in between would be lost for good.
      await store.removeAnswer(id, answerId);
    }
  }

  /** From now on looks for answers whenever something waits for one. */
  watch(): void {
    this.#session.subscribe(({ record }) => {
      if (record.type === "interaction-opened") this.#lookSoon();
    });
    this.#lookSoon();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelLook?.();
  }

  #lookSoon(): void {
    if (this.#isStopped || this.#cancelLook !== undefined || !this.#isAnythingPending()) return;
    this.#cancelLook = this.#ports.clock.after(lookIntervalMs, () => {
      void this.#look();
    });
  }

  /** A journal without records has nothing that waits. */
  #isAnythingPending(): boolean {
    return this.#session.pending.length > 0;
  }

  async #look(): Promise<void> {
    try {
      await this.take();
    } catch (error) {
      // A disk that is full or locked for a moment; the session's own fault reports what lasts.
      if (!this.#hasFailed && !this.#isStopped) this.#ports.report(error);
      this.#hasFailed = true;
    }
    this.#cancelLook = undefined;
    this.#lookSoon();
  }
}
