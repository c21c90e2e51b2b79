import { type UserContent, userText } from "@capstan/protocol";
import {
  type Draft,
  draftOf,
  draftText,
  emptyDraft,
  expandDraft,
  insertImage,
  insertText,
  isEmptyDraft,
  removeBetween,
} from "../draft/draft.ts";
import { isAtEdge } from "../draft/draft-rows.ts";
import { type EditAction, editDraft } from "../draft/edit-draft.ts";
import { customCommands, expandedPrompt } from "../commands/custom-commands.ts";
import { readSlash } from "../commands/slash-commands.ts";
import type { KeyAction } from "../keys/key-actions.ts";
import { runSlash, showHelp, takeBackQueued } from "../commands/commands.ts";
import { complete, offer, slashOffered } from "./offers.ts";
import { findSent, walkSent } from "./sent-input.ts";
import { change } from "./change-draft.ts";
import { rewindTurns } from "../commands/rewind.ts";
import { cancel, send, submit, textOf } from "../run/sending.ts";
import type { Chat } from "../run/chat.ts";

const escapeTwiceMs = 600;
const promptColumns = 3;

/** A key on the draft. */
export function draftChord(chat: Chat, chord: string): void {
  const action = chat.keymap.get(chord);
  if (action !== undefined) draftAction(chat, action);
}

/** Of a draft that text was put into, names are offered. */
export function typedText(chat: Chat): void {
  offer(chat);
}

export function draftAction(chat: Chat, action: KeyAction): void {
  const act = draftActions[action];
  if (act !== undefined) return act(chat);
  const edit = editOf(action, chat);
  if (edit !== null) change(chat, editDraft(chat.draft, edit, draftColumns(chat)));
  offer(chat);
}

/** Those that do more than to edit. */
const draftActions: Readonly<Partial<Record<KeyAction, (chat: Chat) => void>>> = {
  send: entered,
  steer: (chat) => sendDraft(chat, "steer"),
  stop: escaped,
  complete,
  up: (chat) => vertical(chat, "up"),
  down: (chat) => vertical(chat, "down"),
  older: (chat) => walkSent(chat, "older"),
  newer: (chat) => walkSent(chat, "newer"),
  "search-sent": (chat) => void findSent(chat),
  "take-back": (chat) => void takeBackQueued(chat),
  editor: (chat) => void inEditor(chat),
  "paste-image": (chat) => void pasteImage(chat),
  tasks: (chat) => chat.toggleTasks(),
  help: showHelp,
};

/** How an action edits the draft; `null`: it does not. */
function editOf(action: KeyAction, chat: Chat): EditAction | null {
  switch (action) {
    case "delete-right-or-quit":
      if (!isEmptyDraft(chat.draft)) return "delete-right";
      chat.quit();
      return null;
    case "left":
    case "right":
    case "word-left":
    case "word-right":
    case "line-start":
    case "line-end":
    case "draft-start":
    case "draft-end":
    case "newline":
    case "delete-left":
    case "delete-right":
    case "kill-word-left":
    case "kill-word-right":
    case "kill-line-start":
    case "kill-line-end":
    case "yank":
    case "undo":
    case "redo":
      return action;
    default:
      return null;
  }
}

/** Cells of a row of the draft. */
function draftColumns(chat: Chat): number {
  return Math.max(1, chat.columns - promptColumns);
}

function entered(chat: Chat): void {
  const { draft } = chat;
  const { caret, lines } = draft;
  const line = lines[caret.line] ?? [];
  if (line[caret.at - 1] === "\\" && caret.at === line.length) {
    const without = removeBetween(draft, { line: caret.line, at: caret.at - 1 }, caret);
    return change(chat, insertText(without, "\n"));
  }
  sendDraft(chat, "queue");
}

