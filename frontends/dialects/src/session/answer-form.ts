import type { JsonValue, UserContent } from "@capstan/protocol";
import { userText } from "@capstan/protocol";
import { maxAnswerRepairs } from "../limits.ts";
import type { TurnEnd } from "./turn-end.ts";

/** What answers must be like. */
export interface AnswerForm {
  /** Words that ask the model for it. */
  readonly request: string;
  check(
    text: string,
  ):
    | { readonly type: "fits"; readonly text: string; readonly value: JsonValue }
    | { readonly type: "wrong"; readonly problem: string };
}

/** A user's words, and the form of the answer after them. */
export function withForm(content: readonly UserContent[], form: AnswerForm | undefined): readonly UserContent[] {
  return form === undefined ? content : [...content, ...userText(form.request)];
}

/** Asks again for an answer that does not have its form, a few times. */
export class FormRounds {
  readonly #form: AnswerForm | undefined;
  #asked = 0;

  constructor(form: AnswerForm | undefined) {
    this.#form = form;
  }

  /** What the next turn says; `undefined`: there is none, and the end stands. */
  next({ outcome, text }: TurnEnd): readonly UserContent[] | undefined {
    if (this.#form === undefined || outcome !== "done" || this.#asked === maxAnswerRepairs) return undefined;
    const checked = this.#form.check(text);
    if (checked.type === "fits") return undefined;
    this.#asked += 1;
    return userText(`Your answer was not accepted: ${checked.problem}.\n\n${this.#form.request}`);
  }

  /** What was cut off is no answer, even where it has the form. */
  judged(end: TurnEnd): TurnEnd {
    if (this.#form === undefined || (end.outcome !== "done" && end.outcome !== "tool-denied")) return end;
    const checked = this.#form.check(end.text);
    return checked.type === "fits"
      ? { ...end, text: checked.text, structured: checked.value }
      : { ...end, misfit: checked.problem };
  }
}
