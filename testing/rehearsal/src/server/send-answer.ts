import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { unreachable } from "@capstan/protocol";
import { limits } from "../limits.ts";
import type { Fault, Pace } from "../scenario/scenario.ts";

/** An answer's body in whole events (one, when it does not stream), and how it goes over the network. */
export interface Delivery {
  readonly events: readonly string[];
  readonly pace: Pace;
  readonly fault: Fault | undefined;
  /** What the wire says when it fails in mid-stream. */
  readonly errorEvent: string;
}

/**
 * Sends a body at the scenario's pace, back-pressure honoured, then ends, or fails as configured. Resolves when nothing more will be sent.
 * @param signal  aborts when the client is gone or the server closes
 */
export async function sendAnswer(response: ServerResponse, delivery: Delivery, signal: AbortSignal): Promise<void> {
  const { bytes, after } = plan(delivery);
  try {
    if (delivery.pace.firstByteDelayMs > 0) await sleep(delivery.pace.firstByteDelayMs, undefined, { signal });
    response.flushHeaders();
    await write(response, bytes, delivery.pace, signal);
  } catch (error) {
    if (signal.aborted) return;
    throw error;
  }
  switch (after) {
    case "end":
      response.end();
      return;
    case "destroy":
      // What was written still leaves: a cut earlier than configured would rehearse something else.
      response.socket?.destroySoon();
      return;
    case "stall":
      return;
    default:
      unreachable(after);
  }
}

interface Plan {
  readonly bytes: Buffer;
  readonly after: "end" | "destroy" | "stall";
}

function plan({ events, fault, errorEvent }: Delivery): Plan {
  const whole = Buffer.from(events.join(""));
  switch (fault?.type) {
    case undefined:
    case "http":
    case "reset":
      return { bytes: whole, after: "end" };
    case "cut":
      return { bytes: whole.subarray(0, fault.afterBytes), after: "destroy" };
    case "end":
      return { bytes: whole.subarray(0, fault.afterBytes), after: "end" };
    case "stall":
      return { bytes: whole.subarray(0, fault.afterBytes), after: "stall" };
    case "garbage":
      return {
        bytes: Buffer.concat([whole.subarray(0, fault.afterBytes), garbage, whole.subarray(fault.afterBytes)]),
        after: "end",
      };
    case "error-event":
      return { bytes: Buffer.from([...eventsWithin(events, fault.afterBytes), errorEvent].join("")), after: "end" };
    default:
      return unreachable(fault);
  }
}

/**
 * Invalid UTF-8 and a control character inside what looks like an event of its own: wherever it falls, the event is broken
 * for every decoder, and the one it cut in two is as well.
 */
const garbage = Buffer.concat([
  Buffer.from('\n\ndata: {"'),
  Buffer.from([0xff, 0xfe, 0x00, 0xc3]),
  Buffer.from("\n\n"),
]);

/** The events that fit whole; never fewer than the opening one, since an error before it would be a status. */
function eventsWithin(events: readonly string[], limitBytes: number): readonly string[] {
  let sizeBytes = 0;
  const kept = events.findIndex((event) => {
    sizeBytes += Buffer.byteLength(event);
    return sizeBytes > limitBytes;
  });
  return events.slice(0, kept < 0 ? events.length : Math.max(1, kept));
}

async function write(response: ServerResponse, bytes: Buffer, pace: Pace, signal: AbortSignal): Promise<void> {
  let start = 0;
  while (start < bytes.length) {
    signal.throwIfAborted();
    if (start > 0 && pace.delayMs > 0) await sleep(pace.delayMs, undefined, { signal });
    const end = chunkEnd(bytes, start, pace);
    if (!response.write(bytes.subarray(start, end))) await once(response, "drain", { signal });
    start = end;
  }
}

/** Where the next write ends: at the configured size; with a delay and no size, at the next event's end; else far off. */
function chunkEnd(bytes: Buffer, start: number, pace: Pace): number {
  if (pace.chunkBytes !== undefined) return start + pace.chunkBytes;
  if (pace.delayMs === 0) return start + limits.chunkBytes;
  const border = bytes.indexOf("\n\n", start);
  return border < 0 ? bytes.length : border + 2;
}
