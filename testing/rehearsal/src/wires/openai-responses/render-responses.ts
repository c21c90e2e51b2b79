import { type JsonObject, unreachable } from "@capstan/protocol";
import { splitText } from "../split-text.ts";
import type { Answer } from "../wire.ts";
import {
  begunItem,
  contentPart,
  incompleteDetails,
  type MessageOutput,
  type OutputItem,
  outputOf,
  type ReasoningOutput,
  statusOf,
  summaryPart,
  wholeItem,
} from "./answer-items.ts";

/** A fixed moment (1 January 2026): answers are the same on every run. */
const createdAt = 1_767_225_600;

/** The events of one streamed answer, in the vendor's order, numbered. */
export function renderResponsesEvents(answer: Answer): readonly string[] {
  const events = new EventList();
  const begun = { ...responseOf(answer), status: "in_progress", output: [], incomplete_details: null, usage: null };
  events.add("response.created", { response: begun });
  events.add("response.in_progress", { response: begun });
  outputOf(answer).forEach((item, place) => addItem(events, item, { place, pieceBytes: answer.pieceBytes }));
  const response = responseOf(answer);
  events.add(response["status"] === "completed" ? "response.completed" : "response.incomplete", { response });
  return events.all;
}

/** The whole response, for requests that do not stream. */
export function renderResponse(answer: Answer): string {
  return JSON.stringify(responseOf(answer));
}

/** An error in mid-stream. */
export function renderResponsesError(kind: string | undefined): string {
  const code = kind ?? "server_error";
  const error = { type: "error", code, message: "rehearsed error in mid-stream", param: null, sequence_number: 0 };
  return `event: error\ndata: ${JSON.stringify(error)}\n\n`;
}

class EventList {
  readonly all: string[] = [];

  add(type: string, fields: JsonObject): void {
    const event = { type, sequence_number: this.all.length, ...fields };
    this.all.push(`event: ${type}\ndata: ${JSON.stringify(event)}\n\n`);
  }

  // What deltas have in common is serialised once: a large answer has tens of thousands of them.
  addDeltas(type: string, fields: JsonObject, pieces: readonly string[]): void {
    const rest = JSON.stringify(fields).slice(1, -1);
    for (const piece of pieces) {
      const head = `event: ${type}\ndata: {"type":"${type}","sequence_number":${this.all.length},${rest}`;
      this.all.push(`${head},"delta":${JSON.stringify(piece)}}\n\n`);
    }
  }
}

interface Place {
  readonly place: number;
  readonly pieceBytes: number;
}

function addItem(events: EventList, item: OutputItem, { place, pieceBytes }: Place): void {
  const at = { item_id: item.id, output_index: place };
  events.add("response.output_item.added", { output_index: place, item: begunItem(item) });
  switch (item.type) {
    case "reasoning":
      addReasoning(events, item, at, pieceBytes);
      break;
    case "message":
      addMessage(events, item, at, pieceBytes);
      break;
    case "function_call":
      events.addDeltas("response.function_call_arguments.delta", at, splitText(item.call.argumentsText, pieceBytes));
      events.add("response.function_call_arguments.done", {
        ...at,
        name: item.call.name,
        arguments: item.call.argumentsText,
      });
      break;
    case "custom_tool_call": {
      const input = item.call.customInput ?? "";
      events.addDeltas("response.custom_tool_call_input.delta", at, splitText(input, pieceBytes));
      events.add("response.custom_tool_call_input.done", { ...at, input });
      break;
    }
    default:
      unreachable(item);
  }
  events.add("response.output_item.done", { output_index: place, item: wholeItem(item) });
}

function addReasoning(events: EventList, { text }: ReasoningOutput, item: JsonObject, pieceBytes: number): void {
  const at = { ...item, summary_index: 0 };
  events.add("response.reasoning_summary_part.added", { ...at, part: summaryPart("") });
  events.addDeltas("response.reasoning_summary_text.delta", at, splitText(text, pieceBytes));
  events.add("response.reasoning_summary_text.done", { ...at, text });
  events.add("response.reasoning_summary_part.done", { ...at, part: summaryPart(text) });
}

function addMessage(events: EventList, message: MessageOutput, item: JsonObject, pieceBytes: number): void {
  const at = { ...item, content_index: 0 };
  const { text, refused } = message;
  const pieces = splitText(text, pieceBytes);
  events.add("response.content_part.added", { ...at, part: contentPart("", refused) });
  if (refused) {
    events.addDeltas("response.refusal.delta", at, pieces);
    events.add("response.refusal.done", { ...at, refusal: text });
  } else {
    events.addDeltas("response.output_text.delta", { ...at, logprobs: [] }, pieces);
    events.add("response.output_text.done", { ...at, logprobs: [], text });
  }
  events.add("response.content_part.done", { ...at, part: contentPart(text, refused) });
}

function responseOf(answer: Answer): JsonObject {
  return {
    id: `resp_rehearsal_${String(answer.number).padStart(4, "0")}`,
    object: "response",
    created_at: createdAt,
    status: statusOf(answer.finish),
    background: false,
    error: null,
    incomplete_details: incompleteDetails(answer.finish),
    instructions: null,
    metadata: {},
    model: answer.model,
    output: outputOf(answer).map(wholeItem),
    parallel_tool_calls: true,
    previous_response_id: null,
    service_tier: "default",
    store: false,
    temperature: 1,
    tool_choice: "auto",
    tools: [],
    top_p: 1,
    truncation: "disabled",
    usage: usageOf(answer),
  };
}

function usageOf({ usage }: Answer): JsonObject {
  return {
    input_tokens: usage.inputTokens,
    input_tokens_details: {
      cached_tokens: usage.cachedInputTokens,
      ...(usage.cacheWriteTokens > 0 && { cache_write_tokens: usage.cacheWriteTokens }),
    },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: usage.inputTokens + usage.outputTokens,
  };
}
