import type { Frame, Interaction, JournalRecord, SessionOwner, TurnId, TurnOutcome } from "@capstan/protocol";
import { runningTurnOf } from "./open-turn.ts";
import type { OpenedSession } from "./turn-request.ts";

/** Something that waits, and the turn it belongs to. */
interface Waiting {
  readonly interaction: Interaction;
  readonly turnId: TurnId | null;
}

/** A session as far as its frames have reported. */
export class SessionProgress {
  #owner: SessionOwner;
  #openTurn: TurnId | null;
  #waiting: readonly Waiting[];
  #lastEnded: { readonly turnId: TurnId; readonly outcome: TurnOutcome } | undefined;
  #seen: number;
  #rewinds = 0;
  #watched: readonly { readonly isSo: () => boolean; readonly resolve: () => void }[] = [];

  constructor({ owner, snapshot }: OpenedSession) {
    this.#owner = owner;
    this.#openTurn = runningTurnOf(snapshot);
    this.#waiting = snapshot.pending.map((interaction) => ({ interaction, turnId: this.#openTurn }));
    this.#seen = snapshot.seq;
  }

  /** This process writes to the session. */
  get isHere(): boolean {
    return this.#owner.type === "here";
  }

  /** The turn under way. */
  get openTurn(): TurnId | null {
    return this.#openTurn;
  }

  /** Everything up to this number was seen. */
  get seen(): number {
    return this.#seen;
  }

  /** How many rewinds have ended, or were found to have nothing to do. */
  get rewinds(): number {
    return this.#rewinds;
  }

  /** What waits for a user: in the whole session, or in one turn of it. */
  waiting(turnId?: TurnId): readonly Interaction[] {
    return this.#waiting.flatMap((waiting) =>
      turnId === undefined || waiting.turnId === turnId ? [waiting.interaction] : [],
    );
  }

  /** How a turn ended that was the last to end, and after which none has begun. */
  outcomeOf(turnId: TurnId): TurnOutcome | undefined {
    return this.#openTurn === null && this.#lastEnded?.turnId === turnId ? this.#lastEnded.outcome : undefined;
  }

  take(frame: Frame): void {
    if (frame.type === "owner") this.#owner = frame.owner;
    if (frame.type === "live") this.#seen = Math.max(this.#seen, frame.seq);
    if (frame.type === "record") {
      this.#seen = Math.max(this.#seen, frame.event.seq);
      this.#note(frame.event.record);
    }
    const fulfilled = this.#watched.filter(({ isSo }) => isSo());
    this.#watched = this.#watched.filter((watched) => !fulfilled.includes(watched));
    for (const { resolve } of fulfilled) resolve();
  }

  /** Resolves when everything up to this number was seen. */
  reached(seq: number): Promise<void> {
    return this.until(() => this.#seen >= seq);
  }

  /** Resolves as soon as it is so. */
  until(isSo: () => boolean): Promise<void> {
    if (isSo()) return Promise.resolve();
    return new Promise((resolve) => {
      this.#watched = [...this.#watched, { isSo, resolve }];
    });
  }

  #note(record: JournalRecord): void {
    switch (record.type) {
      case "turn-started":
        this.#openTurn = record.turnId;
        return;
      case "turn-ended":
        this.#lastEnded = { turnId: record.turnId, outcome: record.outcome };
        if (this.#openTurn === record.turnId) this.#openTurn = null;
        return;
      case "interaction-opened":
        this.#waiting = [...this.#waiting, { interaction: record.interaction, turnId: record.turnId }];
        return;
      case "interaction-resolved":
        this.#waiting = this.#waiting.filter(({ interaction }) => interaction.id !== record.interactionId);
        return;
      case "rewind-finished":
        this.#rewinds += 1;
        return;
      case "notice":
        if (record.code === "rewind.nothing") this.#rewinds += 1;
        return;
      default:
        return;
    }
  }
}
