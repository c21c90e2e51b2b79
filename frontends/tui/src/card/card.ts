import type { InteractionAnswer } from "@capstan/protocol";
import { withoutLastLetter } from "../draft/typed-line.ts";
import { type Asked, type CardChoice, cardChoices, denial } from "./card-choices.ts";

/** Without a key for so long, a card may take the focus. */
export const quietMs = 500;

/**
 * What waits for the user, as a card above the draft. Nothing is answered that was not seen: only a focused card takes answers, and
 * only by keys that came after it was painted so.
 */
export interface Card {
  /** What is asked about together: calls of one step, or one interaction. */
  readonly ids: readonly string[];
  /** ms since 1970; infinite once an answer was sent: it takes the focus no more. */
  readonly openedAt: number;
  readonly focus: "draft" | "card";
  /** It takes the focus only when it is led there: it was put away, or it is nothing that work waits for. */
  readonly waitsForTab: boolean;
  /** It stands on the screen as it is, focus included. */
  readonly isPainted: boolean;
  /** Of several calls, the one that is looked at, and those that an answer is for. */
  readonly at: number;
  readonly selected: readonly string[];
  /** Of the answers, the one that Enter takes; `null`: none, as at first. */
  readonly chosen: number | null;
  /** The line that is being written for an answer. */
  readonly words: { readonly digit: string; readonly text: string } | null;
  /** Of a question with several parts, what was answered so far. */
  readonly replies: readonly (readonly string[])[];
  /** Options of the part that is looked at, where several may be chosen. */
  readonly marked: readonly string[];
  /** Those whose details were looked at: only then a yes can hold for good. */
  readonly examined: readonly string[];
  /** `d` was pressed once: again denies all. */
  readonly deniesNext: boolean;
}

/** What a key on a card leads to. */
export type CardIntent =
  | { readonly type: "answer"; readonly id: string; readonly answer: InteractionAnswer }
  | { readonly type: "edit"; readonly id: string }
  | { readonly type: "details"; readonly id: string }
  | { readonly type: "resume" }
  | { readonly type: "discard" }
  | { readonly type: "settle"; readonly decision: "apply" | "refuse"; readonly ids: readonly string[] }
  | { readonly type: "later" };

export interface CardUpdate {
  readonly card: Card;
  readonly intents: readonly CardIntent[];
  /** The key was no matter of the card's: it belongs to the draft. */
  readonly isForDraft: boolean;
}

/** Approvals of one step are asked about together, and so are proposed files; anything else by itself. */
function askedTogether(pending: readonly Asked[]): readonly Asked[] {
  const [first] = pending;
  if (first === undefined) return [];
  const { type } = first.request;
  return type === "approval" || type === "proposed" ? pending.filter(({ request }) => request.type === type) : [first];
}

/** The card for what waits now; the same as before where that is what it was about. */
export function cardFor(before: Card | null, pending: readonly Asked[], now: number): Card | null {
  const together = askedTogether(pending);
  const ids = together.map(({ id }): string => id);
  const waitsForTab = together[0]?.request.type === "proposed";
  if (ids.length === 0) return null;
  if (before !== null && ids.every((id) => before.ids.includes(id))) {
    if (ids.length === before.ids.length) return before;
    // Some were answered: those that are left stand where they stood, and nothing is chosen for them.
    const selected = before.selected.filter((id) => ids.includes(id));
    return { ...newCard(ids, waitsForTab, now), selected: selected.length === 0 ? ids : selected };
  }
  return newCard(ids, waitsForTab, now);
}

function newCard(ids: readonly string[], waitsForTab: boolean, now: number): Card {
  return {
    ids,
    openedAt: now,
    focus: "draft",
    waitsForTab,
    isPainted: false,
    at: 0,
    selected: ids,
    chosen: null,
    words: null,
    replies: [],
    marked: [],
    examined: [],
    deniesNext: false,
  };
}

/** A card takes the focus by itself when nobody has typed for a while and the draft has no words. */
export function withFocus(card: Card, draftIsEmpty: boolean, lastKeyAt: number, now: number): Card {
  if (!mayTakeFocus(card, draftIsEmpty, now) || now - lastKeyAt < quietMs) return card;
  return { ...card, focus: "card", isPainted: false };
}

/** It will have the focus when it has been quiet for long enough. */
export function mayTakeFocus(card: Card, draftIsEmpty: boolean, now: number): boolean {
  return card.focus === "draft" && draftIsEmpty && card.openedAt <= now && !card.waitsForTab;
}

