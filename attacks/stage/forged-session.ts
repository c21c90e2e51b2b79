import { createHash } from "node:crypto";
import { type Action, canonicalJson, isJsonObject, type JournalRecord, type SessionEvent } from "@capstan/protocol";

/** What somebody makes of an exported session before it is imported. */
export interface Forgery {
  /** A change of one record; `undefined` leaves it out. */
  readonly change: (record: JournalRecord) => JournalRecord | undefined;
  /** Records put at the end. */
  readonly added?: readonly JournalRecord[];
  /** Nothing after the first record for which this is so. */
  readonly cutAfter: (record: JournalRecord) => boolean;
  /** Whether hashes are recomputed, or the first line says that they need not fit. */
  readonly chain: "recomputed" | "said to be redacted";
}

/** The events of an exported session, changed. */
export function forgedEvents(file: string, { change, added = [], cutAfter }: Forgery): readonly SessionEvent[] {
  const events = file.trimEnd().split("\n").slice(1).map(eventOf);
  const end = events.findIndex(({ record }) => cutAfter(record));
  const kept = (end === -1 ? events : events.slice(0, end + 1)).flatMap((event) => {
    const record = change(event.record);
    return record === undefined ? [] : [{ ...event, record }];
  });
  const last = kept.at(-1);
  const more = added.map((record, at) => ({ seq: (last?.seq ?? 0) + 1 + at, at: last?.at ?? 0, record }));
  return [...kept, ...more];
}

/** The file with these events, as it would have to look to be believed. */
export function forgedFile(file: string, events: readonly SessionEvent[], chain: Forgery["chain"]): string {
  const header: unknown = JSON.parse(file.slice(0, file.indexOf("\n")));
  let link = "0".repeat(64);
  const lines = events.map(({ seq, at, record }) => {
    if (chain === "recomputed")
      link = createHash("sha256")
        .update(`${link} ${seq} ${at} ${JSON.stringify(record)}`)
        .digest("hex");
    return JSON.stringify({ seq, at, hash: link, record });
  });
  const said = chain === "recomputed" ? {} : { redacted: true };
  return [
    JSON.stringify({ ...(isJsonObject(header) ? header : {}), events: events.length, head: link, ...said }),
    ...lines,
    "",
  ].join("\n");
}

/** An action that says something else, with a digest that fits. */
export function forgedAction(action: Action, from: string, to: string): Action {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same action with other words in its texts
  const { digest: _, ...draft } = JSON.parse(JSON.stringify(action).replaceAll(from, to)) as Action;
  return { ...draft, digest: createHash("sha256").update(canonicalJson(draft)).digest("hex") };
}

function eventOf(line: string): SessionEvent {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was exported just now
  return JSON.parse(line) as SessionEvent;
}
