import {
  deltaScope,
  isJsonObject,
  type JsonObject,
  readRecord,
  type SessionEvent,
  type SessionText,
  toSessionId,
} from "@capstan/protocol";
import { textAt } from "../foreign/fields.ts";
import { firstLink, linkOf } from "./link-of.ts";
import { formatName, formatVersion, type SessionFileHeader } from "./session-file.ts";

/** What an exported file holds, up to the first thing that is wrong with it. */
export interface ReadSessionFile {
  readonly header: SessionFileHeader;
  /** The longest good beginning, read again each time; it returns where and why it does not continue, and `null` where the file is whole. */
  readonly events: () => Generator<SessionEvent, string | null>;
}

/** Reads a file of Capstan's own format, a line at a time; `undefined`: it is of another. */
export function readSessionFile(text: SessionText): ReadSessionFile | undefined {
  const lines = typeof text === "string" ? text.split("\n") : text;
  const [first = ""] = lines;
  const header = headerOf(parsed(first));
  return header === undefined ? undefined : { header, events: () => eventsIn(lines, header) };
}

function* eventsIn(lines: Iterable<string>, header: SessionFileHeader): Generator<SessionEvent, string | null> {
  if (header.version > formatVersion)
    return `line 1: the file is of version ${header.version} of the format, and this Capstan reads ${formatVersion}`;
  const chain = new Chain(header);
  let number = 0;
  let isBlank = false;
  for (const line of lines) {
    number += 1;
    if (number === 1) continue;
    // Only the last line may be empty.
    const added = isBlank ? chain.add("", number - 1) : null;
    if (typeof added === "string") return added;
    isBlank = line === "";
    if (isBlank) continue;
    const event = chain.add(line, number);
    if (typeof event === "string") return event;
    yield event;
  }
  return chain.end();
}

class Chain {
  readonly #header: SessionFileHeader;
  #link = firstLink;
  #lastSeq = 0;
  #count = 0;

  constructor(header: SessionFileHeader) {
    this.#header = header;
  }

  /** @returns the event of the line, or why it cannot be the next one */
  add(line: string, number: number): SessionEvent | string {
    const read = eventOf(parsed(line));
    if (typeof read === "string") return `line ${number}: ${read}`;
    const { event, hash, stored } = read;
    const place = `line ${number} (record ${event.seq})`;
    if (event.seq <= this.#lastSeq) return `${place}: its number does not come after ${this.#lastSeq}`;
    if (this.#count === 0 && event.record.type !== "session-started")
      return `${place}: a journal begins with session-started, not with ${event.record.type}`;
    if (deltaScope(event.record) === undefined) {
      const link = linkOf(this.#link, { ...event, stored });
      if (link !== hash)
        return `${place}: its hash does not follow from what comes before: it was changed, or records before it were removed or added`;
      this.#link = link;
    }
    this.#lastSeq = event.seq;
    this.#count += 1;
    return event;
  }

  /** @returns what is wrong with the whole */
  end(): string | null {
    const { events, head } = this.#header;
    if (this.#count !== events) return `the file ends after ${this.#count} of ${events} records: its end is missing`;
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
