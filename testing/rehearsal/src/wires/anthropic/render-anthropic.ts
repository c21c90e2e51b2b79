import { isJsonObject, type JsonObject, unreachable } from "@capstan/protocol";
import type { ScenarioFinish } from "../../scenario/scenario.ts";
import { splitText } from "../split-text.ts";
import type { Answer, AnswerCall } from "../wire.ts";
import { signThinking } from "./sign-thinking.ts";

/** The server-sent events of one answer, in the vendor's order. */
export function renderAnthropicEvents(answer: Answer): readonly string[] {
  const start = event({
    type: "message_start",
    message: { ...envelope(answer), content: [], stop_reason: null, usage: { ...usageOf(answer), output_tokens: 1 } },
  });
  const [opening, ...rest] = blockEvents(answer);
  const end = event({
    type: "message_delta",
    delta: { stop_reason: stopReason(answer.finish), stop_sequence: null },
    usage: usageOf(answer),
  });
  const ping = event({ type: "ping" });
  return [start, ...(opening === undefined ? [ping] : [opening, ping]), ...rest, end, event({ type: "message_stop" })];
}

/** The whole message, for requests that do not stream. */
export function renderAnthropicMessage(answer: Answer): string {
  return JSON.stringify({
    ...envelope(answer),
    content: [
      ...(answer.thinking === ""
        ? []
        : [{ type: "thinking", thinking: answer.thinking, signature: signThinking(answer.thinking) }]),
      ...(answer.text === "" ? [] : [{ type: "text", text: answer.text, citations: null }]),
      ...answer.calls.map((call) => ({ type: "tool_use", id: call.id, name: call.name, input: wholeInput(call) })),
    ],
    stop_reason: stopReason(answer.finish),
    usage: usageOf(answer),
  });
}

/** One server-sent event with its name line. */
export function event(data: { readonly type: string } & Readonly<Record<string, unknown>>): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function envelope(answer: Answer): Readonly<Record<string, unknown>> {
  return {
    id: `msg_rehearsal_${String(answer.number).padStart(4, "0")}`,
    type: "message",
    role: "assistant",
    model: answer.model,
    stop_sequence: null,
  };
}

function blockEvents(answer: Answer): readonly string[] {
  const { thinking, text, pieceBytes } = answer;
  const blocks: string[][] = [];
  if (thinking !== "") {
    const signed = deltas(blocks.length, { type: "signature_delta", field: "signature" }, [signThinking(thinking)]);
    const shown = deltas(blocks.length, { type: "thinking_delta", field: "thinking" }, splitText(thinking, pieceBytes));
    blocks.push(block(blocks.length, { type: "thinking", thinking: "", signature: "" }, [...shown, ...signed]));
  }
  if (text !== "") {
    const shown = deltas(blocks.length, { type: "text_delta", field: "text" }, splitText(text, pieceBytes));
    blocks.push(block(blocks.length, { type: "text", text: "" }, shown));
  }
  for (const call of answer.calls) {
    const pieces = ["", ...splitText(call.argumentsText, pieceBytes)];
    const shown = deltas(blocks.length, { type: "input_json_delta", field: "partial_json" }, pieces);
    blocks.push(block(blocks.length, { type: "tool_use", id: call.id, name: call.name, input: {} }, shown));
  }
  return blocks.flat();
}

function block(index: number, content: JsonObject, inner: readonly string[]): string[] {
  return [
    event({ type: "content_block_start", index, content_block: content }),
    ...inner,
    event({ type: "content_block_stop", index }),
  ];
}

// Only the piece is serialised: a large answer has tens of thousands of these.
function deltas(
  index: number,
  kind: { readonly type: string; readonly field: string },
  pieces: readonly string[],
): readonly string[] {
  const head = `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":{"type":"${kind.type}","${kind.field}":`;
  return pieces.map((piece) => `${head}${JSON.stringify(piece)}}}\n\n`);
}

function usageOf({ usage }: Answer): JsonObject {
  return {
    input_tokens: usage.inputTokens - usage.cachedInputTokens - usage.cacheWriteTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens,
    cache_read_input_tokens: usage.cachedInputTokens,
    output_tokens: usage.outputTokens,
    ...(usage.reasoningTokens > 0 && { output_tokens_details: { thinking_tokens: usage.reasoningTokens } }),
  };
}

// A whole message has no room for malformed JSON; a string where an object belongs is the nearest fault.
function wholeInput(call: AnswerCall): unknown {
  try {
    const input: unknown = JSON.parse(call.argumentsText);
    return isJsonObject(input) ? input : call.argumentsText;
  } catch {
    return call.argumentsText;
  }
}

function stopReason(finish: ScenarioFinish): string {
  switch (finish) {
    case "stop":
      return "end_turn";
    case "tool-calls":
      return "tool_use";
    case "length":
      return "max_tokens";
    case "content-filter":
    case "refusal":
      return "refusal";
    case "pause":
      return "pause_turn";
    default:
      return unreachable(finish);
  }
}