/** Sends the draft, or runs what it says. It is empty from then on; what is refused comes back. */
export function sendDraft(chat: Chat, delivery: "queue" | "steer"): void {
  const { draft } = chat;
  const text = draftText(draft);
  if (!chat.hasSession || text.trim() === "") return;
  const offered = slashOffered(chat);
  const slash = slashOf(chat, offered ?? text);
  chat.draft = emptyDraft;
  chat.offers = [];
  chat.forget(draft);
  const expanded = expandedPrompt(chat, offered ?? text);
  if (expanded !== null) return sendExpanded(chat, expanded, { draft, delivery });
  if (slash?.type === "unknown" && isOneLine(text)) {
    chat.draft = draft;
    const nearest = slash.nearest === null ? "/help lists them" : `nearest: /${slash.nearest}`;
    chat.say(`There is no command /${slash.word}; ${nearest}. Put a blank before it to send it as words.`);
    return;
  }
  chat.draftChanged();
  if (slash?.type === "command") void runSlash(chat, slash.name, slash.rest);
  else if (/^#[^#]/.test(text) && isOneLine(text)) void runSlash(chat, "remember", text.slice(1).trim());
  else if (text.startsWith("!")) void runForUser(chat, text.slice(1).trim());
  else void sendWords(chat, expandDraft(draft), delivery);
}

function slashOf(chat: Chat, text: string): ReturnType<typeof readSlash> {
  const custom = text.startsWith("/") ? customCommands(chat) : [];
  return readSlash(
    text,
    custom.map(({ name }) => name),
  );
}

/** What a command that stands for a prompt says is sent in its place; where it cannot be used, the draft comes back. */
function sendExpanded(
  chat: Chat,
  expanded: NonNullable<ReturnType<typeof expandedPrompt>>,
  { draft, delivery }: { readonly draft: Draft; readonly delivery: "queue" | "steer" },
): void {
  if ("problem" in expanded) {
    chat.draft = draft;
    return chat.say(expanded.problem);
  }
  chat.draftChanged();
  if ("script" in expanded) return void runForUser(chat, expanded.script);
  const content = userText(expanded.prompt);
  void (expanded.mayAttach ? sendWords(chat, content, delivery) : send(chat, content, delivery));
}

function isOneLine(text: string): boolean {
  return !text.trim().includes("\n");
}

async function sendWords(chat: Chat, content: readonly UserContent[], delivery: "queue" | "steer"): Promise<void> {
  const words = textOf(content);
  const { attachments, missing } = await chat.surroundings.referencesOf(words);
  const [first] = missing;
  if (first !== undefined) chat.say(`@${first} names no file here; it stays a word`);
  await send(chat, [...attachments, ...content], delivery);
}

async function runForUser(chat: Chat, script: string): Promise<void> {
  if (script === "") return chat.say("Write a command after the !");
  const receipt = await submit(chat, { type: "run-for-user", turnId: chat.engine.newTurnId(), command: { script } });
  if (receipt.type === "refused") chat.handBack(`!${script}`);
}

/** Stops the turn where nothing is written; twice at rest it asks what to take back. */
function escaped(chat: Chat): void {
  if (chat.offers.length > 0) {
    chat.offers = [];
    chat.offersAreClosed = true;
    return;
  }
  const isWriting = !isEmptyDraft(chat.draft);
  // Normal mode writes nothing, whatever stands in the draft.
  if (!chat.hasSession || (isWriting && chat.vim === null)) return;
  if (chat.session.openTurn !== null) return void cancel(chat, "interrupted");
  if (isWriting) return;
  const now = Date.now();
  if (now - chat.escapedAt < escapeTwiceMs) return void rewindTurns(chat);
  chat.escapedAt = now;
}

function vertical(chat: Chat, chord: "up" | "down"): void {
  const by = chord === "up" ? -1 : 1;
  if (chat.offers.length > 0) {
    chat.offerAt = Math.max(0, Math.min(chat.offers.length - 1, chat.offerAt + by));
    return offer(chat);
  }
  if (isAtEdge(chat.draft, by, draftColumns(chat))) return walkSent(chat, by === -1 ? "older" : "newer");
  change(chat, editDraft(chat.draft, chord, draftColumns(chat)));
}

async function pasteImage(chat: Chat): Promise<void> {
  const image = await chat.surroundings.clipboardImage();
  if ("problem" in image) return chat.say(image.problem);
  change(chat, insertImage(chat.draft, image));
}

async function inEditor(chat: Chat): Promise<void> {
  const edited = await chat.lend(() => chat.surroundings.edit(draftText(chat.draft), "md"));
  if ("problem" in edited) return chat.say(edited.problem);
  change(chat, draftOf(edited.text.replace(/\n$/, "")));
}
