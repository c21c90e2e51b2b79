import { once } from "node:events";
import { unreachable } from "@capstan/protocol";
import type { RecordedAnswer } from "../scenario/recorded-exchange.ts";
import { findWire, plainTarget } from "../wires/find-wire.ts";
import { type Call, exchangeOf, sendProblem } from "./call.ts";
import { judgeRecorded, type PlainCall } from "./judge-recorded.ts";
import type { ReadBody } from "./read-body.ts";
import type { ServerState } from "./server-state.ts";

/**
 * Answers a request as one of its kind was answered when it was recorded, or refuses it. A refused request plays nothing.
 * @returns false: the scenario has no recorded exchanges, or none of this kind beside its turns
 */
export async function answerRecorded(state: ServerState, came: Call, body: ReadBody): Promise<boolean> {
  // What gateways put before the path is not in the recording.
  const target = plainTarget(came.target);
  const { wire, isModelCall } = findWire(target, came.request.headers);
  const call: PlainCall = { ...came, wire, target, isModelCall: isModelCall && came.request.method === "POST" };
  const value = body.type === "json" ? body.value : undefined;
  const verdict = judgeRecorded(state, call, body);
  switch (verdict.type) {
    case "none":
      return false;
    case "refused": {
      const { problem, order } = verdict;
      const outcome = { status: problem.status, problem, ...(order !== undefined && { recordedOrder: order }) };
      state.record(exchangeOf(call, value, outcome));
      sendProblem(call, problem);
      return true;
    }
    case "play": {
      const { method, path, answer, order } = verdict.recorded;
      state.playback.take(verdict.kind);
      wire.keepRecorded?.({ method, path: path.split("?")[0] ?? "", body: value }, textOf(answer), state.resources);
      state.record(exchangeOf(call, value, { status: answer.status, recordedOrder: order }));
      await sendRecorded(call, answer);
      return true;
    }
    default:
      return unreachable(verdict);
  }
}

/** Sends each piece by itself, as it came, and breaks the connection where it broke. */
async function sendRecorded({ response }: Call, answer: RecordedAnswer): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  response.writeHead(answer.status, answer.headers);
  response.flushHeaders();
  try {
    for (const piece of answer.pieces) {
      gone.signal.throwIfAborted();
      if (!response.write(piece, answer.encoding ?? "utf8")) await once(response, "drain", { signal: gone.signal });
    }
  } catch (error) {
    if (gone.signal.aborted) return;
    throw error;
  }
  if (answer.end === "whole") response.end();
  else response.socket?.destroySoon();
}

function textOf({ pieces, encoding }: RecordedAnswer): string {
  return encoding === undefined ? pieces.join("") : "";
}
