import type { Interaction, InteractionAnswer, InteractionRequest, ProposedFile, Question } from "@capstan/protocol";
import { answerChoices, approvalOf, type CardChange, type ProgressLine } from "@capstan/view";

/** A way to answer what waits. It is chosen by its number, or by moving to it and Enter. */
export interface CardChoice {
  /** 1 to 9, as it is typed. */
  readonly digit: string;
  readonly label: string;
  readonly means: ChoiceMeans;
}

export type ChoiceMeans =
  | { readonly type: "answer"; readonly answer: InteractionAnswer }
  /** A line is written first; `answer` makes of it what is sent. */
  | { readonly type: "words"; readonly prompt: string; readonly answer: (words: string) => InteractionAnswer | null }
  /** An answer to one question of several. */
  | { readonly type: "reply"; readonly label: string }
  | { readonly type: "edit" }
  /** What an earlier process left open is carried on with, or ended. */
  | { readonly type: "resume" }
  | { readonly type: "discard" }
  /** Proposed changes are made, or dropped. */
  | { readonly type: "settle"; readonly decision: "apply" | "refuse" }
  | { readonly type: "later" };

/** What an earlier process left open in this session. */
export interface LeftOpen {
  readonly id: string;
  readonly digest: string;
  readonly request: {
    readonly type: "left-open";
    /** What was running, and what is known of each call. */
    readonly lines: readonly ProgressLine[];
    /** A turn is open, which can be ended. */
    readonly hasTurn: boolean;
  };
}

/** A file that the session proposes to change. */
export interface Proposed {
  /** Of the proposal and the path, which never stand for anything else. */
  readonly id: string;
  readonly digest: string;
  readonly request: {
    readonly type: "proposed";
    readonly file: ProposedFile;
    /** The call that proposed it. */
    readonly summary: string;
    /** What would change; the path as it is shown. Without lines it is too long to be shown, or no text. */
    readonly change: CardChange;
    /** Why it was left alone when it was applied last. */
    readonly leftAlone: string | null;
  };
}

/** What a card is about. */
export type Asked = Interaction | LeftOpen | Proposed;

/**
 * All ways to answer, but for a question's: those are of the question that is looked at.
 * @param questionAt  which of a request's questions
 */
export function cardChoices(
  { digest, request }: Pick<Asked, "digest" | "request">,
  questionAt = 0,
): readonly CardChoice[] {
  switch (request.type) {
    case "approval":
      return approvalChoices(request, digest);
    case "question":
      return questionChoices(request.questions[questionAt]);
    case "plan-review":
      return planChoices(digest);
    case "budget":
      return numbered([
        ["allow as much again", answer({ type: "continue" })],
        ["stop the turn", answer({ type: "stop" })],
        ["later", { type: "later" }],
      ]);
    case "left-open":
      return numbered([
        ["resume (R)", { type: "resume" }],
        ...(request.hasTurn ? [["discard the turn (D)", { type: "discard" }] as const] : []),
        ["later", { type: "later" }],
      ]);
    case "proposed":
      return numbered([
        ["apply", { type: "settle", decision: "apply" }],
        ["refuse", { type: "settle", decision: "refuse" }],
        ["later", { type: "later" }],
      ]);
    case "recovery":
      return numbered([
        ["run again", answer({ type: "run-again" })],
        ["it is done: go by its result", answer({ type: "accept-as-done" })],
        ["undo its changes", answer({ type: "undo" })],
        ["let the model decide", answer({ type: "tell-model" })],
        ["discard the turn", answer({ type: "discard" })],
        ["later", { type: "later" }],
      ]);
  }
}

function approvalChoices(
  request: Extract<InteractionRequest, { type: "approval" }>,
  digest: string,
): readonly CardChoice[] {
  return answerChoices(request).map(({ number, label, means }): CardChoice => {
    const digit = String(number);
    switch (means.type) {
      case "approve":
        return { digit, label, means: answer(approvalOf({ digest }, means)) };
      case "deny":
        return {
          digit,
          label: "no, with words",
          means: { type: "words", prompt: "Why not (may be empty)", answer: denial },
        };
      case "edit":
      case "later":
        return { digit, label, means };
    }
  });
}

export function denial(words: string): InteractionAnswer {
  const message = words.trim();
  return { type: "deny", ...(message === "" ? {} : { message }) };
}

function questionChoices(question: Question | undefined): readonly CardChoice[] {
  const options = (question?.options ?? []).map(({ label }) => [label, { type: "reply", label }] as const);
  // An answer in words is always possible, and so is none.
  return numbered([
    ...options.slice(0, 6),
    ["in words", { type: "words", prompt: "Answer", answer: () => null }],
    ["no answer", answer({ type: "deny" })],
    ["later", { type: "later" }],
  ]);
}

function planChoices(digest: string): readonly CardChoice[] {
  const plan = (decision: "proceed" | "proceed-clean" | "cancel"): ChoiceMeans =>
    answer({ type: "plan", digest, decision });
  return numbered([
    ["carry it out", plan("proceed")],
    ["carry it out in a fresh context", plan("proceed-clean")],
    [
      "change it, with words",
      {
        type: "words",
        prompt: "What to change",
        answer: (words) =>
          words.trim() === "" ? null : { type: "plan", digest, decision: "adjust", message: words.trim() },
      },
    ],
    ["give it up", plan("cancel")],
    ["later", { type: "later" }],
  ]);
}

function answer(given: InteractionAnswer): ChoiceMeans {
  return { type: "answer", answer: given };
}

function numbered(choices: readonly (readonly [label: string, means: ChoiceMeans])[]): readonly CardChoice[] {
  return choices.map(([label, means], at) => ({ digit: String(at + 1), label, means }));
}
