import type { ClientIdentity, Frame, JournalRecord, OpenOptions, SessionClient, SessionEvent } from "@capstan/protocol";

/** Somebody who may do everything, and whose process carries out what is decided. */
export const testIdentity: ClientIdentity = { frontend: "cli", role: "operate" };
export const asDriver: OpenOptions = { identity: testIdentity, purpose: "drive" };

/** A session as a test follows it: its events as they come, in order. */
export class FollowedSession {
  readonly client: SessionClient;
  readonly #events: SessionEvent[] = [];
  readonly #frames: AsyncIterator<Frame>;
  #looks: readonly (() => void)[] = [];

  /** @param after  number of the last event that is not of interest */
  constructor(client: SessionClient, after: number = client.recovery.after) {
    this.client = client;
    this.#frames = client.attach(after)[Symbol.asyncIterator]();
    void this.#follow();
  }

  get events(): readonly SessionEvent[] {
    return this.#events;
  }

  /** Resolves as soon as this many events that are asked for have come, with the last of them. */
  async nth(count: number, isIt: (record: JournalRecord) => boolean): Promise<SessionEvent> {
    for (;;) {
      const found = this.#events.filter(({ record }) => isIt(record))[count - 1];
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        this.#looks = [...this.#looks, resolve];
      });
    }
  }

  /** Resolves with the first event from now on that is asked for. */
  next(isIt: (record: JournalRecord) => boolean): Promise<SessionEvent> {
    return this.nth(this.#events.filter(({ record }) => isIt(record)).length + 1, isIt);
  }

  /** Gives up following, and closes the session. */
  async close(): Promise<void> {
    await this.#frames.return?.();
    await this.client.close();
  }

  async #follow(): Promise<void> {
    for (;;) {
      const step = await this.#frames.next();
      if (step.done === true) return;
      if (step.value.type !== "record") continue;
      this.#events.push(step.value.event);
      const looks = this.#looks;
      this.#looks = [];
      for (const look of looks) look();
    }
  }
}

export function isTurnEnd({ type }: JournalRecord): boolean {
  return type === "turn-ended";
}
