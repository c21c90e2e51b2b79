import { inertLine } from "@capstan/view";
import { submit } from "../run/sending.ts";
import { counted } from "../cells/cell-view.ts";
import { type Chat, cwdOf } from "../run/chat.ts";
import { previewRows } from "./rewind-preview.ts";
import { turnWords } from "./turn-words.ts";

const titleCharacters = 120;

/** Asks which turns to take back and what of them, and says first what would change. */
export async function rewindTurns(chat: Chat): Promise<void> {
  const { turns } = await chat.session.client.snapshot();
  if (turns.length === 0) return chat.say("There is no turn to take back.");
  const words = await turnWords(
    chat,
    turns.map(({ turnId }) => turnId),
  );
  const entries = turns
    .map(({ turnId, changed }, at) => ({
      value: at,
      label: `before turn ${at + 1}: ${inertLine(words.get(turnId) ?? "", titleCharacters)}`,
      about: changed.length === 0 ? "" : `${counted(changed.length, "file")} changed`,
    }))
    .toReversed();
  const keepTurns = await chat.overlays.pick("Return to the state", entries);
  if (keepTurns === null) return;
  const first = turns[keepTurns];
  await rewindTo(chat, keepTurns, first === undefined ? "" : (words.get(first.turnId) ?? ""));
}

async function rewindTo(chat: Chat, keepTurns: number, words: string): Promise<void> {
  const preview = await chat.session.client.previewRewind(keepTurns);
  const { files, conflicts } = preview;
  const about = files.length === 0 ? "no file to restore" : counted(files.length, "file");
  const what = await chat.overlays.pick(
    "Take back",
    [
      { value: "both" as const, label: "conversation and files", about: alone(about, conflicts.length) },
      { value: "conversation" as const, label: "conversation only", about: "files stay as they are" },
      { value: "files" as const, label: "files only", about: alone(about, conflicts.length) },
    ],
    0,
    previewRows(preview, cwdOf(chat)),
  );
  if (what === null) return;
  const receipt = await submit(chat, {
    type: "rewind",
    keepTurns,
    conversation: what !== "files",
    files: what !== "conversation",
  });
  // The words that led there are the next draft.
  if (receipt.type === "accepted" && what !== "files") chat.handBack(words);
}

function alone(about: string, conflicts: number): string {
  return conflicts === 0 ? about : `${about}, ${conflicts} in conflict`;
}

/** The last turn, with its files. */
export async function undo(chat: Chat): Promise<void> {
  const { turns } = await chat.session.client.snapshot();
  if (turns.length === 0) return chat.say("There is no turn to take back.");
  const receipt = await submit(chat, { type: "rewind", keepTurns: turns.length - 1, conversation: true, files: true });
  if (receipt.type === "accepted") chat.say("Taken back; /redo brings it back.");
}

export async function redo(chat: Chat): Promise<void> {
  await submit(chat, { type: "unwind" });
}
