import type { ChainedEvent } from "@capstan/ports";
import { type SessionId, toSessionId } from "@capstan/protocol";

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
  /** Secrets were taken out, so the links no longer fit the records. */
  readonly redacted?: true;
  readonly note?: string;
}

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

export interface SessionFileOptions {
  readonly sessionId: SessionId;
  /** Of Capstan. */
  readonly version: string;
  /** Absent: everything stays as it is. */
  readonly redact?: Redact;
}

/** The lines of a session's file, without ends of line. */
export function* sessionFileLines(
  events: readonly ChainedEvent[],
  { sessionId, version, redact }: SessionFileOptions,
): Generator<string> {
  const header: SessionFileHeader = {
    format: formatName,
    version: formatVersion,
    capstan: version,
    sessionId: toSessionId(sessionId),
    events: events.length,
    head: events.findLast((event) => event.hash !== null)?.hash ?? null,
    ...(redact === undefined
      ? {}
      : { redacted: true, note: "Secrets were taken out: the hashes are those of the original and do not match." }),
  };
  yield JSON.stringify(header);
  for (const { seq, at, hash, record } of events) {
    yield JSON.stringify({ seq, at, hash, record }, redact === undefined ? undefined : redactor(redact));
  }
}

/** Pictures are no text in which a secret could stand. */
const base64 = /^[A-Za-z0-9+/]{256,}={0,2}$/;

function redactor(redact: Redact): (key: string, value: unknown) => unknown {
  return (key, value) => (typeof value !== "string" || (key === "data" && base64.test(value)) ? value : redact(value));
}
