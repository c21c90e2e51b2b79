import type { AgentReport } from "@capstan/ports";
import type { FileEffect, JournalRecord, SessionEvent, SessionId, TurnId } from "@capstan/protocol";
import { addSpending, nothingSpent } from "@capstan/view";
import { maxReportCharacters } from "./limits.ts";

/** What is known of an agent's work, by the records of its session. */
export class AgentWork {
  readonly #id: SessionId;
  readonly #turnId: TurnId;
  readonly #effects = new Map<string, FileEffect>();
  #spent = nothingSpent;
  #toolCalls = 0;
  #said = "";
  #end: Extract<JournalRecord, { type: "turn-ended" }> | undefined;

  constructor(id: SessionId, turnId: TurnId) {
    this.#id = id;
    this.#turnId = turnId;
  }

  get isOver(): boolean {
    return this.#end !== undefined;
  }

  add({ record }: SessionEvent): void {
    this.#spent = addSpending(this.#spent, record);
    switch (record.type) {
      case "step-completed":
        this.#said = record.message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
        break;
      case "tool-finished":
        this.#toolCalls += 1;
        for (const effect of record.effects ?? []) this.#note(effect);
        break;
      case "tool-effects":
        for (const effect of record.effects) this.#note(effect);
        break;
      case "turn-ended":
        if (record.turnId === this.#turnId) this.#end = record;
        break;
      default:
    }
  }

  /** @param closed  why it ended without an end of its turn */
  report(closed = "its session was closed"): AgentReport {
    const outcome = this.#end?.outcome ?? "interrupted";
    const why = this.#end === undefined ? closed : (this.#end.message ?? outcome);
    const said = outcome === "done" ? [this.#said] : [why, ...(this.#said === "" ? [] : [this.#said])];
    return {
      outcome,
      text: bounded(said.join("\n\n")),
      sessionId: this.#id,
      toolCalls: this.#toolCalls,
      spent: this.#spent,
      effects: [...this.#effects.values()].filter(
        ({ before, after }) => before?.blob !== after?.blob || before?.mode !== after?.mode,
      ),
    };
  }

  /** From before the first that changed a file to after the last. */
  #note(effect: FileEffect): void {
    const first = this.#effects.get(effect.path);
    this.#effects.set(effect.path, first === undefined ? effect : { ...effect, before: first.before });
  }
}

/** A model that has more to say is better asked for less. */
function bounded(text: string): string {
  if (text.length <= maxReportCharacters) return text;
  const left = text.length - maxReportCharacters;
  return `${text.slice(0, maxReportCharacters).toWellFormed()}\n[${left} more characters are left out.]`;
}
