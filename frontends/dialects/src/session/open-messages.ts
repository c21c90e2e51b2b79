import type { SessionEvent, TurnId } from "@capstan/protocol";
import { type AnswerForm, FormRounds } from "./answer-form.ts";
import { TurnGatherer } from "./turn-gatherer.ts";

/** One message of the program, until it has come to its end. */
export interface Message {
  readonly gatherer: TurnGatherer;
  readonly rounds: FormRounds;
}

/** The program's messages that have not come to their end, oldest first. */
export class OpenMessages {
  readonly #open = new Set<Message>();

  get count(): number {
    return this.#open.size;
  }

  get all(): readonly Message[] {
    return [...this.#open];
  }

  /** The one whose turn is under way. */
  get active(): Message | undefined {
    return this.all.find(({ gatherer }) => gatherer.isActive);
  }

  get turns(): ReadonlySet<TurnId> {
    return new Set(this.all.map(({ gatherer }) => gatherer.turnId));
  }

  add(turnId: TurnId, form: AnswerForm | undefined): Message {
    const message = { gatherer: new TurnGatherer(turnId), rounds: new FormRounds(form) };
    this.#open.add(message);
    return message;
  }

  /** @returns false when it had come to its end before */
  remove(message: Message): boolean {
    return this.#open.delete(message);
  }

  /** @returns whether it belongs to one of them */
  take(event: SessionEvent): boolean {
    let isOwn = this.active !== undefined;
    for (const { gatherer } of this.#open) {
      gatherer.take(event);
      isOwn ||= gatherer.isActive;
    }
    return isOwn;
  }
}
