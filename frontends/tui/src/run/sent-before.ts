import { type Cell, cellsFrom, emptyTranscript, reduce } from "@capstan/view";
import { type Draft, emptyDraft, insertPaste } from "../draft/draft.ts";
import { type Chat, cwdOf } from "./chat.ts";
import { textOf } from "./sending.ts";

/** Sessions that are looked through, the newest first, and the end of each in events. */
const sessionsRead = 8;
const eventsRead = 300;
/** People write there; what a program sent is not recalled. */
const frontends: ReadonlySet<string> = new Set(["tui", "cli"]);

/** What this user sent in sessions of the folder, also in processes before this one, the oldest first. It is read from the journals. */
export async function sentBefore(chat: Chat): Promise<readonly Draft[]> {
  const cwd = cwdOf(chat);
  const here = (await chat.engine.sessions.list()).filter((each) => each.cwd === cwd && each.spawnedBy === undefined);
  const found: (readonly Draft[])[] = [];
  for (const { id } of here.slice(0, sessionsRead)) found.push(await sentIn(chat, id));
  return found.toReversed().flat();
}

async function sentIn(chat: Chat, id: Chat["session"]["client"]["id"]): Promise<readonly Draft[]> {
  const { events } = await chat.engine.sessions.history(id, null, eventsRead);
  return [...cellsFrom(events.reduce(reduce, emptyTranscript))].flatMap((cell) => draftIn(cell, chat));
}

/** Words as they are written again: what was pasted is one token. */
function draftIn(cell: Cell, { identity, pasteLimits }: Chat): readonly Draft[] {
  if (cell.type !== "user" || cell.isPlan) return [];
  const { frontend, user } = cell.origin;
  const text = textOf(cell.words).trimEnd();
  if (text === "" || user !== identity.user || !frontends.has(frontend)) return [];
  return [insertPaste(emptyDraft, text, pasteLimits)];
}
