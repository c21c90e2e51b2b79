import type { UserContent } from "@capstan/protocol";
import { inertLine } from "@capstan/view";
import {
  type Draft,
  draftOf,
  draftText,
  emptyDraft,
  expandDraft,
  insertText,
  isEmptyDraft,
  removeBetween,
} from "../draft/draft.ts";
import { isAtEdge } from "../draft/draft-rows.ts";
import { editDraft } from "../draft/edit-draft.ts";
import { walked, withEntry } from "../draft/history.ts";
import { readSlash } from "../ui/slash-commands.ts";
import { draftKeys } from "./draft-keys.ts";
import { runSlash, showHelp, showTasks, takeBackQueued } from "./commands.ts";
import { complete, offer, slashOffered } from "./offers.ts";
import { rewindTurns } from "./rewind.ts";
import { cancel, send, submit, textOf } from "./sending.ts";
import type { Tui } from "./tui.ts";

const escapeTwiceMs = 600;
const promptColumns = 3;
const entryCharacters = 200;

/** A key on the draft; `typed`: text was put in. */
export function draftChord(tui: Tui, chord: string): void {
  switch (chord) {
    case "enter":
      return entered(tui);
    case "ctrl+enter":
    case "ctrl+s":
      return sendDraft(tui, "steer");
    case "escape":
      return escaped(tui);
    case "tab":
      return complete(tui);
    case "up":
    case "down":
      return vertical(tui, chord);
    case "ctrl+p":
      return walk(tui, -1);
    case "ctrl+n":
      return walk(tui, 1);
    case "ctrl+r":
      return void searchHistory(tui);
    case "alt+up":
      return void takeBackQueued(tui);
    case "ctrl+g":
      return void inEditor(tui);
    case "ctrl+t":
      return showTasks(tui);
    case "?":
      return showHelp(tui);
    case "ctrl+d":
      if (isEmptyDraft(tui.draft)) return tui.quit();
      break;
    default:
      break;
  }
  const action = draftKeys[chord];
  if (action !== undefined) change(tui, editDraft(tui.draft, action, draftColumns(tui)));
  offer(tui);
}

/** Cells of a row of the draft. */
function draftColumns(tui: Tui): number {
  return Math.max(1, tui.columns - promptColumns);
}

function change(tui: Tui, draft: Draft): void {
  if (draft === tui.draft) return;
  tui.draft = draft;
  tui.draftChanged();
}

function entered(tui: Tui): void {
  const { draft } = tui;
  const { caret, lines } = draft;
  const line = lines[caret.line] ?? [];
  if (line[caret.at - 1] === "\\" && caret.at === line.length) {
    const without = removeBetween(draft, { line: caret.line, at: caret.at - 1 }, caret);
    return change(tui, insertText(without, "\n"));
  }
  sendDraft(tui, "queue");
}

/** Sends the draft, or runs what it says. It is empty from then on; what is refused comes back. */
function sendDraft(tui: Tui, delivery: "queue" | "steer"): void {
  const { draft } = tui;
  const text = draftText(draft);
  if (!tui.hasSession || text.trim() === "") return;
  const offered = slashOffered(tui);
  const slash = readSlash(offered ?? text);
  tui.draft = emptyDraft;
  tui.offers = [];
  tui.history = withEntry(tui.history, text);
  if (slash?.type === "unknown" && isOneLine(text)) {
    tui.draft = draft;
    const nearest = slash.nearest === null ? "/help lists them" : `nearest: /${slash.nearest}`;
    tui.say(`There is no command /${slash.word}; ${nearest}. Put a blank before it to send it as words.`);
    return;
  }
  tui.draftChanged();
  if (slash?.type === "command") void runSlash(tui, slash.name, slash.rest);
  else if (text.startsWith("!")) void runForUser(tui, text.slice(1).trim());
  else void sendWords(tui, expandDraft(draft), delivery);
}

function isOneLine(text: string): boolean {
  return !text.trim().includes("\n");
}

async function sendWords(tui: Tui, content: readonly UserContent[], delivery: "queue" | "steer"): Promise<void> {
  const words = textOf(content);
  const { attachments, missing } = await tui.surroundings.referencesOf(words);
  const [first] = missing;
  if (first !== undefined) tui.say(`@${first} names no file here; it stays a word`);
  await send(tui, [...attachments, ...content], delivery);
}

async function runForUser(tui: Tui, script: string): Promise<void> {
  if (script === "") return tui.say("Write a command after the !");
  const receipt = await submit(tui, { type: "run-for-user", turnId: tui.engine.newTurnId(), command: { script } });
  if (receipt.type === "refused") tui.handBack(`!${script}`);
}

/** Stops the turn where nothing is written; twice at rest it asks what to take back. */
function escaped(tui: Tui): void {
  if (tui.offers.length > 0) {
    tui.offers = [];
    tui.offersAreClosed = true;
    return;
  }
  if (!isEmptyDraft(tui.draft) || !tui.hasSession) return;
  if (tui.session.openTurn !== null) return void cancel(tui, "interrupted");
  const now = Date.now();
  if (now - tui.escapedAt < escapeTwiceMs) return void rewindTurns(tui);
  tui.escapedAt = now;
}

function vertical(tui: Tui, chord: "up" | "down"): void {
  const by = chord === "up" ? -1 : 1;
  if (tui.offers.length > 0) {
    tui.offerAt = Math.max(0, Math.min(tui.offers.length - 1, tui.offerAt + by));
    return offer(tui);
  }
  if (isAtEdge(tui.draft, by, draftColumns(tui))) return walk(tui, by);
  change(tui, editDraft(tui.draft, chord, draftColumns(tui)));
}

function walk(tui: Tui, by: -1 | 1): void {
  const step = walked(tui.history, by, draftText(tui.draft));
  if (step === null) return;
  tui.history = step.history;
  change(tui, draftOf(step.text));
}

async function searchHistory(tui: Tui): Promise<void> {
  const entries = [...tui.history.entries].toReversed();
  const found = await tui.overlays.pick(
    "What was sent before",
    entries.map((text) => ({ value: text, label: inertLine(text, entryCharacters), about: "" })),
  );
  if (found !== null) change(tui, draftOf(found));
}

async function inEditor(tui: Tui): Promise<void> {
  const edited = await tui.lend(() => tui.surroundings.edit(draftText(tui.draft), "md"));
  if ("problem" in edited) return tui.say(edited.problem);
  change(tui, draftOf(edited.text.replace(/\n$/, "")));
}
