import { decisionText, inertLine, questionNotes } from "@capstan/view";
import { askedLines } from "../card/asked-lines.ts";
import { type Card, choicesOf, lookedAt } from "../card/card.ts";
import type { Asked } from "../card/card-choices.ts";

const planCharacters = 60_000;
const lineCharacters = 2000;

/** What waits, whole, and the ways to answer it: a number each. @param count  of all that waits */
export function spokenCard(card: Card, pending: readonly Asked[], count: number, now: number): readonly string[] {
  const asked = lookedAt(card, pending);
  if (asked === undefined) return [];
  const choices = choicesOf(card, pending);
  return [
    `Waits for you${count > 1 ? `, 1 of ${count}` : ""}:`,
    ...matter(card, asked, now),
    ...choices.map(({ digit, label }) => `${digit}: ${inertLine(label, lineCharacters)}`),
    `Type a number and Enter, 0 to read it again. Other words are sent when the turn has ended.`,
  ];
}

/** Where several options may be chosen, those that are. */
export function spokenMarks({ marked }: Card): string {
  const names = marked.map((label) => inertLine(label, lineCharacters)).join(", ");
  return `Chosen: ${names === "" ? "none" : names}. Enter alone sends them.`;
}

function matter(card: Card, asked: Asked, now: number): readonly string[] {
  const { request } = asked;
  if (request.type !== "question") return linesOf(askedLines(asked, now).map(({ text }) => text));
  const at = card.replies.length;
  const { question = "", options = [], multiple = false, ...more } = request.questions[at] ?? {};
  const place = request.questions.length > 1 ? ` ${at + 1} of ${request.questions.length}` : "";
  return linesOf([
    `Question${place}: ${decisionText(question, { limitCharacters: planCharacters })}`,
    ...questionNotes(more),
    ...options.flatMap(({ label, description }) => (description === undefined ? [] : [`${label}: ${description}`])),
    ...(multiple ? ["Several may be chosen."] : []),
  ]);
}

function linesOf(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => text.split("\n")).filter((line) => line.trim() !== "");
}
