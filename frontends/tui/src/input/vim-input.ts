import { type Draft, emptyDraft, insertText, isEmptyDraft, labelOf, linesOf } from "../draft/draft.ts";
import { onLetter } from "../draft/vim/spots.ts";
import { toInsert, vimKey } from "../draft/vim/vim.ts";
import { draftAction, draftChord, typedText } from "./draft-input.ts";
import type { Chat } from "../run/chat.ts";

const fewRows = 3;

/** A key on the draft, with or without modes. */
export function draftKey(chat: Chat, chord: string): void {
  const { vim, draft } = chat;
  if (vim === null) return draftChord(chat, chord);
  const step = vimKey({ vim, draft }, chord);
  if (step !== null) return edited(chat, step);
  if (vim.mode !== "insert" && vim.mode !== "normal") chat.vim = { ...vim, mode: "normal" };
  draftChord(chat, chord);
}

/** Text that is not written into the draft, because letters are commands. @returns whether it was taken */
export function takesLetters(chat: Chat, text: string): boolean {
  if (chat.vim === null || chat.vim.mode === "insert") return false;
  const letters = linesOf(text).flat();
  const left = letters.findIndex((letter) => {
    if (typeof letter === "string") command(chat, letter);
    return chat.vim?.mode === "insert";
  });
  // What follows a letter that leads to insert mode is written.
  const words =
    left === -1
      ? ""
      : letters
          .slice(left + 1)
          .map(labelOf)
          .join("");
  if (words !== "") written(chat, words);
  return true;
}

/** After every key: the caret stands where the mode lets it, and a draft that was sent is no visit to insert mode. */
export function settleVim(chat: Chat): void {
  const { vim, draft } = chat;
  if (vim === null) return;
  if (vim.mode !== "insert") chat.draft = onLetter(draft);
  else if (draft === emptyDraft) chat.vim = { ...vim, insertion: null };
}

function command(chat: Chat, letter: string): void {
  const { vim, draft } = chat;
  if (vim === null) return;
  const isAtRest = isEmptyDraft(draft) && vim.mode === "normal" && vim.keys.length === 0;
  const act = isAtRest ? atRest[letter] : undefined;
  if (act !== undefined) return act(chat);
  const step = vimKey({ vim, draft }, letter);
  if (step !== null) edited(chat, step);
}

/** Letters of normal mode where nothing is written. */
const atRest: Readonly<Record<string, (chat: Chat) => void>> = {
  j: (chat) => chat.scroll(-fewRows),
  k: (chat) => chat.scroll(fewRows),
  q: (chat) => chat.quit(),
  s: (chat) => chat.toggleScreen(),
  "?": (chat) => draftAction(chat, "help"),
  "/": (chat) => begun(chat, "/"),
  ":": (chat) => begun(chat, "/"),
  "@": (chat) => begun(chat, "@"),
  "!": (chat) => begun(chat, "!"),
  "#": (chat) => begun(chat, "#"),
};

/** Signs that begin something else than words are written at once. */
function begun(chat: Chat, sign: string): void {
  if (chat.vim === null) return;
  chat.vim = toInsert({ vim: chat.vim, draft: chat.draft }).vim;
  written(chat, sign);
}

function written(chat: Chat, text: string): void {
  chat.draft = insertText(chat.draft, text);
  chat.draftChanged();
  typedText(chat);
}

function edited(chat: Chat, step: { readonly vim: Chat["vim"]; readonly draft: Draft }): void {
  chat.vim = step.vim;
  chat.offers = [];
  if (step.draft.lines !== chat.draft.lines) chat.draftChanged();
  chat.draft = step.draft;
}
