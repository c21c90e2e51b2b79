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

/** The lines of a session's file, without ends of line. */
export function* sessionFileLines(
  events: readonly WrittenEvent[],
  { sessionId, version, redact }: SessionFileOptions,
): Generator<string> {
  const written = redact === undefined ? events : chained(events, redact);
  const header: SessionFileHeader = {
    format: formatName,
    version: formatVersion,
    capstan: version,
    sessionId: toSessionId(sessionId),
    events: events.length,
    head: headOf(written),
    redacted: redact !== undefined,
    ...(redact === undefined ? {} : { originalHead: headOf(events) }),
  };
  yield JSON.stringify(header);
  for (const { seq, at, hash, stored } of written) yield JSON.stringify({ seq, at, hash, record: stored });
}

/** The events without secrets, in a chain of their own. */
function chained(events: readonly WrittenEvent[], redact: (stored: object) => object): readonly WrittenEvent[] {
  let link = firstLink;
  return events.map(({ seq, at, hash, stored: exact }) => {
    const stored = redact(exact);
    if (hash !== null) link = linkOf(link, { seq, at, stored });
    return { seq, at, stored, hash: hash === null ? null : link };
  });
}

function headOf(events: readonly Pick<WrittenEvent, "hash">[]): string | null {
  return events.findLast((event) => event.hash !== null)?.hash ?? null;
}
