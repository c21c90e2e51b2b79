import type { SessionEvent } from "@capstan/protocol";
import { inertLine, type Row, rowOf, rowText, wrapRow } from "@capstan/view";
import { counted } from "../cells/cell-view.ts";
import type { Chat } from "../run/chat.ts";
import { allEvents } from "./whole-transcript.ts";

const detailCharacters = 500;

/** Every record of the session, the newest at the end; with words, those that have them. */
export async function showJournal(chat: Chat, rest: string): Promise<void> {
  const { events, hasMore } = await allEvents(chat.session);
  const wanted = rest.toLowerCase();
  const shown = events.map(journalRow).filter((row) => wanted === "" || rowText(row).toLowerCase().includes(wanted));
  if (shown.length === 0) return chat.say(`No record has ${inertLine(rest, detailCharacters)}`);
  const title = `Journal: ${counted(shown.length, "record")}${hasMore ? ", and older ones" : ""}`;
  const rows = shown.flatMap((row) => wrapRow(row, chat.columns));
  chat.overlays.show(title, rows, { atEnd: true });
}

/** Its number, when it was written (UTC), what it is, and what it says as JSON. */
export function journalRow({ seq, at, record: { type, ...facts } }: SessionEvent): Row {
  const time = new Date(at).toISOString().slice(11, 19);
  return [
    ...rowOf(`${seq} ${time} `, "muted"),
    ...rowOf(type, "accent"),
    ...rowOf(` ${inertLine(JSON.stringify(facts), detailCharacters)}`),
  ];
}
