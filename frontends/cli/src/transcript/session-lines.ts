import { asksAgain, type JournalRecord, type SessionEvent, type TurnId } from "@capstan/protocol";
import {
  addSpending,
  emptyTranscript,
  inertText,
  itemsOf,
  nothingSpent,
  reduce,
  type Spending,
  type Transcript,
} from "@capstan/view";
import { fittedRows } from "../paint-line.ts";
import { createProgress } from "../progress.ts";
import { spendingText } from "./spending-text.ts";

/** A session as a user reads it, event by event: numbered turns, answers, what was done, what it cost. */
export class SessionLines {
  readonly #progress = createProgress();
  /** As of the journal's end, or of the event that was shown last. */
  #transcript: Transcript = emptyTranscript;
  #numbers: ReadonlyMap<TurnId, number> | undefined;
  #turn: Spending = nothingSpent;
  #session: Spending = nothingSpent;
  readonly #columns: number | undefined;

  /** @param columns  of the terminal, where they go to one */
  constructor(columns?: number) {
    this.#columns = columns;
  }

  /** Takes note of what the journal holds already, before it is shown: its turns have the numbers that they have at its end. */
  learn(event: SessionEvent): void {
    this.#follow(event);
  }

  lines(event: SessionEvent): readonly string[] {
    const { record } = event;
    this.#turn = addSpending(this.#turn, record);
    this.#session = addSpending(this.#session, record);
    this.#follow(event);
    const reported = this.#progress(event)
      .flatMap((line) => fittedRows(line, this.#columns))
      .map((line) => line.text);
    switch (record.type) {
      case "turn-started":
        this.#turn = nothingSpent;
        return ["", this.#heading(record), ...said(record), ""];
      case "turn-steered":
        return ["", ...said(record), ""];
      case "step-completed":
        return [...answered(record), ...reported];
      case "step-abandoned":
        return record.text === "" ? reported : [`[${badges[record.cause]}] ${inertText(record.text)}`, ...reported];
      case "turn-ended":
        return [this.#end(record)];
      default:
        return reported;
    }
  }

  /** What the whole session cost so far. */
  get spending(): string {
    return spendingText(this.#session);
  }

  #follow(event: SessionEvent): void {
    const before = this.#transcript;
    this.#transcript = reduce(before, event);
    if (this.#transcript.turns !== before.turns) this.#numbers = undefined;
  }

  #heading(record: Of<"turn-started">): string {
    const { turnId } = record;
    if (asksAgain(record)) return "Asked again, as part of the turn before:";
    this.#numbers ??= turnNumbers(this.#transcript);
    const number = this.#numbers.get(turnId);
    return number === undefined ? "Turn that left no trace, or was taken back:" : `Turn ${number}:`;
  }

  #end({ outcome, message }: Of<"turn-ended">): string {
    return `— ${outcome}${message === undefined ? "" : `: ${inertText(message)}`} · ${spendingText(this.#turn)}`;
  }
}

/** The numbers, from 1, by which turns can be named now: those without a trace, and those that were taken back, have none. */
function turnNumbers({ turns }: Transcript): ReadonlyMap<TurnId, number> {
  return new Map([...itemsOf(turns)].map(({ turnId }, at) => [turnId, at + 1]));
}

/** How an answer that is not whole came to be one. */
const badges = {
  failed: "errored",
  cancelled: "stopped",
  "process-died": "recovered, incomplete",
} as const;

type Of<Type extends JournalRecord["type"]> = Extract<JournalRecord, { type: Type }>;

function said({ content }: Of<"turn-started" | "turn-steered">): readonly string[] {
  const text = content.map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`)).join("\n");
  // Piped input ends with a line break, after which nothing was said.
  return inertText(text.trimEnd())
    .split("\n")
    .map((line) => `> ${line}`);
}

function answered({ message }: Of<"step-completed">): readonly string[] {
  const text = message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
  return text.trim() === "" ? [] : inertText(text.trimEnd()).split("\n");
}
