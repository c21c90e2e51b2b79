import { dataDirectory, interruptedWork, openArchive, type SessionArchive } from "@capstan/host";
import type { SessionEvent, SessionId, SessionSummary } from "@capstan/protocol";
import { inertLine, inertText } from "@capstan/view";
import { Transcript } from "../transcript.ts";

const titleCharacters = 60;

export interface ListingFlags {
  readonly json?: boolean;
  readonly limit?: string;
}

/** `capstan sessions list`: newest first. */
export async function listSessions(flags: ListingFlags): Promise<number> {
  const archive = await openArchive({ home: dataDirectory(process.env) });
  try {
    const sessions = await archive.list();
    const shown = sessions.slice(0, flags.limit === undefined ? undefined : Math.max(1, Number(flags.limit) || 1));
    if (flags.json === true) for (const session of shown) print(JSON.stringify(session));
    else if (shown.length === 0) print("No sessions yet.");
    else for (const session of shown) print(sessionLine(session));
    return 0;
  } finally {
    await archive.close();
  }
}

export interface ShowFlags {
  readonly json?: boolean;
  readonly follow?: boolean;
}

/** `capstan sessions show ID`: what was said and done, what it cost, and what is under way. */
export async function showSession(idOrPrefix: string, flags: ShowFlags): Promise<number> {
  const archive = await openArchive({ home: dataDirectory(process.env) });
  try {
    const id = await archive.resolve(idOrPrefix);
    const transcript = new Transcript();
    const show = (events: readonly SessionEvent[]): void => {
      for (const event of events) {
        if (flags.json === true) print(JSON.stringify({ ...event.record, seq: event.seq, at: event.at }));
        else for (const line of transcript.lines(event)) print(line);
      }
    };
    const events = await archive.read(id);
    show(events);
    if (flags.follow === true) await archive.follow(id, events.at(-1)?.seq ?? 0, show);
    if (flags.json !== true) for (const line of await endLines(archive, id, transcript)) print(line);
    return 0;
  } finally {
    await archive.close();
  }
}

async function endLines(archive: SessionArchive, id: SessionId, transcript: Transcript): Promise<readonly string[]> {
  const writer = await archive.writer(id);
  const interrupted = interruptedWork((await archive.fold(id)).state);
  const state =
    writer === null
      ? interrupted === null
        ? []
        : [`Interrupted: ${inertText(interrupted)}.`, `  capstan run --resume ${id} "go on"`]
      : [`Open in process ${writer.processId} (${inertText(writer.face)}); --follow reads along.`];
  return ["", ...state, `The session: ${transcript.spending}`];
}

function sessionLine({ id, title, cwd, model, updatedAt, turns, lastOutcome }: SessionSummary): string {
  const when = new Date(updatedAt).toISOString().replace("T", " ").slice(0, 16);
  return `${id}  ${when}  ${lastOutcome ?? "open"}  ${turns} turn${turns === 1 ? "" : "s"}  ${model}  ${inertLine(cwd, titleCharacters)}  ${inertLine(title, titleCharacters)}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