/** The ways to answer that a card offers now. */
export function choicesOf(card: Card, pending: readonly Asked[]): readonly CardChoice[] {
  const interaction = lookedAt(card, pending);
  if (interaction === undefined) return [];
  const choices = cardChoices(interaction, card.replies.length);
  return card.ids.length === 1 && card.examined.includes(interaction.id)
    ? choices
    : choices.filter(({ means }) => !holdsForGood(means));
}

function holdsForGood(means: CardChoice["means"]): boolean {
  return means.type === "answer" && means.answer.type === "approve" && means.answer.scope === "always";
}

export function lookedAt({ ids, at }: Card, pending: readonly Asked[]): Asked | undefined {
  return pending.find(({ id }) => id === ids[at]);
}

/**
 * A key that came while the card stood focused and painted.
 * @param key  a chord, or the characters that were typed
 */
export function cardKey(card: Card, pending: readonly Asked[], key: string): CardUpdate {
  const interaction = lookedAt(card, pending);
  if (interaction === undefined) return forDraft(card);
  if (card.words !== null) return wordsKey(card, pending, interaction, key);
  const choices = choicesOf(card, pending);
  const move = moveOf(key, card, choices.length);
  if (move !== null) return kept({ ...card, ...move, deniesNext: false });
  if (key === "enter") {
    if (isMultiple(interaction, card) && card.marked.length > 0) return replied(card, interaction, card.marked);
    const choice = card.chosen === null ? undefined : choices[card.chosen];
    return choice === undefined ? kept(card) : take(card, pending, interaction, choice);
  }
  if (/^[1-9]$/.test(key)) {
    const choice = choices.find(({ digit }) => digit === key);
    return choice === undefined ? kept(card) : take(card, pending, interaction, choice);
  }
  return letterKey(card, pending, interaction, key);
}

function moveOf(key: string, card: Card, choices: number): Partial<Card> | null {
  const many = card.ids.length > 1;
  switch (key) {
    case "left":
      return { chosen: card.chosen === null ? choices - 1 : (card.chosen + choices - 1) % choices };
    case "right":
    case "tab":
      return { chosen: card.chosen === null ? 0 : (card.chosen + 1) % choices };
    case "up":
      if (many) return { at: (card.at + card.ids.length - 1) % card.ids.length };
      return { chosen: card.chosen === null ? choices - 1 : (card.chosen + choices - 1) % choices };
    case "down":
      if (many) return { at: (card.at + 1) % card.ids.length };
      return { chosen: card.chosen === null ? 0 : (card.chosen + 1) % choices };
    default:
      return null;
  }
}

/** Letters grant nothing. */
function letterKey(card: Card, pending: readonly Asked[], interaction: Asked, key: string): CardUpdate {
  const { id, request } = interaction;
  if (key === "escape") return later(card);
  if (key === "v" && request.type !== "question") {
    const examined = { ...card, examined: [...card.examined, id], isPainted: false, deniesNext: false };
    return { ...kept(examined), intents: [{ type: "details", id }] };
  }
  const recovered = recoveryIntent(interaction, key.toLowerCase());
  if (recovered !== null) return sent(card, [recovered]);
  if (card.ids.length > 1) return listKey(card, interaction, key) ?? forDraft(card);
  const means = card.chosen === null ? undefined : choicesOf(card, pending)[card.chosen]?.means;
  if (key !== " " || means?.type !== "reply" || !isMultiple(interaction, card)) return forDraft(card);
  return kept({ ...card, marked: toggled(card.marked, means.label) });
}

/** Letters that carry on after a crash, or end what it left; `null`: the key is none. */
function recoveryIntent({ id, request }: Asked, key: string): CardIntent | null {
  if (key !== "r" && key !== "d") return null;
  if (request.type === "recovery")
    return { type: "answer", id, answer: { type: key === "r" ? "run-again" : "discard" } };
  if (request.type !== "left-open" || (key === "d" && !request.hasTurn)) return null;
  return { type: key === "r" ? "resume" : "discard" };
}

/** Keys of a list of calls; `null`: it is none. */
function listKey(card: Card, { id, request }: Asked, key: string): CardUpdate | null {
  if (key === " ") return kept({ ...card, selected: toggled(card.selected, id) });
  if (key === "a") return kept({ ...card, selected: card.ids });
  if (key !== "d") return null;
  if (!card.deniesNext) return kept({ ...card, deniesNext: true });
  if (request.type === "proposed") return sent(card, [{ type: "settle", decision: "refuse", ids: card.ids }]);
  return sent(
    card,
    card.ids.map((each) => ({ type: "answer", id: each, answer: denial("") })),
  );
}

