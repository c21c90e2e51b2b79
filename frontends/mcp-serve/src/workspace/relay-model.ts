import { randomUUID } from "node:crypto";
import {
  isJsonObject,
  type AssistantBlock,
  type JsonObject,
  type Message,
  type ModelFinish,
  type ModelRequest,
  type ModelSettings,
  type ModelStreamPart,
  noUsage,
  toToolCallId,
  type UserContent,
  userText,
} from "@capstan/protocol";

/** As models of it are written: `mcp-client/tools`. */
export const relayProviderName = "mcp-client";
export const relayModelName = "mcp-client/tools";

const wire = "mcp-client";
const opening = "An MCP client calls a tool of the workspace:\n";

/** A call of the client, as the words of a turn. */
export function callWords(tool: string, args: JsonObject): readonly UserContent[] {
  return userText(`${opening}${JSON.stringify({ tool, arguments: args })}`);
}

/** A provider of models, as the port has it. */
interface RelayProvider {
  readonly wire: string;
  stream(
    request: ModelRequest,
    model: ModelSettings,
    signal: AbortSignal,
  ): AsyncGenerator<readonly ModelStreamPart[], void, undefined>;
  close(): void;
}

/**
 * Where a client calls the workspace's tools, it is the model of that session: each turn's words are one call, the answer is that call, and
 * the answer to its result ends the turn. So a client's call passes everything that a model's call does. It keeps nothing: what it answers
 * is a function of the conversation, also after a crash.
 */
export const relayModel: { readonly wire: string; create(): RelayProvider } = {
  wire,
  create: () => ({ wire, stream: answer, close: () => undefined }),
};

async function* answer(
  { messages }: ModelRequest,
  model: ModelSettings,
  signal: AbortSignal,
): AsyncGenerator<readonly ModelStreamPart[], void, undefined> {
  await Promise.resolve();
  signal.throwIfAborted();
  const call = openCall(messages);
  if (call === undefined) {
    const text = "The result went to the client.";
    yield [{ type: "text-delta", delta: text }, finish(model, [{ type: "text", text }])];
    return;
  }
  const { tool, args } = call;
  yield [
    { type: "tool-arguments-delta", index: 0, name: tool, delta: JSON.stringify(args) },
    finish(model, [
      {
        type: "tool-call",
        callId: toToolCallId(`call_${randomUUID().replaceAll("-", "")}`),
        name: tool,
        arguments: { type: "json", value: args },
      },
    ]),
  ];
}

/** The call that stands in the words after the last answer. */
function openCall(messages: readonly Message[]): { readonly tool: string; readonly args: JsonObject } | undefined {
  const last = messages.at(-1);
  if (last?.role !== "user" || last.content.some(({ type }) => type === "tool-result")) return undefined;
  for (const block of last.content.toReversed()) {
    if (block.type !== "text" || !block.text.startsWith(opening)) continue;
    const value: unknown = JSON.parse(block.text.slice(opening.length));
    if (!isJsonObject(value) || typeof value["tool"] !== "string" || !isJsonObject(value["arguments"])) continue;
    return { tool: value["tool"], args: value["arguments"] };
  }
  return undefined;
}

function finish({ provider, id }: ModelSettings, content: readonly AssistantBlock[]): ModelFinish {
  return {
    type: "finish",
    message: { role: "assistant", origin: { provider, model: id, wire }, content },
    reason: content.some(({ type }) => type === "tool-call") ? "tool-calls" : "stop",
    usage: noUsage,
  };
}
