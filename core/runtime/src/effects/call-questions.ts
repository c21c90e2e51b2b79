import type { Stimulus } from "@capstan/engine";
import type { UserReply } from "@capstan/ports";
import type { InteractionEnd, Question, ToolCallId } from "@capstan/protocol";
import { maxQuestionsOfCall } from "../limits.ts";

/** Of one call, with what it takes to journal it. */
export interface AskedQuestion {
  readonly callId: ToolCallId;
  readonly asker: string;
  readonly questions: readonly Question[];
  /** What the call wants to reach, where that is the question. */
  readonly host?: string;
  readonly signal: AbortSignal;
  readonly submit: (stimulus: Stimulus) => Promise<void>;
  /** Whether the session waits for its answer. */
  readonly isOpen: () => boolean;
}

/** What calls under way ask their user, until it is answered. */
export class CallQuestions {
  readonly #waiting = new Map<ToolCallId, (answer: InteractionEnd) => void>();
  readonly #lasts = new Map<ToolCallId, Promise<unknown>>();
  readonly #counts = new Map<ToolCallId, number>();

  /** One after the other; beyond the limit nobody is asked. */
  async ask(asked: AskedQuestion): Promise<UserReply> {
    const { callId } = asked;
    const count = (this.#counts.get(callId) ?? 0) + 1;
    this.#counts.set(callId, count);
    if (count > maxQuestionsOfCall) return { type: "unanswered" };
    const before = this.#lasts.get(callId) ?? Promise.resolve();
    const reply = before.catch(() => undefined).then(async () => await this.#askNow(asked));
    this.#lasts.set(callId, reply);
    return await reply;
  }

  answer(callId: ToolCallId, answer: InteractionEnd): void {
    this.#waiting.get(callId)?.(answer);
  }

  /** The call has ended. */
  forget(callId: ToolCallId): void {
    this.answer(callId, { type: "void" });
    this.#lasts.delete(callId);
    this.#counts.delete(callId);
  }

  async #askNow({ callId, asker, questions, host, signal, submit, isOpen }: AskedQuestion): Promise<UserReply> {
    signal.throwIfAborted();
    const over = new AbortController();
    const given = new Promise<InteractionEnd>((resolve) => {
      this.#waiting.set(callId, resolve);
      signal.addEventListener("abort", () => resolve({ type: "void" }), { once: true, signal: over.signal });
    });
    await submit({ type: "tool-asks", callId, asker, questions, ...(host === undefined ? {} : { host }) });
    // What the session did not take up is answered by nobody; what it has answered by now stays so.
    if (!isOpen()) this.answer(callId, { type: "void" });
    const answer = await given;
    over.abort();
    this.#waiting.delete(callId);
    signal.throwIfAborted();
    if (answer.type === "reply") return { type: "answered", answers: answer.answers };
    return answer.type === "deny" ? { type: "declined" } : { type: "unanswered" };
  }
}

/** As they may be journaled. */
export function redactQuestions(questions: readonly Question[], redact: (text: string) => string): readonly Question[] {
  return questions.map(({ question, options, multiple }) => ({
    question: redact(question),
    options: options.map(({ label, description }) => ({
      label: redact(label),
      ...(description === undefined ? {} : { description: redact(description) }),
    })),
    multiple,
  }));
}
