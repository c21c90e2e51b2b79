import { openArchive } from "@capstan/host";
import { dataDirectory } from "@capstan/host";
import { AppError, type SessionEvent, type SessionSummary } from "@capstan/protocol";
import { createProgress, inertLine, inertText, turnNumbers } from "@capstan/view";
import { addSpending, nothingSpent, spendingText } from "../spending.ts";

const titleCharacters = 60;

export interface ListingFlags {
  readonly json?: boolean;
  readonly limit?: string;
}

/** `capstan sessions list`: newest first. */
export async function listSessions(flags: ListingFlags): Promise<number> {
  const limit = flags.limit === undefined ? undefined : countOf(flags.limit);
  const archive = await openArchive({ home: dataDirectory(process.env) });
  try {
    const shown = (await archive.list()).slice(0, limit);
    if (flags.json === true) for (const session of shown) print(JSON.stringify(session));
    else if (shown.length === 0) print("No sessions yet.");
    else for (const session of shown) print(sessionLine(session));
    return 0;
  } finally {
    await archive.close();
  }
}

/** `capstan sessions show ID`: what was said and done, and what it cost. */
export async function showSession(idOrPrefix: string, flags: { readonly json?: boolean }): Promise<number> {
  const archive = await openArchive({ home: dataDirectory(process.env) });
  try {
    const events = await archive.read(await archive.resolve(idOrPrefix));
    if (flags.json === true) for (const { seq, at, record } of events) print(JSON.stringify({ ...record, seq, at }));
    else for (const line of transcript(events)) print(line);
    return 0;
  } finally {
    await archive.close();
  }
}

function countOf(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new AppError("usage.invalid", `--limit takes a number from 1 on, not ${JSON.stringify(text)}`);
}

function sessionLine({ id, title, cwd, model, updatedAt, turns, lastOutcome }: SessionSummary): string {
  const when = new Date(updatedAt).toISOString().replace("T", " ").slice(0, 16);
  return `${id}  ${when}  ${lastOutcome ?? "open"}  ${turns} turn${turns === 1 ? "" : "s"}  ${model}  ${inertLine(cwd, titleCharacters)}  ${inertLine(title, titleCharacters)}`;
}

function transcript(events: readonly SessionEvent[]): readonly string[] {
  const progress = createProgress();
  const numbers = turnNumbers(events);
  let turn = nothingSpent;
  let session = nothingSpent;
  const lines = events.flatMap((event) => {
    const { record } = event;
    turn = addSpending(turn, record);
    session = addSpending(session, record);
    const told = progress(event).map((line) => line.text);
    if (record.type === "turn-started") {
      const text = record.content.map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`)).join("\n");
      const number = numbers.get(record.turnId);
      return [
        "",
        number === undefined ? "Turn that left no trace, or was taken back:" : `Turn ${number}:`,
        ...inertText(text)
          .split("\n")
          .map((line) => `> ${line}`),
        "",
      ];
    }
    if (record.type === "step-completed") {
      const text = record.message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
      return text.trim() === "" ? told : [...inertText(text.trimEnd()).split("\n"), ...told];
    }
    if (record.type === "step-abandoned" && record.text !== "")
      return [`[${record.cause}] ${inertText(record.text)}`, ...told];
    if (record.type === "turn-ended") {
      const spent = spendingText(turn);
      turn = nothingSpent;
      return [`— ${record.outcome}${record.message === undefined ? "" : `: ${inertText(record.message)}`} · ${spent}`];
    }
    return told;
  });
  return [...lines, "", `The session: ${spendingText(session)}`];
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
