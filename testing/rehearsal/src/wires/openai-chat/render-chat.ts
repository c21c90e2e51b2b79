import { type JsonObject, unreachable } from "@capstan/protocol";
import type { ScenarioFinish } from "../../scenario/scenario.ts";
import { splitText } from "../split-text.ts";
import type { Answer, AnswerCall, RequestFacts } from "../wire.ts";

/** A fixed moment (1 January 2026): answers are the same on every run. */
const createdAt = 1_767_225_600;

/** The events of one streamed answer, in the vendor's order, `[DONE]` last. */
export function renderChatEvents(answer: Answer, request: RequestFacts): readonly string[] {
  const chunk = chunkMaker(answer, request);
  const { pieceBytes } = answer;
  const spoken = answer.finish === "refusal" ? "refusal" : "content";
  const content = answer.text === "" ? null : "";
  return [
    chunk.any({ role: "assistant", content: spoken === "content" ? content : null, refusal: null }),
    ...chunk.texts("reasoning_content", splitText(answer.thinking, pieceBytes)),
    ...chunk.texts(spoken, splitText(answer.text, pieceBytes)),
    ...answer.calls.flatMap((call, index) => [
      chunk.any({ tool_calls: [{ index, ...wholeCall({ ...call, argumentsText: "" }) }] }),
      ...splitText(call.argumentsText, pieceBytes).map((piece) =>
        chunk.any({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
    chunk.finish(finishReason(answer.finish)),
    ...(request.wantsUsage
      ? [data({ ...envelope(answer, "chat.completion.chunk"), choices: [], usage: usageOf(answer) })]
      : []),
    "data: [DONE]\n\n",
  ];
}

/** The whole completion, for requests that do not stream. */
export function renderChatCompletion(answer: Answer): string {
  const refused = answer.finish === "refusal";
  const text = answer.text === "" ? null : answer.text;
  return JSON.stringify({
    ...envelope(answer, "chat.completion"),
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: refused ? null : text,
          refusal: refused ? text : null,
          ...(answer.thinking !== "" && { reasoning_content: answer.thinking }),
          ...(answer.calls.length > 0 && { tool_calls: answer.calls.map(wholeCall) }),
        },
        logprobs: null,
        finish_reason: finishReason(answer.finish),
      },
    ],
    usage: usageOf(answer),
  });
}

/** One event. */
export function data(value: JsonObject): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

interface ChunkMaker {
  any(delta: JsonObject): string;
  texts(field: string, pieces: readonly string[]): readonly string[];
  finish(reason: string): string;
}

// The envelope is serialised once: a large answer has tens of thousands of chunks.
function chunkMaker(answer: Answer, request: RequestFacts): ChunkMaker {
  const head = JSON.stringify(envelope(answer, "chat.completion.chunk")).slice(0, -1);
  const before = `data: ${head},"choices":[{"index":0,"delta":`;
  const usage = request.wantsUsage ? ',"usage":null' : "";
  const after = (reason: string): string => `,"logprobs":null,"finish_reason":${reason}}]${usage}}\n\n`;
  const open = after("null");
  return {
    any: (delta) => `${before}${JSON.stringify(delta)}${open}`,
    texts: (field, pieces) => pieces.map((piece) => `${before}{"${field}":${JSON.stringify(piece)}}${open}`),
    finish: (reason) => `${before}{}${after(JSON.stringify(reason))}`,
  };
}

function envelope(answer: Answer, object: string): JsonObject {
  return {
    id: `chatcmpl-rehearsal-${String(answer.number).padStart(4, "0")}`,
    object,
    created: createdAt,
    model: answer.model,
    service_tier: "default",
    system_fingerprint: "fp_rehearsal",
  };
}

function wholeCall(call: AnswerCall): JsonObject {
  return { id: call.id, type: "function", function: { name: call.name, arguments: call.argumentsText } };
}

function usageOf({ usage }: Answer): JsonObject {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: {
      cached_tokens: usage.cachedInputTokens,
      ...(usage.cacheWriteTokens > 0 && { cache_write_tokens: usage.cacheWriteTokens }),
    },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  };
}

function finishReason(finish: ScenarioFinish): string {
  switch (finish) {
    case "stop":
    // This wire knows neither: a refusal is a field of its own, and a pause does not exist.
    case "refusal":
    case "pause":
      return "stop";
    case "tool-calls":
      return "tool_calls";
    case "length":
      return "length";
    case "content-filter":
      return "content_filter";
    default:
      return unreachable(finish);
  }
}
