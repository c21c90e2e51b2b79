import type { FileChange, JournalRecord, SessionEvent, TurnId, TurnOutcome } from "@capstan/protocol";
import { addSpending, nothingSpent, type Spending } from "@capstan/view";

type Finished = Extract<JournalRecord, { type: "tool-finished" }>;

/** What became of a turn, as far as it has come. */
export interface TurnReport {
  readonly ended: { readonly outcome: TurnOutcome; readonly message?: string } | null;
  /** Of the last answer. */
  readonly text: string;
  /** Paths that were changed, in the order of their first change. */
  readonly changed: readonly string[];
  readonly spent: Spending;
  /** The end of its last call. */
  readonly lastCall: Finished["outcome"] | null;
}

/** Reads a turn out of the records of its session; where a plan was approved, the turn that carries it out belongs to it. */
export class TurnReader {
  #turnId: TurnId;
  #isActive: boolean;
  #isPlanApproved = false;
  #ended: TurnReport["ended"] = null;
  #text = "";
  #spent = nothingSpent;
  #lastCall: TurnReport["lastCall"] = null;
  readonly #changed = new Map<string, FileChange>();

  /** @param isOpen  the turn has begun already */
  constructor(turnId: TurnId, isOpen: boolean) {
    this.#turnId = turnId;
    this.#isActive = isOpen;
  }

  /** Of the turn that is open, or of the last. */
  get turnId(): TurnId {
    return this.#turnId;
  }

  get report(): TurnReport {
    return {
      ended: this.#ended,
      text: this.#text,
      changed: [...this.#changed.keys()],
      spent: this.#spent,
      lastCall: this.#lastCall,
    };
  }

  take({ record }: SessionEvent): void {
    if (record.type === "turn-started") {
      this.#isActive = record.turnId === this.#turnId || record.follows === this.#turnId;
      if (this.#isActive) this.#turnId = record.turnId;
    }
    if (record.type === "queue-changed" && record.turnId === this.#turnId) this.#leave(record.change.type);
    if (!this.#isActive) return;
    this.#spent = addSpending(this.#spent, record);
    if (record.type === "turn-ended" && record.turnId === this.#turnId) this.#end(record);
    this.#note(record);
  }

  #note(record: JournalRecord): void {
    if (record.type === "step-completed")
      this.#text = record.message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
    if (record.type === "tool-finished") {
      this.#lastCall = record.outcome;
      for (const change of record.changes) this.#changed.set(change.path, change);
    }
    if (record.type === "interaction-resolved" && record.answer.type === "plan")
      this.#isPlanApproved ||= record.answer.decision.startsWith("proceed");
  }

  #end({ outcome, message }: Extract<JournalRecord, { type: "turn-ended" }>): void {
    if (!this.#isPlanApproved) this.#ended = { outcome, ...(message === undefined ? {} : { message }) };
    this.#isPlanApproved = false;
  }

  #leave(change: string): void {
    if (change === "removed" || change === "handed-back")
      this.#ended = { outcome: "interrupted", message: "the words were taken out of the queue" };
  }
}
