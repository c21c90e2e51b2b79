import type { JournalRecord, TurnId } from "@capstan/protocol";
import { maxAwaitedWords } from "./limits.ts";

/**
 * The words that a client sent last: what it may be waiting for when its owner dies. Those whose turn has ended need not be taken out: no
 * session has anything to do with them any more.
 */
export class AwaitedWords {
  #ids: readonly TurnId[] = [];

  add(inputId: TurnId): void {
    this.delete(inputId);
    this.#ids = [...this.#ids, inputId].slice(-maxAwaitedWords);
  }

  delete(inputId: TurnId): void {
    this.#ids = this.#ids.filter((id) => id !== inputId);
  }

  /** Whoever waits for a plan waits for the turn that carries it out, too. */
  note(record: JournalRecord): void {
    if (record.type === "turn-started" && record.follows !== undefined && this.#ids.includes(record.follows))
      this.add(record.turnId);
  }

  all(): readonly TurnId[] {
    return this.#ids;
  }
}
