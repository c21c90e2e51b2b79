import { type SessionId, toSessionId } from "@capstan/protocol";
import { firstLink, linkOf, type StoredEvent } from "./link-of.ts";

/** Names the format in its first line. */
export const formatName = "capstan-session";
export const formatVersion = 1;

/** The first line of an exported session; a line for each kept event follows. */
export interface SessionFileHeader {
  readonly format: typeof formatName;
  readonly version: number;
  /** The version of Capstan that wrote it. */
  readonly capstan: string;
  readonly sessionId: SessionId;
  readonly events: number;
  /** The last link of the chain; `null` when no record has one. */
  readonly head: string | null;
  /** Secrets were taken out, and the chain is that of the records without them; else everything is as it was. */
  readonly redacted: boolean;
  /** Of a redacted file: the last link of the session itself. */
  readonly originalHead?: string | null;
}

export interface SessionFileOptions {
  readonly sessionId: SessionId;
  /** Of Capstan. */
  readonly version: string;
  /** Takes the secrets out of a stored record; absent: everything stays as it is. */
  readonly redact?: (stored: object) => object;
}

/** A stored record with its link; `null`: it was written before there was a chain. */
type WrittenEvent = StoredEvent & { readonly hash: string | null };

/**
 * The lines of a session's file, without ends of line.
 * @param read  the events from the first on: they are read twice, since the first line tells of the last, and never held
 */
export async function* sessionFileLines(
  read: () => AsyncIterable<WrittenEvent>,
  { sessionId, version, redact }: SessionFileOptions,
): AsyncGenerator<string> {
  const found = await lookThrough(read(), redact);
  const header: SessionFileHeader = {
    format: formatName,
    version: formatVersion,
    capstan: version,
    sessionId: toSessionId(sessionId),
    events: found.events,
    head: found.head,
    redacted: redact !== undefined,
    ...(redact === undefined ? {} : { originalHead: found.originalHead }),
  };
  yield JSON.stringify(header);
  const link = linking(redact);
  for await (const event of asFound(read(), found)) {
    const { seq, at, hash, stored } = link(event);
    yield JSON.stringify({ seq, at, hash, record: stored });
  }
}

/** What a session held when it was looked through. */
interface Found {
  readonly events: number;
  readonly lastSeq: number;
  readonly head: string | null;
  readonly originalHead: string | null;
  /** What stands outside the chain, such as pieces of an open answer: whoever writes to the session may remove them at any moment. */
  readonly outside: readonly WrittenEvent[];
}

async function lookThrough(events: AsyncIterable<WrittenEvent>, redact: SessionFileOptions["redact"]): Promise<Found> {
  const link = linking(redact);
  const outside: WrittenEvent[] = [];
  let [count, lastSeq] = [0, 0];
  let [head, originalHead]: (string | null)[] = [null, null];
  for await (const event of events) {
    count += 1;
    lastSeq = event.seq;
    if (event.hash === null) {
      outside.push(event);
      continue;
    }
    originalHead = event.hash;
    head = link(event).hash;
  }
  return { events: count, lastSeq, head: head ?? null, originalHead: originalHead ?? null, outside };
}

/** The events that were found, although the session may continue. */
async function* asFound(
  events: AsyncIterable<WrittenEvent>,
  { lastSeq, outside }: Found,
): AsyncGenerator<WrittenEvent> {
  let next = 0;
  const before = function* (seq: number): Generator<WrittenEvent> {
    for (let event = outside[next]; event !== undefined && event.seq < seq; event = outside[next]) {
      next += 1;
      yield event;
    }
  };
  for await (const event of events) {
    if (event.seq > lastSeq) break;
    if (event.hash === null) continue;
    yield* before(event.seq);
    yield event;
  }
  yield* before(Infinity);
}

/** Events as they are; without secrets they make a chain of their own. */
function linking(redact: SessionFileOptions["redact"]): (event: WrittenEvent) => WrittenEvent {
  if (redact === undefined) return (event) => event;
  let link = firstLink;
  return ({ seq, at, hash, stored: exact }) => {
    const stored = redact(exact);
    if (hash !== null) link = linkOf(link, { seq, at, stored });
    return { seq, at, stored, hash: hash === null ? null : link };
  };
}
