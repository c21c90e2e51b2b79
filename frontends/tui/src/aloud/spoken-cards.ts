import { type Card, cardFor, cardKey, cardText, choicesOf, lookedAt, quietMs } from "../card/card.ts";
import { carryOut } from "../input/card-actions.ts";
import type { Chat } from "../run/chat.ts";
import { proposedNote, spokenCard, spokenMarks, spokenSelection } from "./spoken-card.ts";

/**
 * What waits for the user, one after the other. The law of the card holds: only a number that was written after all of it was said is an
 * answer; any other line is words for the model.
 */
export class SpokenCards {
  readonly #chat: Chat;
  readonly #say: (lines: readonly string[]) => void;
  readonly #ring: () => void;
  /** When the card was said, as it stands; ms since 1970. */
  #saidAt = 0;

  constructor(chat: Chat, say: (lines: readonly string[]) => void, ring: () => void) {
    this.#chat = chat;
    this.#say = say;
    this.#ring = ring;
  }

  /** Says what waits, if that is new; with the bell. */
  speak(): void {
    const before = this.#chat.card;
    const { asked } = this.#chat.session;
    const isProposed = asked[0]?.request.type === "proposed";
    const card = cardFor(before, isProposed ? asked : asked.slice(0, 1), Date.now());
    // All that there is to see is said.
    this.#chat.card = card === null || card === before ? card : { ...card, examined: card.ids };
    if (card === null || card === before) return;
    this.#ring();
    // Nothing waits for it: it is read to whoever wants it.
    if (isProposed) this.#say([proposedNote(card)]);
    else this.#sayCard();
  }

  /** Says what waits once more, whole. */
  lead(): void {
    const { card } = this.#chat;
    if (card === null) return;
    this.#chat.card = { ...card, focus: "card" };
    this.#sayCard();
  }

  /** @returns whether the line was for the card */
  take(line: string): boolean {
    const { card } = this.#chat;
    if (card === null) return false;
    const text = line.trim();
    if (card.words !== null) {
      this.#update(cardText(card, line), "enter");
      return true;
    }
    if (text === "" && card.marked.length > 0) this.#update(card, "enter");
    else if (!/^\d{1,3}$/.test(text)) return false;
    else if (card.openedAt === Number.POSITIVE_INFINITY) this.#say(["Note: the answer is under way."]);
    // It was not read, or was put away: a number is as good a word as any.
    else if (this.#isProposed(card) && card.focus === "draft") return false;
    else if (Date.now() - this.#saidAt < quietMs)
      this.#say(["Note: that came before the question could be read. Write the number again."]);
    else if (text === "0") this.#sayCard();
    else this.#number(card, Number(text));
    return true;
  }

  /** One of the answers; of several proposed files one that is marked, or not any more. */
  #number(card: Card, number: number): void {
    const { asked } = this.#chat.session;
    const at = number - 1 - choicesOf(card, asked).length;
    if (at < 0 || at >= card.ids.length || card.ids.length === 1) return this.#update(card, String(number));
    const { card: marked } = cardKey({ ...card, at }, asked, " ");
    this.#chat.card = marked;
    this.#say([spokenSelection(marked, asked)]);
  }

  #isProposed(card: Card): boolean {
    return lookedAt(card, this.#chat.session.asked)?.request.type === "proposed";
  }

  /** Gives up the line that an answer waits for. @returns whether there was one */
  interrupt(): boolean {
    const { card } = this.#chat;
    if (card === null || card.words === null) return false;
    this.#chat.card = { ...card, words: null };
    this.#sayCard();
    return true;
  }

  #update(before: Card, key: string): void {
    const { session } = this.#chat;
    const { card, intents } = cardKey(before, session.asked, key);
    this.#chat.card = card;
    for (const intent of intents) carryOut(this.#chat, intent);
    if (card.openedAt === Number.POSITIVE_INFINITY || intents.length > 0) return;
    if (card.words !== null) this.#say([`${this.#promptOf(card)} Write it and Enter; Ctrl-C gives it up.`]);
    else if (card.replies.length > before.replies.length) this.#sayCard();
    else if (card.marked !== before.marked) this.#say([spokenMarks(card)]);
    else this.#say([`Note: ${key} is none of the numbers.`]);
  }

  #promptOf(card: Card): string {
    const isQuestion = lookedAt(card, this.#chat.session.asked)?.request.type === "question";
    return isQuestion ? "Your answer:" : "Your words, which may be none:";
  }

  #sayCard(): void {
    const { card, session } = this.#chat;
    if (card === null) return;
    this.#say(spokenCard(card, session.asked, session.asked.length, Date.now()));
    this.#saidAt = Date.now();
  }
}
