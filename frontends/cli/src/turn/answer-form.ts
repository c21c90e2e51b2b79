import { type JsonValue, type UserContent, userText } from "@capstan/protocol";

/** What a run's answer must be like. */
export interface AnswerForm {
  /** Words that ask the model for it. */
  readonly request: string;
  check(text: string): CheckedAnswer;
}

/** `text`: the answer without what models put around it. */
export type CheckedAnswer =
  | { readonly type: "fits"; readonly text: string; readonly value: JsonValue }
  | { readonly type: "wrong"; readonly problem: string };

/** A user's words, and the form of the answer after them; words that are sent again have it already. */
export function withForm(content: readonly UserContent[], form: AnswerForm | undefined): readonly UserContent[] {
  if (form === undefined || content.length === 0) return content;
  const isThere = content.some((part) => part.type === "text" && part.text === form.request);
  return isThere ? content : [...content, ...userText(form.request)];
}

/** For whoever looks on. */
export function asksAgainText(problem: string): string {
  return `the answer does not fit the schema, and is asked for again: ${problem}`;
}
