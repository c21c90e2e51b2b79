import { inertText } from "@capstan/view";
import { type CardIntent, cardKey, cardText } from "../card/card.ts";
import { draftText, emptyDraft, insertPaste, insertText, isEmptyDraft } from "../draft/draft.ts";
import type { Input } from "../keys/input.ts";
import { pagerKey, pagerText } from "../overlay/pager.ts";
import { pickerKey, pickerText, type PickerUpdate } from "../overlay/picker.ts";
import { editCall, showDetails } from "./card-actions.ts";
import { draftChord } from "./draft-input.ts";
import { nextMode, showTranscript } from "./commands.ts";
import { answer, cancel } from "./sending.ts";
import type { Tui } from "./tui.ts";

/** Longer pastes are one token. */
const pasteLimits = { lines: 10, characters: 1000 };
const quitMs = 2000;
const wheelRows = 3;

/** What the terminal sent, given to whatever it is meant for. */
export function takeInput(tui: Tui, input: Input): void {
  switch (input.type) {
    case "reply":
      return;
    case "focus":
      tui.focused(input.isFocused);
      return;
    case "mouse":
      if (input.action === "wheel-up") tui.scroll(wheelRows);
      if (input.action === "wheel-down") tui.scroll(-wheelRows);
      return;
    case "text":
      takeText(tui, input.text);
      break;
    case "paste":
      takePaste(tui, input.text);
      break;
    case "key":
      takeChord(tui, input.chord);
      break;
  }
  tui.lastKeyAt = Date.now();
}

function takeText(tui: Tui, text: string): void {
  const { card } = tui;
  const overlay = tui.overlays.current;
  if (overlay?.type === "picker") return chosen(tui, pickerText(overlay.picker, text));
  if (overlay?.type === "pager") return paged(tui, pagerText(overlay.pager, text, tui.size));
  if (card?.focus === "card" && card.isPainted) {
    if (card.words !== null) tui.card = cardText(card, text);
    else onCard(tui, text, () => type(tui, text));
    return;
  }
  type(tui, text);
}

function type(tui: Tui, text: string): void {
  if (text === "?" && isEmptyDraft(tui.draft)) return draftChord(tui, "?");
  tui.draft = insertText(tui.draft, text);
  tui.draftChanged();
  draftChord(tui, "typed");
}

function takePaste(tui: Tui, text: string): void {
  const { card } = tui;
  const overlay = tui.overlays.current;
  if (overlay?.type === "picker") return chosen(tui, pickerText(overlay.picker, inertText(text)));
  if (overlay !== null) return;
  if (card?.focus === "card" && card.isPainted && card.words !== null) {
    tui.card = cardText(card, inertText(text).replaceAll("\n", " "));
    return;
  }
  if (card !== null) tui.card = { ...card, focus: "draft", isPainted: false };
  tui.draft = insertPaste(tui.draft, text, pasteLimits);
  tui.draftChanged();
}

function takeChord(tui: Tui, chord: string): void {
  const { card } = tui;
  const overlay = tui.overlays.current;
  if (chord === "ctrl+l") return tui.repaint();
  if (chord === "ctrl+z") return tui.suspend();
  if (overlay?.type === "picker") return chosen(tui, pickerKey(overlay.picker, chord));
  if (overlay?.type === "pager") return paged(tui, pagerKey(overlay.pager, chord, tui.size));
  const everywhere = chatKeys[chord];
  if (everywhere !== undefined) return everywhere(tui);
  if (card?.focus === "card" && card.isPainted)
    return onCard(tui, chord === "space" ? " " : chord, () => draftChord(tui, chord));
  if (chord === "tab" && card !== null && tui.offers.length === 0) {
    tui.card = { ...card, focus: "card", isPainted: false };
    return;
  }
  draftChord(tui, chord);
}

/** Keys of the chat, wherever the focus is. */
const chatKeys: Readonly<Record<string, (tui: Tui) => void>> = {
  "ctrl+c": interrupted,
  "shift+tab": (tui) => void nextMode(tui),
  "ctrl+o": (tui) => void showTranscript(tui),
  "page-up": (tui) => tui.scroll(tui.size.rows - 2),
  "page-down": (tui) => tui.scroll(2 - tui.size.rows),
};

/** A key for the card; what is no matter of it is the draft's. */
function onCard(tui: Tui, key: string, otherwise: () => void): void {
  if (tui.card === null) return;
  const { card, intents, isForDraft } = cardKey(tui.card, tui.session.pending, key);
  tui.card = card;
  for (const intent of intents) carryOut(tui, intent);
  if (isForDraft) otherwise();
}

function carryOut(tui: Tui, intent: CardIntent): void {
  switch (intent.type) {
    case "answer":
      void answer(tui, intent.id, intent.answer);
      return;
    case "details":
      showDetails(tui, intent.id);
      return;
    case "edit":
      void editCall(tui, intent.id);
      return;
    case "later":
      tui.say("It waits. Tab returns to it; `capstan answer` answers it from elsewhere.");
      return;
  }
}

function chosen(tui: Tui, update: PickerUpdate<unknown>): void {
  if (update.type === "open") tui.overlays.replace({ type: "picker", picker: update.picker });
  else tui.overlays.close(update.type === "chosen" ? update.value : null);
}

function paged(tui: Tui, pager: ReturnType<typeof pagerKey>): void {
  if (pager === null) tui.overlays.close();
  else tui.overlays.replace({ type: "pager", pager });
}

/** Clears the draft, else stops the turn, else leaves when it comes twice. */
function interrupted(tui: Tui): void {
  if (tui.card?.words !== null && tui.card !== null) {
    tui.card = { ...tui.card, words: null };
    return;
  }
  if (!isEmptyDraft(tui.draft)) {
    tui.forget(draftText(tui.draft));
    tui.draft = emptyDraft;
    return tui.draftChanged();
  }
  if (tui.hasSession && tui.session.openTurn !== null) return void cancel(tui, "interrupted");
  const now = Date.now();
  if (now - tui.quitAskedAt < quitMs) return tui.quit();
  tui.quitAskedAt = now;
  tui.say("Ctrl-C again to quit");
}
