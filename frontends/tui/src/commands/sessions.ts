import { isAbsolute, join } from "node:path";
import type { SessionSummary } from "@capstan/protocol";
import { duration, inertLine, interactionSummary } from "@capstan/view";
import { counted } from "../cells/cell-view.ts";
import { type Chat, cwdOf } from "../run/chat.ts";

const titleCharacters = 80;

/** Sessions of this folder first, then those of others. */
export async function chooseSession(chat: Chat, rest: string): Promise<void> {
  const id = await pickSession(chat, "Open a session", rest);
  if (id !== null) await chat.open({ type: "resume", id });
}

async function pickSession(chat: Chat, title: string, rest: string): Promise<SessionSummary["id"] | null> {
  const wanted = rest.toLowerCase();
  const cwd = cwdOf(chat);
  const sessions = (await chat.engine.sessions.list()).filter(
    ({ id, title: name, spawnedBy }) =>
      id !== chat.session.client.id && spawnedBy === undefined && name.toLowerCase().includes(wanted),
  );
  if (sessions.length === 0) {
    chat.say(rest === "" ? "There is no other session." : `No session has "${rest}" in its name.`);
    return null;
  }
  const here = sessions.filter((session) => session.cwd === cwd);
  const elsewhere = sessions.filter((session) => session.cwd !== cwd);
  const entries = [...here, ...elsewhere].map((session) => ({
    value: session.id,
    label: inertLine(session.title === "" ? "(no words)" : session.title, titleCharacters),
    about: aboutOf(session, cwd),
  }));
  return await chat.overlays.pick(title, entries);
}

function aboutOf({ cwd, updatedAt, waiting, turns }: SessionSummary, here: string): string {
  const age = `${duration(Date.now() - updatedAt)} ago`;
  const asks = waiting === undefined ? [] : ["waiting for you"];
  return [age, counted(turns, "turn"), ...asks, ...(cwd === here ? [] : [inertLine(cwd, titleCharacters)])].join(" · ");
}

export async function fork(chat: Chat): Promise<void> {
  await chat.open({ type: "fork", id: chat.session.client.id });
  chat.say("This is a copy; the other session stays as it was.");
}

export async function exportSession(chat: Chat, rest: string): Promise<void> {
  if (rest === "") return chat.say("Name the file: /export session.jsonl");
  const lines: string[] = [];
  for await (const line of chat.engine.sessions.export(chat.session.client.id, { exact: false }, chat.identity))
    lines.push(line);
  const path = isAbsolute(rest) ? rest : join(cwdOf(chat), rest);
  await chat.surroundings.writeFile(path, `${lines.join("\n")}\n`);
  chat.say(`Written to ${rest}, without secrets`);
}

export async function deleteSession(chat: Chat, rest: string): Promise<void> {
  const id = await pickSession(chat, "Delete a session for good", rest);
  if (id === null) return;
  const isSure = await chat.overlays.pick("It cannot be brought back", [
    { value: false, label: "keep it", about: "" },
    { value: true, label: "delete it", about: "" },
  ]);
  if (isSure !== true) return;
  await chat.engine.sessions.delete(id, chat.identity);
  chat.say("It is deleted.");
}

/** What waits in all sessions; the one that is chosen is opened. */
export async function openInbox(chat: Chat): Promise<void> {
  const entries = await chat.engine.interactions.list();
  if (entries.length === 0) return chat.say("Nothing waits for you, in no session.");
  const chosen = await chat.overlays.pick(
    "Waiting for you",
    entries.map(({ sessionId, title, interaction }) => ({
      value: { sessionId, id: interaction.id },
      label: inertLine(interactionSummary(interaction), titleCharacters),
      about: `${inertLine(title, titleCharacters)} · ${duration(Date.now() - interaction.openedAt)} ago`,
    })),
  );
  if (chosen !== null && chosen.sessionId !== chat.session.client.id)
    await chat.open({ type: "resume", id: chosen.sessionId });
}
