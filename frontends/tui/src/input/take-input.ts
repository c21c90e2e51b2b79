import { inertText } from "@capstan/view";
import { cardKey, cardText } from "../card/card.ts";
import { emptyDraft, insertPaste, insertText, isEmptyDraft } from "../draft/draft.ts";
import type { Input } from "../keys/input.ts";
import { pagerKey, pagerText } from "../overlay/pager.ts";
import { pickerKey, pickerText, type PickerUpdate } from "../overlay/picker.ts";
import { carryOut } from "./card-actions.ts";
import type { KeyAction } from "../keys/key-actions.ts";
import { draftAction, typedText } from "./draft-input.ts";
import { draftKey, settleVim, takesLetters } from "./vim-input.ts";
import { nextMode, runSlash, showHelp, showTranscript } from "../commands/commands.ts";
import { cancel } from "../run/sending.ts";
import type { SlashName } from "../commands/slash-commands.ts";
import type { Chat } from "../run/chat.ts";

const quitMs = 2000;
const wheelRows = 3;

/** What the terminal sent, given to whatever it is meant for. */
export function takeInput(chat: Chat, input: Input): void {
  switch (input.type) {
    case "reply":
      return;
    case "focus":
      chat.focused(input.isFocused);
      return;
    case "mouse":
      if (input.action === "wheel-up") chat.scroll(wheelRows);
      if (input.action === "wheel-down") chat.scroll(-wheelRows);
      return;
    case "text":
      takeText(chat, input.text);
      break;
    case "paste":
      takePaste(chat, input.text);
      break;
    case "key":
      takeChord(chat, input.chord);
      break;
  }
  settleVim(chat);
  chat.lastKeyAt = Date.now();
}

function takeText(chat: Chat, text: string): void {
  if (chat.isLeading) return followed(chat, text);
  const { card } = chat;
  const overlay = chat.overlays.current;
  if (overlay?.type === "picker") return chosen(chat, pickerText(overlay.picker, text));
  if (overlay?.type === "pager") return paged(chat, pagerText(overlay.pager, text, chat.size));
  if (card?.focus === "card" && card.isPainted) {
    if (card.words !== null) chat.card = cardText(card, text);
    else onCard(chat, text, () => type(chat, text));
    return;
  }
  type(chat, text);
}

function type(chat: Chat, text: string): void {
  if (takesLetters(chat, text)) return;
  if (text === "?" && isEmptyDraft(chat.draft)) return showHelp(chat);
  chat.draft = insertText(chat.draft, text);
  chat.draftChanged();
  typedText(chat);
}

function takePaste(chat: Chat, text: string): void {
  const { card } = chat;
  const overlay = chat.overlays.current;
  if (overlay?.type === "picker") return chosen(chat, pickerText(overlay.picker, inertText(text)));
  if (overlay !== null) return;
  if (card?.focus === "card" && card.isPainted && card.words !== null) {
    chat.card = cardText(card, inertText(text).replaceAll("\n", " "));
    return;
  }
  if (card !== null) chat.card = { ...card, focus: "draft", isPainted: false };
  chat.draft = insertPaste(chat.draft, text, chat.pasteLimits);
  chat.draftChanged();
}

function takeChord(chat: Chat, chord: string): void {
  const overlay = chat.overlays.current;
  const action = chat.keymap.get(chord);
  if (action === "repaint") return chat.repaint();
  if (action === "suspend") return chat.suspend();
  if (overlay?.type === "picker") return chosen(chat, pickerKey(overlay.picker, chord));
  if (overlay?.type === "pager") return paged(chat, pagerKey(overlay.pager, chord, chat.size));
  chatChord(chat, chord);
}

