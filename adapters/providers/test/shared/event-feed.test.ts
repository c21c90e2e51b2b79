import type { JsonObject, ModelFinish, ModelStreamPart } from "@capstan/protocol";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { AnthropicReader } from "../../src/anthropic/anthropic-reader.ts";
import { GoogleReader } from "../../src/google/google-reader.ts";
import { ChatReader } from "../../src/openai-chat/chat-reader.ts";
import { ResponsesReader } from "../../src/openai-responses/responses-reader.ts";
import { textOf } from "../../src/shared/json-fields.ts";
import { createFailures } from "../../src/shared/failures.ts";
import { DeltaTemplate, type PlainDelta } from "../../src/shared/stream/delta-template.ts";
import { EventFeed } from "../../src/shared/stream/event-feed.ts";
import type { WireReader } from "../../src/shared/stream/wire-reader.ts";
import { joined, model, optionsFor } from "../fixtures/calls.ts";
import { asking } from "../fixtures/conversations.ts";

const failures = createFailures(optionsFor("http://127.0.0.1:1"));
const origin = { provider: "test", model: "model-1", wire: "test" };

/** Texts that look like what stands around them, and texts that JSON writes in other ways. */
const text = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: "grapheme", maxLength: 12 }) },
  fc.constantFrom(
    "",
    "a",
    "text",
    "text_delta",
    '"',
    '\\"',
    "\\",
    '"}}',
    '","x":"',
    "\n\t\u0001",
    "\ud83d",
    "\ude00",
    "é",
    "\u2028",
  ),
);
const piece = fc.record({ text, kind: fc.constantFrom("text", "thinking", "call"), odd: fc.boolean() });
type Piece = typeof piece extends fc.Arbitrary<infer Value> ? Value : never;

interface Case {
  readonly reader: () => WireReader;
  readonly events: (pieces: readonly Piece[]) => readonly JsonObject[];
}

const wires: Readonly<Record<string, Case>> = {
  anthropic: { reader: () => new AnthropicReader(origin, failures), events: anthropicEvents },
  "openai-chat": { reader: () => chatReader({}), events: chatEvents },
  "openai-chat with tags and calls in its text": {
    reader: () => chatReader({ think_tags: "on", text_tool_calls: "on" }),
    events: taggedEvents,
  },
  "openai-responses": { reader: () => new ResponsesReader(origin, failures), events: responsesEvents },
  google: { reader: () => new GoogleReader(origin, failures), events: googleEvents },
};

function chatReader(options: JsonObject): WireReader {
  return new ChatReader(origin, failures, { request: asking(), model: model(options) });
}

function anthropicEvents(pieces: readonly Piece[]): readonly JsonObject[] {
  const starts = [
    { type: "text", text: "" },
    { type: "thinking", thinking: "" },
    { type: "tool_use", id: "c", name: "n", input: {} },
  ];
  const deltas = pieces.map(({ text: said, kind, odd }): JsonObject => {
    if (kind === "call")
      return { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: said } };
    if (kind === "thinking")
      return { type: "content_block_delta", index: 1, delta: { type: "thinking_delta", thinking: said } };
    return {
      type: "content_block_delta",
      index: 0,
      delta: { type: "text_delta", text: said },
      ...(odd ? { more: said } : {}),
    };
  });
  return [
    {
      type: "message_start",
      message: { id: "m", role: "assistant", content: [], usage: { input_tokens: 1, output_tokens: 1 } },
    },
    ...starts.map((block, index): JsonObject => ({ type: "content_block_start", index, content_block: block })),
    ...deltas,
    ...starts.map((_block, index): JsonObject => ({ type: "content_block_stop", index })),
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 9 } },
    { type: "message_stop" },
  ];
}

function chatChunk(delta: JsonObject, finish: string | null = null): JsonObject {
  return {
    id: "chatcmpl-1",
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    usage: null,
    obfuscation: "aB3",
  };
}

function taggedEvents(pieces: readonly Piece[]): readonly JsonObject[] {
  const said = pieces.map(({ text: content, odd }) => chatChunk(odd ? { role: "assistant", content } : { content }));
  const call = '\n```json\n{"name": "read_file", "arguments": {}}\n```';
  const calls = call.split("").map((content) => chatChunk({ content }));
  return [
    chatChunk({ content: "<think>" }),
    ...said,
    chatChunk({ content: "</think>" }),
    ...said,
    ...calls,
    chatChunk({}, "stop"),
  ];
}

function chatEvents(pieces: readonly Piece[]): readonly JsonObject[] {
  const deltas = pieces.map(({ text: said, kind, odd }) => {
    if (kind === "call") return chatChunk({ tool_calls: [{ index: 0, function: { arguments: said } }] });
    if (kind === "thinking") return chatChunk({ reasoning_content: said });
    return {
      ...chatChunk(odd ? { role: "assistant", content: said } : { content: said }),
      obfuscation: "x".repeat(said.length),
    };
  });
  const begin = chatChunk({ tool_calls: [{ index: 0, id: "c", function: { name: "n", arguments: "" } }] });
  return [
    begin,
    ...deltas,
    chatChunk({}, "stop"),
    { id: "chatcmpl-1", choices: [], usage: { prompt_tokens: 3, completion_tokens: 4 } },
  ];
}

