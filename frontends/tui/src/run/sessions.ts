import { isAbsolute, join } from "node:path";
import type { SessionSummary } from "@capstan/protocol";
import { duration, inertLine, interactionSummary } from "@capstan/view";
import { counted } from "../cells/cell-view.ts";
import type { Tui } from "./tui.ts";

const titleCharacters = 80;

/** Sessions of this folder first, then those of others. */
export async function chooseSession(tui: Tui, rest: string): Promise<void> {
  const id = await pickSession(tui, "Open a session", rest);
  if (id !== null) await tui.open({ type: "resume", id });
}

async function pickSession(tui: Tui, title: string, rest: string): Promise<SessionSummary["id"] | null> {
  const wanted = rest.toLowerCase();
  const cwd = tui.session.transcript.session?.workspace.cwd ?? "";
  const sessions = (await tui.engine.sessions.list()).filter(
    ({ id, title: name }) => id !== tui.session.client.id && name.toLowerCase().includes(wanted),
  );
  if (sessions.length === 0) {
    tui.say(rest === "" ? "There is no other session." : `No session has "${rest}" in its name.`);
    return null;
  }
  const here = sessions.filter((session) => session.cwd === cwd);
  const elsewhere = sessions.filter((session) => session.cwd !== cwd);
  const entries = [...here, ...elsewhere].map((session) => ({
    value: session.id,
    label: inertLine(session.title === "" ? "(no words)" : session.title, titleCharacters),
    about: aboutOf(session, cwd),
  }));
  return await tui.overlays.pick(title, entries);
}

function aboutOf({ cwd, updatedAt, waiting, turns }: SessionSummary, here: string): string {
  const age = `${duration(Date.now() - updatedAt)} ago`;
  const asks = waiting === undefined ? [] : ["waiting for you"];
  return [age, counted(turns, "turn"), ...asks, ...(cwd === here ? [] : [inertLine(cwd, titleCharacters)])].join(" · ");
}

export async function fork(tui: Tui): Promise<void> {
  await tui.open({ type: "fork", id: tui.session.client.id });
  tui.say("This is a copy; the other session stays as it was.");
}

export async function exportSession(tui: Tui, rest: string): Promise<void> {
  if (rest === "") return tui.say("Name the file: /export session.jsonl");
  const lines: string[] = [];
  for await (const line of tui.engine.sessions.export(tui.session.client.id, { exact: false }, tui.identity))
    lines.push(line);
  const path = isAbsolute(rest) ? rest : join(tui.session.transcript.session?.workspace.cwd ?? ".", rest);
  await tui.surroundings.writeFile(path, `${lines.join("\n")}\n`);
  tui.say(`Written to ${rest}, without secrets`);
}

export async function deleteSession(tui: Tui, rest: string): Promise<void> {
  const id = await pickSession(tui, "Delete a session for good", rest);
  if (id === null) return;
  const isSure = await tui.overlays.pick("It cannot be brought back", [
    { value: false, label: "keep it", about: "" },
    { value: true, label: "delete it", about: "" },
  ]);
  if (isSure !== true) return;
  await tui.engine.sessions.delete(id, tui.identity);
  tui.say("It is deleted.");
}

/** What waits in all sessions; the one that is chosen is opened. */
export async function openInbox(tui: Tui): Promise<void> {
  const entries = await tui.engine.interactions.list();
  if (entries.length === 0) return tui.say("Nothing waits for you, in no session.");
  const chosen = await tui.overlays.pick(
    "Waiting for you",
    entries.map(({ sessionId, title, interaction }) => ({
      value: { sessionId, id: interaction.id },
      label: inertLine(interactionSummary(interaction), titleCharacters),
      about: `${inertLine(title, titleCharacters)} · ${duration(Date.now() - interaction.openedAt)} ago`,
    })),
  );
  if (chosen !== null && chosen.sessionId !== tui.session.client.id)
    await tui.open({ type: "resume", id: chosen.sessionId });
}
