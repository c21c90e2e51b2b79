import type { Interaction, SessionId } from "@capstan/protocol";
import { inertText, interactionLines } from "@capstan/view";
import { z } from "zod";
import type { CallResult } from "../tools/server-tool.ts";
import type { Rest } from "./follow-turn.ts";
import { fittingWords } from "./given-answer.ts";

/** Something that waits for an answer. */
export interface ShownQuestion {
  readonly id: string;
  readonly type: Interaction["request"]["type"];
  /** What is asked, whole. */
  readonly text: string;
  readonly answers: readonly string[];
}

/** A session as a client learns of it after it began, continued or answered a turn. */
interface ShownRest {
  readonly session: string;
  readonly state: "ended" | "waiting";
  readonly outcome?: string | undefined;
  readonly message?: string | undefined;
  readonly text: string;
  readonly changed: readonly string[];
  readonly costUsd: number | null;
  readonly questions: readonly ShownQuestion[];
}

export const shownQuestion: z.ZodType<ShownQuestion> = z.object({
  id: z.string(),
  type: z.enum(["approval", "question", "plan-review", "budget", "recovery"]),
  text: z.string().describe("what is asked, whole"),
  answers: z.array(z.string()).describe("the answers that fit"),
});

export const shownRest: z.ZodType<ShownRest> = z.object({
  session: z.string(),
  state: z.enum(["ended", "waiting"]).describe("waiting: its turn continues once the questions are answered"),
  outcome: z.string().optional().describe("how the turn ended; done: as it should"),
  message: z.string().optional(),
  text: z.string().describe("the last answer of the model"),
  changed: z.array(z.string()).describe("files that the turn changed"),
  costUsd: z.number().nullable(),
  questions: z.array(shownQuestion),
});

export function shownQuestions(questions: readonly Interaction[]): readonly ShownQuestion[] {
  return questions.map((question) => ({
    id: question.id,
    type: question.request.type,
    text: interactionLines(question, Date.now())
      .map(({ text }) => text)
      .join("\n"),
    answers: fittingWords(question),
  }));
}

/** A turn's end is no error of the call: its outcome says how it went. */
export function restResult(session: SessionId, { report, questions }: Rest): CallResult {
  const { ended, text, changed, spent } = report;
  const data: ShownRest = {
    session,
    state: questions.length > 0 ? "waiting" : "ended",
    ...(ended === null ? {} : { outcome: ended.outcome }),
    ...(ended?.message === undefined ? {} : { message: inertText(ended.message) }),
    text: inertText(text),
    changed,
    costUsd: spent.costUsd,
    questions: shownQuestions(questions),
  };
  return { text: words(data), data };
}

function words({ session, outcome, message, text, questions }: ShownRest): string {
  const said = text === "" ? [] : [text];
  if (questions.length > 0) return [...said, waitingWords(session, questions)].join("\n\n");
  const end = outcome === "done" ? [] : [`The turn ended: ${outcome}${message === undefined ? "" : `: ${message}`}`];
  return [...said, ...end, `(session ${session})`].join("\n\n");
}

/** What waits, for whoever shows it to a user. */
export function waitingWords(session: string, questions: readonly ShownQuestion[]): string {
  const each = questions.map(({ id, text, answers }) => `Question ${id} (answers: ${answers.join(", ")})\n${text}`);
  return [
    `The session ${session} waits for a user's answer. Show the question to the user: they answer it themselves (capstan answer ID), or you hand their answer on with answer_session, where you have that tool.`,
    ...each,
  ].join("\n\n");
}
