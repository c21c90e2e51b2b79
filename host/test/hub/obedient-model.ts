/** A model that does as asked, and the program's tool that it calls: what the tests of many clients need of a session. */
import type { ProgramTool } from "@capstan/ports";
import type { ExternalProviders } from "../../src/index.ts";
import {
  type AssistantBlock,
  type ModelFinish,
  type ModelRequest,
  type ModelStreamPart,
  noUsage,
  toToolCallId,
} from "@capstan/protocol";
import { aborted } from "@capstan/testkit";

/** Called by the model that is asked to `ask`, with the words after it. */
export function actTool(act: (words: string) => void = () => undefined): ProgramTool {
  return {
    name: "act",
    description: "Acts.",
    inputSchema: { type: "object", properties: { words: { type: "string" } }, required: ["words"] },
    effect: "execute",
    async execute({ words }) {
      act(typeof words === "string" ? words : "");
      return "acted";
    },
  };
}

/** Announces a piece that the model says from where it stands; never, where the vendor falls silent there. */
export type Piece = (at: number) => string | Promise<string>;

/**
 * `count 3` answers in three pieces, `ask` makes a call that waits for approval, `hold` answers nothing until its turn is cancelled; any
 * other words are answered at once.
 */
export function obedientProviders(
  piece: Piece = (at) => `${at} `,
  asked: () => void = () => undefined,
): ExternalProviders {
  const create = () => ({
    wire: "obedient",
    stream(request: ModelRequest, _model: unknown, signal: AbortSignal) {
      asked();
      return obey(request, signal, piece);
    },
    close: () => undefined,
  });
  return { scripted: { wire: "obedient", create } };
}

/** The setting that chooses it. */
export const obedientModel = "app.model=scripted/model-1";

const order = /^(?:count \d+|ask\b.*|hold)$/;

async function* obey(
  request: ModelRequest,
  signal: AbortSignal,
  piece: Piece,
): AsyncGenerator<readonly ModelStreamPart[]> {
  const last = request.messages.at(-1);
  if (last?.role !== "user" || last.content.some(({ type }) => type === "tool-result")) {
    yield [finish({ type: "text", text: "done" })];
    return;
  }
  const words = last.content.findLast((block) => block.type === "text" && order.test(block.text));
  const [verb = "", ...rest] = words?.type === "text" ? words.text.trim().split(" ") : [];
  if (verb === "hold") await aborted(signal);
  if (verb === "ask") yield [finish(call(rest.join(" ")))];
  else yield* say(verb === "count" ? Number(rest[0]) : 1, piece, signal);
}

async function* say(count: number, piece: Piece, signal: AbortSignal): AsyncGenerator<readonly ModelStreamPart[]> {
  let text = "";
  for (let at = 1; at <= count; at += 1) {
    signal.throwIfAborted();
    const delta = await piece(at);
    text += delta;
    yield [{ type: "text-delta", delta }];
    // Everybody else gets a turn between two pieces.
    await new Promise((resolve) => setImmediate(resolve));
  }
  yield [finish({ type: "text", text })];
}

function call(words: string): AssistantBlock {
  const callId = toToolCallId(`c-${crypto.randomUUID()}`);
  return { type: "tool-call", callId, name: "act", arguments: { type: "json", value: { words } } };
}

function finish(block: AssistantBlock): ModelFinish {
  const origin = { provider: "scripted", model: "model-1", wire: "obedient" };
  const reason = block.type === "tool-call" ? "tool-calls" : "stop";
  return { type: "finish", message: { role: "assistant", origin, content: [block] }, reason, usage: noUsage };
}
