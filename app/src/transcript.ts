import type { JournalRecord, SessionEvent, TurnId } from "@capstan/protocol";
import { createProgress, inertText, turnNumbers } from "@capstan/view";
import { addSpending, nothingSpent, type Spending, spendingText } from "./spending.ts";

/** A session as a person reads it, event by event: numbered turns, answers, what was done, what it cost. */
export class Transcript {
  readonly #progress = createProgress();
  /** Everything that numbers turns. */
  readonly #seen: SessionEvent[];
  readonly #lastSeq: number;
  #numbers: ReadonlyMap<TurnId, number>;
  #turn: Spending = nothingSpent;
  #session: Spending = nothingSpent;

  /** @param past  what the journal holds already; its turns have the numbers that they have at its end */
  constructor(past: readonly SessionEvent[]) {
    this.#seen = [...past];
    this.#lastSeq = past.at(-1)?.seq ?? 0;
    this.#numbers = turnNumbers(past);
  }

  lines(event: SessionEvent): readonly string[] {
    const { record } = event;
    this.#turn = addSpending(this.#turn, record);
    this.#session = addSpending(this.#session, record);
    if (event.seq > this.#lastSeq) this.#seen.push(event);
    const told = this.#progress(event).map((line) => line.text);
    switch (record.type) {
      case "turn-started":
        this.#turn = nothingSpent;
        return ["", this.#heading(event.seq, record.turnId), ...said(record), ""];
      case "step-completed":
        return [...answered(record), ...told];
      case "step-abandoned":
        return record.text === "" ? told : [`[${badges[record.cause]}] ${inertText(record.text)}`, ...told];
      case "turn-ended":
        return [this.#end(record)];
      default:
        return told;
    }
  }

  /** What the whole session cost so far. */
  get spending(): string {
    return spendingText(this.#session);
  }

  #heading(seq: number, turnId: TurnId): string {
    if (seq > this.#lastSeq) this.#numbers = turnNumbers(this.#seen);
    const number = this.#numbers.get(turnId);
    return number === undefined ? "Turn that left no trace, or was taken back:" : `Turn ${number}:`;
  }

  #end({ outcome, message }: Of<"turn-ended">): string {
    return `— ${outcome}${message === undefined ? "" : `: ${inertText(message)}`} · ${spendingText(this.#turn)}`;
  }
}

/** How an answer that is not whole came to be one. */
const badges = {
  failed: "errored",
  cancelled: "stopped",
  "process-died": "recovered, incomplete",
} as const;

type Of<Type extends JournalRecord["type"]> = Extract<JournalRecord, { type: Type }>;

function said({ content }: Of<"turn-started">): readonly string[] {
  const text = content.map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`)).join("\n");
  return inertText(text)
    .split("\n")
    .map((line) => `> ${line}`);
}

function answered({ message }: Of<"step-completed">): readonly string[] {
  const text = message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
  return text.trim() === "" ? [] : inertText(text.trimEnd()).split("\n");
}