function responsesEvents(pieces: readonly Piece[]): readonly JsonObject[] {
  const place = {
    text: ["message", "output_text"],
    thinking: ["reasoning", "reasoning_text"],
    call: ["function_call", "function_call_arguments"],
  } as const;
  const kinds = ["text", "thinking", "call"] as const;
  const added = kinds.map((kind, output_index): JsonObject => ({
    type: "response.output_item.added",
    output_index,
    item: {
      type: place[kind][0],
      id: `id_${kind}`,
      ...(kind === "call" ? { call_id: "c", name: "n", arguments: "" } : {}),
    },
  }));
  const deltas = pieces.map(({ text: said, kind, odd }): JsonObject => ({
    type: `response.${place[kind][1]}.delta`,
    item_id: `id_${kind}`,
    output_index: kinds.findIndex((known) => known === kind),
    content_index: 0,
    delta: said,
    ...(odd ? { logprobs: [] } : { obfuscation: "pad" }),
  }));
  const completed = {
    type: "response.completed",
    response: { id: "r", status: "completed", output: [], usage: { input_tokens: 5, output_tokens: 6 } },
  };
  return [{ type: "response.created", response: { id: "r" } }, ...added, ...deltas, completed].map((event, at) => ({
    ...event,
    sequence_number: at,
  }));
}

function googleChunk(part: JsonObject, at: number): JsonObject {
  return {
    candidates: [{ content: { role: "model", parts: [part] }, index: 0 }],
    usageMetadata: { promptTokenCount: 7, candidatesTokenCount: at, totalTokenCount: 7 + at },
    responseId: "g",
  };
}

function googleEvents(pieces: readonly Piece[]): readonly JsonObject[] {
  const chunks = pieces.map(({ text: said, kind, odd }, at) => {
    if (kind === "call") return googleChunk({ functionCall: { name: "n", args: { said } } }, at);
    if (kind === "thinking") return googleChunk({ text: said, thought: true }, at);
    return googleChunk({ text: said, ...(odd ? { thoughtSignature: "c2ln" } : {}) }, at);
  });
  // The end says nothing of the usage: what the last chunk before it said must not be lost.
  return [...chunks, { candidates: [{ finishReason: "STOP", index: 0 }], responseId: "g" }];
}

interface Outcome {
  readonly said: ReturnType<typeof joined>;
  readonly finish: ModelFinish | undefined;
}

function outcomeOf(parts: readonly ModelStreamPart[]): Outcome {
  const last = parts.at(-1);
  return { said: joined(parts), finish: last?.type === "finish" ? last : undefined };
}

/** @param write  how the server writes JSON · @param perPiece  events that arrive together */
function fed(
  reader: WireReader,
  events: readonly JsonObject[],
  write: (event: JsonObject) => string,
  perPiece: number,
): Outcome {
  const feed = new EventFeed(reader, failures);
  const parts: ModelStreamPart[] = [];
  for (const [at, event] of events.entries()) {
    feed.take(write(event), undefined);
    if (at % perPiece !== perPiece - 1) continue;
    feed.handOn();
    parts.push(...reader.parts.take());
  }
  feed.end();
  feed.catchUp();
  if (!reader.finished) reader.end();
  return outcomeOf([...parts, ...reader.parts.take()]);
}

/** Every event parsed, one by one. */
function read(reader: WireReader, events: readonly JsonObject[]): Outcome {
  for (const event of events) if (!reader.finished) reader.read(event, undefined, JSON.stringify(event));
  if (!reader.finished) reader.end();
  return outcomeOf(reader.parts.take());
}

test.each(Object.keys(wires))("over %s, events taken by their form give what parsing each of them gives", (wire) => {
  const { reader, events } = wires[wire] ?? { reader: () => chatReader({}), events: chatEvents };
  const runs = fc.array(fc.tuple(piece, fc.array(text, { maxLength: 6 })), { maxLength: 8 });
  fc.assert(
    fc.property(runs, fc.boolean(), fc.integer({ min: 1, max: 9 }), (made, spaced, perPiece) => {
      // Runs of one kind, as streams have them.
      const pieces = made.flatMap(([first, more]) => [first, ...more.map((said) => ({ ...first, text: said }))]);
      const sent = events(pieces);
      const write = (event: JsonObject): string =>
        spaced ? JSON.stringify(event).replace(/([a-z]"):(?="|\d|\[|\{)/g, "$1: ") : JSON.stringify(event);
      const written = sent.map((event): JsonObject => JSON.parse(write(event)));
      expect(fed(reader(), sent, write, perPiece)).toEqual(read(reader(), written));
    }),
  );
});

test("a form is learnt only where the text's place is certain, and refuses whatever differs in more than the text", () => {
  expect(learn('{"t":"t"}')).toBeUndefined();
  expect(learn('{"o":"x","t":"\\u0078"}')).toBeUndefined();
  const template = learn('{"i":1,"sequence_number":7,"t":"x","obfuscation":"ab"}', "delta");
  const textIn = (raw: string, name = "delta"): string | undefined => template?.textOf(raw, name);
  expect([form('"y"'), form('"\\"\\u00e9\\\\"'), form('""')].map((raw) => textIn(raw))).toEqual(["y", '"é\\', ""]);
  const others = [
    form("null"),
    form('"a","u":"b"'),
    form('"\\x"'),
    form('"a\u0001"'),
    form('"y"').replace('"i":1', '"i":2'),
  ];
  expect([textIn(form('"y"'), "other"), ...others.map((raw) => textIn(raw))]).toEqual(Array(6).fill(undefined));
});

function learn(raw: string, name?: string): DeltaTemplate | undefined {
  return DeltaTemplate.learn(raw, name, deltaIn(raw), deltaIn);
}

function deltaIn(raw: string): PlainDelta {
  return { text: saidIn(raw), add: () => undefined };
}

function saidIn(raw: string): string {
  const event: JsonObject = JSON.parse(raw);
  return textOf(event["t"]);
}

function form(said: string): string {
  return `{"i":1,"sequence_number":80,"t":${said},"obfuscation":""}`;
}
