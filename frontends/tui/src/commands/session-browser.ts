import { messageOf, type SessionId, type SessionSummary } from "@capstan/protocol";
import { duration, inertLine } from "@capstan/view";
import { counted } from "../cells/cell-view.ts";
import type { PickerEntry } from "../overlay/picker.ts";
import { type Chat, cwdOf } from "../run/chat.ts";

const titleCharacters = 80;

const actions = [
  { chord: "ctrl+r", key: "^R", label: "renames" },
  { chord: "ctrl+f", key: "^F", label: "forks" },
  { chord: "ctrl+d", key: "^D", label: "deletes" },
] as const;

/** Sessions of this folder first, then those of others: opened, renamed, forked and deleted. @param rest  words of their names */
export async function chooseSession(chat: Chat, rest: string): Promise<void> {
  let at = 0;
  for (;;) {
    const entries = await sessionsFor(chat, rest);
    if (entries.length === 0) return;
    const acted = await chat.overlays.act("Open a session", entries, actions, Math.min(at, entries.length - 1));
    if (acted === null) return;
    const { value: id, action } = acted;
    if (action === null) return await chat.open({ type: "resume", id });
    if (action === "ctrl+f") return await forkOf(chat, id);
    at = entries.findIndex(({ value }) => value === id);
    // The list stays for what comes next.
    if (action === "ctrl+r") await rename(chat, id, entries[at]?.label ?? "");
    else await deleteFor(chat, id, entries[at]?.label ?? "");
  }
}

export async function deleteSession(chat: Chat, rest: string): Promise<void> {
  const entries = await sessionsFor(chat, rest);
  if (entries.length === 0) return;
  const id = await chat.overlays.pick("Delete a session for good", entries);
  if (id !== null) await deleteFor(chat, id, entries.find(({ value }) => value === id)?.label ?? "");
}

async function sessionsFor(chat: Chat, rest: string): Promise<readonly PickerEntry<SessionId>[]> {
  const wanted = rest.toLowerCase();
  const cwd = cwdOf(chat);
  const sessions = (await chat.engine.sessions.list()).filter(
    ({ id, title, spawnedBy }) =>
      id !== chat.session.client.id && spawnedBy === undefined && title.toLowerCase().includes(wanted),
  );
  if (sessions.length === 0)
    chat.say(rest === "" ? "There is no other session." : `No session has "${rest}" in its name.`);
  const here = sessions.filter((session) => session.cwd === cwd);
  const elsewhere = sessions.filter((session) => session.cwd !== cwd);
  return [...here, ...elsewhere].map((session) => ({
    value: session.id,
    label: inertLine(session.title === "" ? "(no words)" : session.title, titleCharacters),
    about: aboutOf(session, cwd),
  }));
}

function aboutOf({ cwd, updatedAt, waiting, turns }: SessionSummary, here: string): string {
  const age = `${duration(Date.now() - updatedAt)} ago`;
  const asks = waiting === undefined ? [] : ["waiting for you"];
  return [age, counted(turns, "turn"), ...asks, ...(cwd === here ? [] : [inertLine(cwd, titleCharacters)])].join(" · ");
}

async function forkOf(chat: Chat, id: SessionId): Promise<void> {
  await chat.open({ type: "fork", id });
  chat.say("This is a copy; the other session stays as it was.");
}

/** What an earlier process left open there stays as it is. */
async function rename(chat: Chat, id: SessionId, title: string): Promise<void> {
  const given = await chat.overlays.write("Rename a session", [`It is called: ${title}`], "");
  if (given === null || given.trim() === "") return;
  try {
    await giveTitle(chat, id, given.trim());
  } catch (error) {
    chat.say(messageOf(error));
  }
}

async function giveTitle(chat: Chat, id: SessionId, title: string): Promise<void> {
  const { identity } = chat;
  const session = await chat.engine.open({ type: "resume", id }, { identity, purpose: "drive", resume: "wait" });
  try {
    const receipt = await session.submit({ type: "title", title });
    chat.say(receipt.type === "refused" ? receipt.reason : "It has its new name.");
  } finally {
    await session.close();
  }
}

async function deleteFor(chat: Chat, id: SessionId, title: string): Promise<void> {
  const isSure = await chat.overlays.pick(`Delete "${title}" for good? It cannot be brought back`, [
    { value: false, label: "keep it", about: "" },
    { value: true, label: "delete it", about: "" },
  ]);
  if (isSure !== true) return;
  try {
    await chat.engine.sessions.delete(id, chat.identity);
    chat.say("It is deleted.");
  } catch (error) {
    chat.say(messageOf(error));
  }
}
