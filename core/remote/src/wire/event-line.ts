import type { Frame, InboxEntry, Presence, SessionId, SessionOwner, SessionSummary } from "@capstan/protocol";
import { unreachable } from "@capstan/protocol";
import { z } from "zod";
import * as results from "../operations/results.ts";
import { name, seq, sessionId } from "../operations/values.ts";
import type { Problem } from "./problem.ts";

/** What a server sends unasked. `stream` names the request that began the stream. */
export type EventLine =
  | ({ readonly stream: string; readonly sessionId: SessionId } & FrameFields)
  | { readonly event: "sessions"; readonly stream: string; readonly sessions: readonly SessionSummary[] }
  | { readonly event: "interactions"; readonly stream: string; readonly entries: readonly InboxEntry[] }
  /** One of a file's lines, without its end. */
  | { readonly event: "line"; readonly stream: string; readonly text: string }
  /** A stream has ended; with `error` because it failed. */
  | {
      readonly event: "closed";
      readonly stream: string;
      readonly sessionId?: SessionId;
      readonly reason: string;
      readonly error?: Problem;
    }
  /** The journal of an opened session can no longer be written. */
  | {
      readonly event: "fault";
      readonly sessionId: SessionId;
      readonly client: string;
      readonly error: Problem;
    };

/** A frame of an attachment, as its line has it. */
type FrameFields =
  | {
      readonly event: "snapshot";
      readonly seq: number;
      readonly snapshot: Extract<Frame, { type: "snapshot" }>["snapshot"];
    }
  | ({ readonly event: "record" } & Extract<Frame, { type: "record" }>["event"])
  | { readonly event: "live"; readonly seq: number }
  | { readonly event: "presence"; readonly present: readonly Presence[] }
  | { readonly event: "owner"; readonly owner: SessionOwner };

/** The line of a frame. */
export function eventOf(stream: string, session: SessionId, frame: Frame): EventLine {
  const place = { stream, sessionId: session };
  switch (frame.type) {
    case "snapshot":
      return { event: "snapshot", ...place, seq: frame.snapshot.seq, snapshot: frame.snapshot };
    case "record":
      return { event: "record", ...place, ...frame.event };
    case "live":
      return { event: "live", ...place, seq: frame.seq };
    case "presence":
      return { event: "presence", ...place, present: frame.present };
    case "owner":
      return { event: "owner", ...place, owner: frame.owner };
    case "closed":
      return { event: "closed", ...place, reason: frame.reason };
    default:
      return unreachable(frame);
  }
}

/** What was written of a record for one client is the same for every other. */
const written = new WeakMap<object, string>();

/** The JSON of a line. */
export function textOfEvent(line: EventLine): string {
  if (line.event !== "record") return JSON.stringify(line);
  const { record, ...rest } = line;
  const text = written.get(record) ?? JSON.stringify(record);
  written.set(record, text);
  return `${JSON.stringify(rest).slice(0, -1)},"record":${text}}`;
}

/** The frame of a line; `undefined` for an event that no attachment knows. */
export function frameOf(line: EventLine): Frame | undefined {
  switch (line.event) {
    case "snapshot":
      return { type: "snapshot", snapshot: line.snapshot };
    case "record":
      return { type: "record", event: { seq: line.seq, at: line.at, record: line.record } };
    case "live":
      return { type: "live", seq: line.seq };
    case "presence":
      return { type: "presence", present: line.present };
    case "owner":
      return { type: "owner", owner: line.owner };
    case "closed":
      return { type: "closed", reason: line.reason };
    case "sessions":
    case "interactions":
    case "line":
    case "fault":
      return undefined;
    default:
      return unreachable(line);
  }
}

export const problemSchema: z.ZodType<Problem> = z.object({
  code: z.string(),
  message: z.string(),
  hint: z.string().exactOptional(),
});

const place = { stream: name, sessionId };
/** Event lines that this version knows, as far as it relies on them. */
export const eventLine: z.ZodType<EventLine> = z.discriminatedUnion("event", [
  z.object({ event: z.literal("snapshot"), ...place, seq, snapshot: results.snapshot }),
  z.object({ event: z.literal("record"), ...place, seq, at: z.number(), record: results.record }),
  z.object({ event: z.literal("live"), ...place, seq }),
  z.object({ event: z.literal("presence"), ...place, present: z.array(results.presence) }),
  z.object({ event: z.literal("owner"), ...place, owner: results.owner }),
  z.object({ event: z.literal("sessions"), stream: name, sessions: z.array(results.summary) }),
  z.object({ event: z.literal("interactions"), stream: name, entries: z.array(results.inboxEntry) }),
  z.object({ event: z.literal("line"), stream: name, text: z.string() }),
  z.object({
    event: z.literal("closed"),
    stream: name,
    sessionId: sessionId.exactOptional(),
    reason: z.string(),
    error: problemSchema.exactOptional(),
  }),
  z.object({ event: z.literal("fault"), sessionId, client: name, error: problemSchema }),
]);
