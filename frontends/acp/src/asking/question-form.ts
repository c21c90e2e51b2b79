import { type InteractionAnswer, type InteractionRequest, isJsonObject, type Question } from "@capstan/protocol";
import { decisionText, questionNotes } from "@capstan/view";
import { shownCharacters } from "../limits.ts";

type Questions = Extract<InteractionRequest, { type: "question" }>["questions"];

/** The model's questions as a form: for each its options, and words where none of them fits. */
export function questionForm(questions: Questions): object {
  const fields = questions.flatMap((question, at) => fieldsOf(question, at + 1));
  return { type: "object", properties: Object.fromEntries(fields) };
}

/** The message above the form. */
export function formMessage(questions: Questions): string {
  return shown(questions.map(({ question }) => question).join("\n"));
}

/** What a form brought; what is left empty is no answer. */
export function formAnswer(questions: Questions, result: unknown): InteractionAnswer {
  const { action, content } = isJsonObject(result) ? result : {};
  if (action !== "accept" || !isJsonObject(content)) return { type: "deny" };
  const answers = questions.map(({ multiple }, at) => {
    const words = textsIn(content[`words${at + 1}`]);
    const chosen = textsIn(content[`answer${at + 1}`]);
    return multiple ? [...chosen, ...words] : (words.length > 0 ? words : chosen).slice(0, 1);
  });
  return answers.every((answer) => answer.length === 0) ? { type: "deny" } : { type: "reply", answers };
}

function fieldsOf(
  { question, options, multiple, ...more }: Question,
  number: number,
): readonly (readonly [string, object])[] {
  const title = shown([question, ...questionNotes(more)].join("\n"));
  const words = { type: "string", title: options.length === 0 ? title : "Another answer" };
  if (options.length === 0) return [[`words${number}`, words]];
  const choices = options.map(({ label, description }) => ({
    const: label,
    title: shown(label),
    ...(description === undefined ? {} : { description: shown(description) }),
  }));
  const answer = multiple
    ? { type: "array", title, items: { anyOf: choices } }
    : { type: "string", title, oneOf: choices };
  return [
    [`answer${number}`, answer],
    [`words${number}`, words],
  ];
}

function textsIn(value: unknown): readonly string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.flatMap((text) => (typeof text === "string" && text.trim() !== "" ? [text.toWellFormed()] : []));
}

function shown(text: string): string {
  return decisionText(text, { limitCharacters: shownCharacters });
}
