import {
  deltaScope,
  isJsonObject,
  type JsonObject,
  readRecord,
  type SessionEvent,
  toSessionId,
} from "@capstan/protocol";
import { textAt } from "../foreign/fields.ts";
import { firstLink, linkOf } from "./link-of.ts";
import { formatName, formatVersion, type SessionFileHeader } from "./session-file.ts";

/** What an exported file holds, up to the first thing that is wrong with it. */
export interface ReadSessionFile {
  readonly header: SessionFileHeader;
  /** The longest good beginning. */
  readonly events: readonly SessionEvent[];
  /** Where and why it does not continue; `null`: the file is whole. */
  readonly problem: string | null;
}

/** Reads a file of Capstan's own format; `undefined`: it is of another. */
export function readSessionFile(text: string): ReadSessionFile | undefined {
  const lines = text.split("\n");
  const header = headerOf(parsed(lines[0] ?? ""));
  if (header === undefined) return undefined;
  if (header.version > formatVersion) {
    const problem = `line 1: the file is of version ${header.version} of the format, and this Capstan reads ${formatVersion}`;
    return { header, events: [], problem };
  }
  const chain = new Chain(header);
  for (const [at, line] of lines.entries()) {
    const problem = at === 0 || (line === "" && at === lines.length - 1) ? null : chain.add(line, at + 1);
    if (problem !== null) return { header, events: chain.events, problem };
  }
  return { header, events: chain.events, problem: chain.end() };
}

class Chain {
  readonly events: SessionEvent[] = [];
  readonly #header: SessionFileHeader;
  #link = firstLink;

  constructor(header: SessionFileHeader) {
    this.#header = header;
  }

  /** @returns why the line cannot be the next one */
  add(line: string, number: number): string | null {
    const read = eventOf(parsed(line));
    if (typeof read === "string") return `line ${number}: ${read}`;
    const { event, hash, stored } = read;
    const place = `line ${number} (record ${event.seq})`;
    const before = this.events.at(-1)?.seq ?? 0;
    if (event.seq <= before) return `${place}: its number does not come after ${before}`;
    if (this.events.length === 0 && event.record.type !== "session-started")
      return `${place}: a journal begins with session-started, not with ${event.record.type}`;
    if (deltaScope(event.record) === undefined) {
      const link = linkOf(this.#link, { ...event, stored });
      if (link !== hash)
        return `${place}: its hash does not follow from what comes before: it was changed, or records before it were removed or added`;
      this.#link = link;
    }
    this.events.push(event);
    return null;
  }

  /** @returns what is wrong with the whole */
  end(): string | null {
    const { events, head } = this.#header;
    if (this.events.length !== events)
      return `the file ends after ${this.events.length} of ${events} records: its end is missing`;
    const last = this.#link === firstLink ? null : this.#link;
    return last === head ? null : "the last hash is not the one that the first line names";
  }
}

function headerOf(value: unknown): SessionFileHeader | undefined {
  if (!isJsonObject(value) || value["format"] !== formatName) return undefined;
  return {
    format: formatName,
    version: numberAt(value, "version"),
    capstan: textAt(value, "capstan"),
    sessionId: toSessionId(textAt(value, "sessionId")),
    events: numberAt(value, "events"),
    head: typeof value["head"] === "string" ? value["head"] : null,
    redacted: value["redacted"] === true,
  };
}

/** The link is made of what the file has; what it means today is what is kept. */
function eventOf(
  value: unknown,
): { readonly event: SessionEvent; readonly hash: unknown; readonly stored: JsonObject } | string {
  if (!isJsonObject(value)) return "it is not whole JSON: it was cut or changed";
  const { record: stored, hash } = value;
  const [seq, at] = [numberAt(value, "seq"), numberAt(value, "at")];
  if (!Number.isSafeInteger(seq) || seq < 1 || !Number.isFinite(at)) return "it has no number, or no time";
  const read = readRecord(stored);
  if (read.type === "newer") return `record ${seq} was written by a newer Capstan (${read.text}): update this one`;
  if (read.type === "malformed" || !isJsonObject(stored)) return `record ${seq} is none`;
  return { event: { seq, at, record: read.record }, hash, stored };
}

function numberAt(value: JsonObject, key: string): number {
  const found = value[key];
  return typeof found === "number" ? found : Number.NaN;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
