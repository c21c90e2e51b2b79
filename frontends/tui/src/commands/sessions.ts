import { isAbsolute, join } from "node:path";
import { duration, inertLine, interactionSummary } from "@capstan/view";
import { type Chat, cwdOf } from "../run/chat.ts";

const titleCharacters = 80;

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