function isMultiple({ request }: Asked, { replies }: Card): boolean {
  return request.type === "question" && request.questions[replies.length]?.multiple === true;
}

function toggled(list: readonly string[], entry: string): readonly string[] {
  return list.includes(entry) ? list.filter((known) => known !== entry) : [...list, entry];
}

function take(card: Card, pending: readonly Asked[], interaction: Asked, choice: CardChoice): CardUpdate {
  const { means } = choice;
  switch (means.type) {
    case "answer":
      return answered(card, pending, choice, means.answer);
    case "words":
      return kept({ ...card, words: { digit: choice.digit, text: "" } });
    case "reply":
      if (isMultiple(interaction, card)) {
        const marked = toggled(card.marked, means.label);
        return kept({ ...card, marked });
      }
      return replied(card, interaction, [means.label]);
    case "edit":
      return { ...kept(card), intents: [{ type: "edit", id: interaction.id }] };
    case "resume":
    case "discard":
      return sent(card, [{ type: means.type }]);
    case "settle": {
      const ids = markedIds(card);
      return ids.length === 0 ? kept(card) : sent(card, [{ type: "settle", decision: means.decision, ids }]);
    }
    case "later":
      return later(card);
  }
}

/** It stays, and takes the focus no more until somebody leads it there: what is typed next is words. */
function later(card: Card): CardUpdate {
  const away = { ...card, focus: "draft", waitsForTab: true, isPainted: false, deniesNext: false } as const;
  return { ...kept(away), intents: [{ type: "later" }] };
}

/** Of several, those that are marked. */
function markedIds({ ids, selected }: Card): readonly string[] {
  return ids.length > 1 ? ids.filter((id) => selected.includes(id)) : ids;
}

/** An answer for several calls is, for each, the same way of answering it: bound to what it would do. */
function answered(card: Card, pending: readonly Asked[], { digit }: CardChoice, given: InteractionAnswer): CardUpdate {
  const intents = markedIds(card).flatMap((id): readonly CardIntent[] => {
    if (given.type !== "approve") return [{ type: "answer", id, answer: given }];
    const other = pending.find((entry) => entry.id === id);
    const same = other === undefined ? undefined : cardChoices(other).find((choice) => choice.digit === digit)?.means;
    return same?.type === "answer" ? [{ type: "answer", id, answer: same.answer }] : [];
  });
  return intents.length === 0 ? kept(card) : sent(card, intents);
}

function wordsKey(card: Card, pending: readonly Asked[], interaction: Asked, key: string): CardUpdate {
  const words = card.words ?? { digit: "", text: "" };
  if (key === "escape") return kept({ ...card, words: null });
  if (key === "backspace") return kept({ ...card, words: { ...words, text: withoutLastLetter(words.text) } });
  if (key === "ctrl+u") return kept({ ...card, words: { ...words, text: "" } });
  if (key !== "enter") return kept(card);
  const choice = choicesOf(card, pending).find(({ digit }) => digit === words.digit);
  if (choice?.means.type !== "words") return kept({ ...card, words: null });
  if (interaction.request.type === "question") {
    return words.text.trim() === "" ? kept(card) : replied({ ...card, words: null }, interaction, [words.text.trim()]);
  }
  const given = choice.means.answer(words.text);
  return given === null ? kept(card) : answered({ ...card, words: null }, pending, choice, given);
}

/** What is typed into the line that an answer takes. */
export function cardText(card: Card, text: string): Card {
  return card.words === null ? card : { ...card, words: { ...card.words, text: card.words.text + text } };
}

/** One question is answered: the next is asked, or all answers are sent. */
function replied(card: Card, interaction: Asked, reply: readonly string[]): CardUpdate {
  if (interaction.request.type !== "question") return kept(card);
  const replies = [...card.replies, reply];
  if (replies.length < interaction.request.questions.length)
    return kept({ ...card, replies, marked: [], chosen: null, isPainted: false });
  const intent: CardIntent = { type: "answer", id: interaction.id, answer: { type: "reply", answers: replies } };
  return sent(card, [intent]);
}

/** What was answered takes no second answer: until it is gone, keys are the draft's. */
function sent(card: Card, intents: readonly CardIntent[]): CardUpdate {
  return { ...kept({ ...card, focus: "draft", isPainted: false, openedAt: Number.POSITIVE_INFINITY }), intents };
}

function kept(card: Card): CardUpdate {
  return { card, intents: [], isForDraft: false };
}

function forDraft(card: Card): CardUpdate {
  return { card: { ...card, focus: "draft", isPainted: false, deniesNext: false }, intents: [], isForDraft: true };
}
