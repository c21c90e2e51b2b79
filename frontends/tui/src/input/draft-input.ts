import type { UserContent } from "@capstan/protocol";
import { inertLine } from "@capstan/view";
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
import { editDraft } from "../draft/edit-draft.ts";
import { entryText, searchHistory, takeEntry, walkHistory } from "../draft/history.ts";
import { readSlash } from "../commands/slash-commands.ts";
import { draftKeys } from "./draft-keys.ts";
import { runSlash, showHelp, showTasks, takeBackQueued } from "../commands/commands.ts";
import { complete, offer, slashOffered } from "./offers.ts";
import { rewindTurns } from "../commands/rewind.ts";
import { cancel, send, submit, textOf } from "../run/sending.ts";
import type { Chat } from "../run/chat.ts";

const escapeTwiceMs = 600;
const promptColumns = 3;
const entryCharacters = 200;

/** A key on the draft; `typed`: text was put in. */
export function draftChord(chat: Chat, chord: string): void {
  switch (chord) {
    case "enter":
      return entered(chat);
    case "ctrl+enter":
    case "ctrl+s":
      return sendDraft(chat, "steer");
    case "escape":
      return escaped(chat);
    case "tab":
      return complete(chat);
    case "up":
    case "down":
      return vertical(chat, chord);
    case "ctrl+p":
      return walk(chat, "older");
    case "ctrl+n":
      return walk(chat, "newer");
    case "ctrl+r":
      return void findSent(chat);
    case "alt+up":
      return void takeBackQueued(chat);
    case "ctrl+g":
      return void inEditor(chat);
    case "ctrl+v":
      return void pasteImage(chat);
    case "ctrl+t":
      return showTasks(chat);
    case "?":
      return showHelp(chat);
    case "ctrl+d":
      if (isEmptyDraft(chat.draft)) return chat.quit();
      break;
    default:
      break;
  }
  const action = draftKeys[chord];
  if (action !== undefined) change(chat, editDraft(chat.draft, action, draftColumns(chat)));
  offer(chat);
}

/** Cells of a row of the draft. */
function draftColumns(chat: Chat): number {
  return Math.max(1, chat.columns - promptColumns);
}

function change(chat: Chat, draft: Draft): void {
  if (draft === chat.draft) return;
  chat.draft = draft;
  chat.draftChanged();
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
function sendDraft(chat: Chat, delivery: "queue" | "steer"): void {
  const { draft } = chat;
  const text = draftText(draft);
  if (!chat.hasSession || text.trim() === "") return;
  const offered = slashOffered(chat);
  const slash = readSlash(offered ?? text);
  chat.draft = emptyDraft;
  chat.offers = [];
  chat.forget(draft);
  if (slash?.type === "unknown" && isOneLine(text)) {
    chat.draft = draft;
    const nearest = slash.nearest === null ? "/help lists them" : `nearest: /${slash.nearest}`;
    chat.say(`There is no command /${slash.word}; ${nearest}. Put a blank before it to send it as words.`);
    return;
  }
  chat.draftChanged();
  if (slash?.type === "command") void runSlash(chat, slash.name, slash.rest);
  else if (text.startsWith("!")) void runForUser(chat, text.slice(1).trim());
  else void sendWords(chat, expandDraft(draft), delivery);
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
  if (isAtEdge(chat.draft, by, draftColumns(chat))) return walk(chat, by === -1 ? "older" : "newer");
  change(chat, editDraft(chat.draft, chord, draftColumns(chat)));
}

function walk(chat: Chat, by: "older" | "newer"): void {
  const step = walkHistory(chat.history, chat.draft, by);
  if (step === null) return;
  chat.history = step.history;
  change(chat, step.draft);
}

async function findSent(chat: Chat): Promise<void> {
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
