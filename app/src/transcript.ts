import type { JournalRecord, SessionEvent } from "@capstan/protocol";
import { createProgress, inertText } from "@capstan/view";
import { addSpending, nothingSpent, type Spending, spendingText } from "./spending.ts";

/** A session as a person reads it, event by event: numbered turns, answers, what was done, what it cost. */
export class Transcript {
  readonly #progress = createProgress();
  readonly #turns = new TurnNumbers();
  #turn: Spending = nothingSpent;
  #session: Spending = nothingSpent;

  lines(event: SessionEvent): readonly string[] {
    const { record } = event;
    this.#turn = addSpending(this.#turn, record);
    this.#session = addSpending(this.#session, record);
    this.#turns.hear(record);
    const told = this.#progress(event).map((line) => line.text);
    switch (record.type) {
      case "turn-started":
        this.#turn = nothingSpent;
        return ["", `Turn ${this.#turns.count}`, ...said(record), ""];
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

  #end({ outcome, message, rolledBack }: Extract<JournalRecord, { type: "turn-ended" }>): string {
    const why = message === undefined ? "" : `: ${inertText(message)}`;
    const trace = rolledBack ? " (the turn left no trace, and its number is free again)" : "";
    return `— ${outcome}${why}${trace} · ${spendingText(this.#turn)}`;
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

/** Counts turns as `sessions rewind --to` does: those that left no trace, or were taken back, do not count. */
class TurnNumbers {
  count = 0;
  #rewinding: Of<"rewind-started"> | undefined;

  hear(record: JournalRecord): void {
    if (record.type === "turn-started") this.count += 1;
    else if (record.type === "turn-ended" && record.rolledBack) this.count -= 1;
    else if (record.type === "rewind-started") this.#rewinding = record;
    else if (record.type === "rewind-finished" && this.#rewinding?.conversation === true)
      this.count = this.#rewinding.keepTurns;
  }
}
