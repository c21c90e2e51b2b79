import {
  type CancelReason,
  type InteractionAnswer,
  messageOf,
  type Receipt,
  type Submission,
  type UserContent,
} from "@capstan/protocol";
import { draftOf, isEmptyDraft } from "../draft/draft.ts";
import type { Tui } from "./tui.ts";

/** Says why where it was refused. */
export async function submit(tui: Tui, submission: Submission): Promise<Receipt> {
  try {
    const receipt = await tui.session.client.submit(submission);
    if (receipt.type === "refused")
      tui.say(`${receipt.reason}${receipt.hint === undefined ? "" : ` — ${receipt.hint}`}`);
    return receipt;
  } catch (error) {
    tui.say(messageOf(error));
    return { type: "refused", code: "session.closed", reason: messageOf(error) };
  }
}

/** An answer to what waits; to what does no longer, nothing is sent. */
export async function answer(tui: Tui, id: string, given: InteractionAnswer): Promise<void> {
  const interaction = tui.session.pending.find((pending) => pending.id === id);
  if (interaction !== undefined) await submit(tui, { type: "answer", interactionId: interaction.id, answer: given });
}

/** Words for the model: a turn, or, while one runs, what waits for its end. */
export async function send(
  tui: Tui,
  content: readonly UserContent[],
  delivery: "queue" | "steer" = "queue",
): Promise<void> {
  const receipt = await submit(tui, { type: "user-input", turnId: tui.engine.newTurnId(), content, delivery });
  if (receipt.type === "accepted") return;
  // Words that were refused are a draft again; what was typed since stays.
  const text = textOf(content);
  if (isEmptyDraft(tui.draft)) tui.draft = draftOf(text);
  tui.draftChanged();
}

/** Stops the turn; what waited in line comes back as a draft. */
export async function cancel(tui: Tui, reason: CancelReason): Promise<void> {
  const { openTurn, transcript } = tui.session;
  if (openTurn === null) return;
  const queued = transcript.queued.map(({ words }) => textOf(words));
  const receipt = await submit(tui, { type: "cancel", reason, turnId: openTurn, queued: "hand-back" });
  if (receipt.type === "accepted" && queued.length > 0) tui.handBack(queued.join("\n"));
}

/** What of words is text. */
export function textOf(words: readonly { readonly type: string; readonly text?: string }[]): string {
  return words.flatMap(({ text }) => (text === undefined ? [] : [text])).join("\n");
}