/** A key where nothing lies over the chat. */
function chatChord(chat: Chat, chord: string): void {
  const { card } = chat;
  if (chat.isLeading) return followed(chat, chord);
  const action = chat.keymap.get(chord);
  const everywhere = action === undefined ? undefined : chatActions[action];
  if (everywhere !== undefined) return everywhere(chat);
  if (card?.focus === "card" && card.isPainted)
    return onCard(chat, chord === "space" ? " " : chord, () => draftKey(chat, chord));
  if (action === "complete" && chat.offers.length === 0 && takesTab(chat)) return;
  draftKey(chat, chord);
}

/** Tab leads to what waits, else to the agents at work. @returns whether there is either */
function takesTab(chat: Chat): boolean {
  const leadsToAgents = chat.card === null && chat.hasAgents && isEmptyDraft(chat.draft);
  if (chat.card !== null) chat.toCard();
  else if (leadsToAgents) runNamed(chat, "agents");
  return chat.card !== null || leadsToAgents;
}

/** What keys do in the chat, wherever the focus is. */
const chatActions: Readonly<Partial<Record<KeyAction, (chat: Chat) => void>>> = {
  interrupt: interrupted,
  lead,
  "next-mode": (chat) => void nextMode(chat),
  transcript: (chat) => void showTranscript(chat),
  "page-up": (chat) => chat.scroll(chat.size.rows - 2),
  "page-down": (chat) => chat.scroll(2 - chat.size.rows),
  model: (chat) => runNamed(chat, "model"),
  sessions: (chat) => runNamed(chat, "sessions"),
  inbox: (chat) => runNamed(chat, "inbox"),
  rewind: (chat) => runNamed(chat, "rewind"),
  screen: (chat) => runNamed(chat, "screen"),
};

/** A key for the card; what is no matter of it is the draft's. */
function onCard(chat: Chat, key: string, otherwise: () => void): void {
  if (chat.card === null) return;
  const { card, intents, isForDraft } = cardKey(chat.card, chat.session.asked, key);
  chat.card = card;
  for (const intent of intents) carryOut(chat, intent);
  if (isForDraft) otherwise();
}

function chosen(chat: Chat, update: PickerUpdate<unknown>): void {
  if (update.type === "open") chat.overlays.replace({ type: "picker", picker: update.picker });
  else if (update.type === "written") chat.overlays.close(update.text);
  else if (update.type === "closed") chat.overlays.close();
  else chat.overlays.close(update.value, update.action);
}

function paged(chat: Chat, pager: ReturnType<typeof pagerKey>): void {
  if (pager === null) chat.overlays.close();
  else chat.overlays.replace({ type: "pager", pager });
}

/** Clears the draft, else stops the turn, else leaves when it comes twice. */
function interrupted(chat: Chat): void {
  if (chat.card?.words !== null && chat.card !== null) {
    chat.card = { ...chat.card, words: null };
    return;
  }
  if (!isEmptyDraft(chat.draft)) {
    chat.forget(chat.draft);
    chat.draft = emptyDraft;
    return chat.draftChanged();
  }
  if (chat.hasSession && chat.session.openTurn !== null) return void cancel(chat, "interrupted");
  const now = Date.now();
  if (now - chat.quitAskedAt < quitMs) return chat.quit();
  chat.quitAskedAt = now;
  chat.say("Ctrl-C again to quit");
}

/** Letters after Ctrl-X. */
const leads: Readonly<Record<string, SlashName>> = {
  m: "model",
  l: "sessions",
  i: "inbox",
  a: "agents",
  r: "rewind",
  s: "screen",
};

function lead(chat: Chat): void {
  chat.isLeading = true;
  const names = Object.entries(leads).map(([letter, name]) => `${letter} ${name}`);
  chat.say(`${names.join(" · ")} · e editor`);
}

/** What is no letter of the list does nothing. */
function followed(chat: Chat, key: string): void {
  chat.isLeading = false;
  const name = leads[key];
  if (key === "e") draftAction(chat, "editor");
  else if (name !== undefined) runNamed(chat, name);
}

function runNamed(chat: Chat, name: SlashName): void {
  if (chat.hasSession) void runSlash(chat, name, "");
}
