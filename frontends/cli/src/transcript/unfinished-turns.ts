import type { JournalRecord, SessionId, TurnId } from "@capstan/protocol";

/** Turns that were asked for and have not ended, as records come. */
export class UnfinishedTurns {
  readonly #ids = new Set<TurnId>();

  take(record: JournalRecord): void {
    switch (record.type) {
      case "turn-queued":
      case "turn-started":
        this.#ids.add(record.turnId);
        return;
      case "turn-ended":
        this.#ids.delete(record.turnId);
        return;
      case "turn-steered":
        this.#ids.delete(record.inputId);
        return;
      case "queue-changed":
        if (record.change.type === "removed" || record.change.type === "handed-back") this.#ids.delete(record.turnId);
        return;
      default:
        return;
    }
  }

  /** Who only follows carries nothing out: what to do about turns that nobody takes up; empty where there are none. */
  hint(id: SessionId): string {
    return this.#ids.size > 0 ? ` What is not finished waits: capstan resume ${id}` : "";
  }
}
