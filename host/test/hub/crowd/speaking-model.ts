import { setImmediate as pause, setTimeout as wait } from "node:timers/promises";
import type { ProgramTool } from "@capstan/ports";
import {
  type AssistantBlock,
  type ModelFinish,
  type ModelRequest,
  type ModelStreamPart,
  noUsage,
  toToolCallId,
} from "@capstan/protocol";
import type { ExternalProviders } from "../../../src/index.ts";

/** A long answer with calls. */
export interface Speech {
  readonly characters: number;
  /** Spread over the steps. */
  readonly calls: number;
  /** Model calls that the answer comes in, before the last one that only says it is done. */
  readonly steps: number;
  /** As fast as it is taken when left out. */
  readonly charactersPerSecond?: number;
}

const piece = "All work and no play makes Jack a dull boy, said the shining machine. ";
/** Pieces that a vendor sends at once. */
const piecesAtOnce = 8;

export const looking: ProgramTool = {
  name: "look_around",
  description: "Looks.",
  inputSchema: { type: "object", properties: { at: { type: "number" } }, required: ["at"] },
  effect: "read",
  execute: async ({ at }) => `there is nothing at ${JSON.stringify(at)}`,
};

/** A model that says so much and makes so many calls in each step, and then that it is done. */
export function speaking(speech: Speech): ExternalProviders {
  const create = () => ({
    wire: "speaking",
    stream: (request: ModelRequest, _model: unknown, signal: AbortSignal) => speak(request, signal, speech),
    close: () => undefined,
  });
  return { scripted: { wire: "speaking", create } };
}

async function* speak(
  { messages }: ModelRequest,
  signal: AbortSignal,
  { characters, calls, steps, charactersPerSecond }: Speech,
): AsyncGenerator<readonly ModelStreamPart[]> {
  const pieces = Math.ceil(characters / steps / piece.length);
  const step = messages.filter(({ role }) => role === "assistant").length;
  if (step >= steps) {
    yield [finishOf([{ type: "text", text: "done" }])];
    return;
  }
  const since = performance.now();
  for (let said = 0; said < pieces; said += piecesAtOnce) {
    signal.throwIfAborted();
    const count = Math.min(piecesAtOnce, pieces - said);
    yield Array.from({ length: count }, () => ({ type: "text-delta", delta: piece }) as const);
    const dueMs = charactersPerSecond === undefined ? 0 : ((said * piece.length) / charactersPerSecond) * 1000;
    const aheadMs = dueMs - (performance.now() - since);
    if (aheadMs > 1) await wait(aheadMs);
    else await pause();
  }
  const [from, to] = [Math.floor((calls * step) / steps), Math.floor((calls * (step + 1)) / steps)];
  const made = Array.from({ length: to - from }, (_none, at): AssistantBlock => ({
    type: "tool-call",
    callId: toToolCallId(`c${from + at}`),
    name: looking.name,
    arguments: { type: "json", value: { at: from + at } },
  }));
  yield [finishOf([{ type: "text", text: piece.repeat(pieces) }, ...made])];
}

function finishOf(content: readonly AssistantBlock[]): ModelFinish {
  const origin = { provider: "scripted", model: "model-1", wire: "speaking" };
  const reason = content.some(({ type }) => type === "tool-call") ? "tool-calls" : "stop";
  return { type: "finish", message: { role: "assistant", origin, content }, reason, usage: noUsage };
}
