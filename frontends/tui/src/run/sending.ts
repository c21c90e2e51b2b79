import {
  type CancelReason,
  type InteractionAnswer,
  type InteractionPlace,
  messageOf,
  type Receipt,
  type Submission,
  type UserContent,
} from "@capstan/protocol";
import { cardFor } from "../card/card.ts";
import { draftOf, isEmptyDraft } from "../draft/draft.ts";
import type { Chat } from "./chat.ts";

/** Says why where it was refused. */
export async function submit(chat: Chat, submission: Submission): Promise<Receipt> {
  try {
    const receipt = await chat.session.client.submit(submission);
    if (receipt.type === "refused")
      chat.say(`${receipt.reason}${receipt.hint === undefined ? "" : ` — ${receipt.hint}`}`);
    return receipt;
  } catch (error) {
    chat.say(messageOf(error));
    return { type: "refused", code: "session.closed", reason: messageOf(error) };
  }
}

/** An answer to what waits; to what does no longer, nothing is sent. */
export async function answer(chat: Chat, id: string, given: InteractionAnswer): Promise<void> {
  const interaction = chat.session.pending.find((pending) => pending.id === id);
  if (interaction === undefined) return;
  const entry = chat.session.agentAsking(id);
  if (entry === undefined) await submit(chat, { type: "answer", interactionId: interaction.id, answer: given });
  else await answerAgent(chat, { sessionId: entry.sessionId, interactionId: interaction.id }, given);
}

async function answerAgent(chat: Chat, place: InteractionPlace, given: InteractionAnswer): Promise<void> {
  try {
    const receipt = await chat.engine.interactions.answer(place, given, chat.session.client.identity);
    if (receipt.type === "refused") chat.say(receipt.reason);
  } catch (error) {
    chat.say(messageOf(error));
  }
}

/** Words for the model: a turn, or, while one runs, what waits for its end. */
export async function send(
  chat: Chat,
  content: readonly UserContent[],
  delivery: "queue" | "steer" = "queue",
): Promise<void> {
  const receipt = await submit(chat, { type: "user-input", turnId: chat.engine.newTurnId(), content, delivery });
  if (receipt.type === "accepted") return;
  // Words that were refused are a draft again; what was typed since stays.
  const text = textOf(content);
  if (isEmptyDraft(chat.draft)) chat.draft = draftOf(text);
  chat.draftChanged();
}

/** What an earlier process left open is carried on with. What is refused is asked again. */
export async function resume(chat: Chat): Promise<void> {
  const receipt = await submit(chat, { type: "resume" });
  if (receipt.type === "accepted") chat.session.carriedOn();
  else chat.card = cardFor(null, chat.session.asked, Date.now());
}

/** What an earlier process left open is ended, and this one is free for what comes next. */
export async function discard(chat: Chat): Promise<void> {
  await cancel(chat, "interrupted");
  await resume(chat);
}

/** Proposed changes are made, or dropped; what cannot be made stays proposed, with a card of its own. */
export async function settle(chat: Chat, decision: "apply" | "refuse", ids: readonly string[]): Promise<void> {
  const files = chat.session.asked.flatMap(({ id, request }) =>
    request.type === "proposed" && ids.includes(id) ? [request.file] : [],
  );
  const receipt = await submit(chat, { type: "settle-proposals", decision, files });
  if (receipt.type === "refused") chat.card = cardFor(null, chat.session.asked, Date.now());
}

/** Stops the turn; what waited in line comes back as a draft. */
export async function cancel(chat: Chat, reason: CancelReason): Promise<void> {
  const { openTurn, transcript } = chat.session;
  if (openTurn === null) return;
  const queued = transcript.queued.map(({ words }) => textOf(words));
  const receipt = await submit(chat, { type: "cancel", reason, turnId: openTurn, queued: "hand-back" });
  if (receipt.type === "accepted" && queued.length > 0) chat.handBack(queued.join("\n"));
}

/** What of words is text. */
export function textOf(words: readonly { readonly type: string; readonly text?: string }[]): string {
  return words.flatMap(({ text }) => (text === undefined ? [] : [text])).join("\n");
}
