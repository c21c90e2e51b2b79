import { inertLine } from "@capstan/view";
import { entryText, searchHistory, takeEntry, walkHistory, withEarlier } from "../draft/history.ts";
import type { Chat } from "../run/chat.ts";
import { sentBefore } from "../run/sent-before.ts";
import { change } from "./change-draft.ts";

const entryCharacters = 200;

/** To what was sent before or after. */
export function walkSent(chat: Chat, by: "older" | "newer"): void {
  if (!walk(chat, by) && by === "older") void walkFurther(chat);
}

function walk(chat: Chat, by: "older" | "newer"): boolean {
  const step = walkHistory(chat.history, chat.draft, by);
  if (step === null) return false;
  chat.history = step.history;
  change(chat, step.draft);
  return true;
}

/** Before all that this process knows; what was typed meanwhile stays. */
async function walkFurther(chat: Chat): Promise<void> {
  if (chat.history.isWhole) return;
  const { draft } = chat;
  await recall(chat);
  if (chat.draft === draft) walk(chat, "older");
}

/** Looks for something that was sent. */
export async function findSent(chat: Chat): Promise<void> {
  await recall(chat);
  const entry = await chat.overlays.pick(
    "What was sent before",
    searchHistory(chat.history, "").map((sent) => ({
      value: sent,
      label: inertLine(entryText(sent), entryCharacters),
      about: "",
    })),
  );
  if (entry === null) return;
  const taken = takeEntry(chat.history, chat.draft, entry);
  chat.history = taken.history;
  change(chat, taken.draft);
}

/** What was sent by processes before this one is looked for once, when somebody goes back. */
async function recall(chat: Chat): Promise<void> {
  if (chat.history.isWhole || !chat.hasSession) return;
  const drafts = await sentBefore(chat).catch(() => []);
  if (!chat.history.isWhole) chat.history = withEarlier(chat.history, drafts);
}
