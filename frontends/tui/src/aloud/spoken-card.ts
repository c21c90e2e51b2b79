import { decisionText, inertLine, questionNotes } from "@capstan/view";
import { counted } from "../cells/cell-view.ts";
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
    asked.request.type === "proposed" ? proposedNote(card) : `Waits for you${count > 1 ? `, 1 of ${count}` : ""}:`,
    ...(asked.request.type === "proposed" ? filesOf(card, pending, now) : matter(card, asked, now)),
    ...choices.map(({ digit, label }) => `${digit}: ${inertLine(label, lineCharacters)}`),
    ...fileChoices(card, pending, choices.length),
    `Type a number and Enter, 0 to read it again. Other words are sent when the turn has ended.`,
  ];
}

/** What is proposed does not stop anybody, and is read when it is asked for. */
export function proposedNote({ ids }: Card): string {
  return `Proposed: changes of ${counted(ids.length, "file")}, none of them made; /proposals reads them.`;
}

/** Of proposed files, those that an answer is for. */
export function spokenSelection(card: Card, pending: readonly Asked[]): string {
  const paths = proposedIn(card, pending).flatMap(({ id, path }) => (card.selected.includes(id) ? [path] : []));
  return `Marked: ${paths.length === 0 ? "none" : paths.join(", ")}. 1 applies them, 2 refuses them.`;
}

function proposedIn(card: Card, pending: readonly Asked[]): readonly { readonly id: string; readonly path: string }[] {
  return pending.flatMap(({ id, request }) =>
    request.type === "proposed" && card.ids.includes(id) ? [{ id, path: request.change.path }] : [],
  );
}

/** All that is proposed, whole. */
function filesOf(card: Card, pending: readonly Asked[], now: number): readonly string[] {
  return pending.flatMap((asked) => (card.ids.includes(asked.id) ? matter(card, asked, now) : []));
}

/** Of several files each has a number, which marks it or takes its mark. @param before  numbers that stand for something else */
function fileChoices(card: Card, pending: readonly Asked[], before: number): readonly string[] {
  const files = proposedIn(card, pending);
  if (files.length < 2) return [];
  return files.map(
    ({ id, path }, at) => `${before + 1 + at}: ${card.selected.includes(id) ? "leave out" : "take in"} ${path}`,
  );
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
