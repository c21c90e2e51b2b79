import { AppError, type Interaction, type InteractionAnswer, type JsonObject } from "@capstan/protocol";

/** What an answer may say, as the client names it. */
export const answerWords = [
  "approve",
  "deny",
  "edit",
  "reply",
  "proceed",
  "proceed-clean",
  "adjust",
  "cancel",
  "continue",
  "stop",
  "accept-as-done",
  "run-again",
  "undo",
  "tell-model",
  "discard",
] as const;

type AnswerWord = (typeof answerWords)[number];

/** An answer as a client gives it. */
export interface GivenAnswer {
  readonly answer: AnswerWord;
  readonly message?: string | undefined;
  /** With `edit`. */
  readonly arguments?: JsonObject | undefined;
  /** With `reply`: one entry per question, in order. */
  readonly replies?: readonly (string | readonly string[])[] | undefined;
}

/** The words that fit a question. An approval counts for this one call: what is remembered, a user decides elsewhere. */
export function fittingWords({ request }: Interaction): readonly AnswerWord[] {
  switch (request.type) {
    case "approval":
      return ["approve", "deny", "edit"];
    case "question":
      return ["reply", "deny"];
    case "plan-review":
      return ["proceed", "proceed-clean", "adjust", "cancel"];
    case "budget":
      return ["continue", "stop"];
    case "recovery":
      return ["accept-as-done", "run-again", "undo", "tell-model", "discard"];
  }
}

/** The answer that is meant, bound to exactly what was asked. @throws AppError `usage.invalid` for one that does not fit */
export function answerOf(interaction: Interaction, given: GivenAnswer): InteractionAnswer {
  const { digest } = interaction;
  const { answer, message } = given;
  const fitting = fittingWords(interaction);
  if (!fitting.includes(answer))
    throw new AppError("usage.invalid", `answer: ${answer} does not fit this question`, {
      hint: `It takes ${fitting.join(", ")}.`,
    });
  switch (answer) {
    case "approve":
      return { type: "approve", digest };
    case "deny":
      return { type: "deny", ...(message === undefined ? {} : { message }) };
    case "edit":
      return { type: "edit", digest, arguments: needed(given.arguments, "arguments", answer) };
    case "reply":
      return {
        type: "reply",
        answers: needed(given.replies, "replies", answer).map((one) => (typeof one === "string" ? [one] : one)),
      };
    case "proceed":
    case "proceed-clean":
    case "adjust":
    case "cancel":
      return { type: "plan", digest, decision: answer, ...(message === undefined ? {} : { message }) };
    case "continue":
    case "stop":
    case "accept-as-done":
    case "run-again":
    case "undo":
    case "tell-model":
    case "discard":
      return { type: answer };
  }
}

function needed<Value>(value: Value | undefined, field: string, answer: AnswerWord): Value {
  if (value !== undefined) return value;
  throw new AppError("usage.invalid", `${field}: the answer ${answer} needs it`);
}
