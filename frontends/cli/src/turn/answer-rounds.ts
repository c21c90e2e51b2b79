import { type UserContent, userText } from "@capstan/protocol";
import { maxAnswerRepairs } from "../limits.ts";
import type { AnswerForm } from "./answer-form.ts";
import type { RunResult } from "./run-result.ts";

/** Asks again for an answer that does not have its form, a few times, and says in the end what became of it. */
export class AnswerRounds {
  readonly #form: AnswerForm | undefined;
  #asked = 0;

  constructor(form: AnswerForm | undefined) {
    this.#form = form;
  }

  /** What the next turn says; `undefined`: there is none, and the result stands. */
  next({
    outcome,
    text,
  }: RunResult): { readonly problem: string; readonly content: readonly UserContent[] } | undefined {
    if (this.#form === undefined || outcome !== "done" || this.#asked === maxAnswerRepairs) return undefined;
    const checked = this.#form.check(text);
    if (checked.type === "fits") return undefined;
    this.#asked += 1;
    const { problem } = checked;
    return { problem, content: userText(`Your answer was not accepted: ${problem}.\n\n${this.#form.request}`) };
  }

  /** An answer that does not have its form is no success. What was cut off is no answer, even where it has the form. */
  judged(result: RunResult): RunResult {
    const form = this.#form;
    if (form === undefined) return result;
    if (result.outcome !== "done" && result.outcome !== "tool-denied") return this.#withoutRequest(result, form);
    const checked = form.check(result.text);
    if (checked.type === "fits") return { ...result, text: checked.text, structuredOutput: checked.value };
    if (result.outcome !== "done") return result;
    return {
      ...result,
      outcome: "error",
      error: {
        code: "answer.schema",
        message: `the answer does not fit the schema: ${checked.problem}`,
        hint: "What it says is kept in the session. Make the schema simpler, or ask another model.",
      },
    };
  }

  /** What is handed back to try again with are the user's words, and nothing that was put to them. */
  #withoutRequest({ draft, ...result }: RunResult, { request }: AnswerForm): RunResult {
    if (draft === undefined || this.#asked > 0) return result;
    return { ...result, draft: draft.endsWith(`\n${request}`) ? draft.slice(0, -request.length - 1) : draft };
  }
}
