import { isJsonObject, type JsonObject, type JsonValue, type ToolDefinition } from "@capstan/protocol";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { toChatBody, toResponsesBody } from "../../src/index.ts";
import { toStrictSchema } from "../../src/shared/request/strict-schema.ts";
import { withoutNulls } from "../../src/shared/stream/without-nulls.ts";
import { ask, finishOf, model, provide, simpleRequest } from "../fixtures/calls.ts";
import { calls, delta, done, finished } from "../fixtures/chat-streams.ts";
import { cutEverywhere, expectDeltasToAddUp } from "../fixtures/cut-streams.ts";
import { callEvents, callItem, completed, created } from "../fixtures/responses-streams.ts";
import { serve, streaming } from "../fixtures/wire-server.ts";

const inputSchema: JsonObject = {
  type: "object",
  properties: {
    path: { type: "string", minLength: 1 },
    limit: { type: "integer", minimum: 1, default: 5, description: "How many." },
    mode: { enum: ["a", "b"], type: "string" },
    note: { type: ["string", "null"] },
    edits: {
      type: "array",
      items: { type: "object", properties: { from: { type: "string" }, to: { type: "string" } }, required: ["from"] },
    },
  },
  required: ["path", "edits"],
};
const tool: ToolDefinition = { name: "edit", description: "Edits.", inputSchema };
const open: ToolDefinition = {
  name: "open",
  description: "",
  inputSchema: { type: "object", properties: { any: { type: "object", additionalProperties: true } } },
};

test("the same tool is offered strictly or not, as each request says, again and again", () => {
  const request = { ...simpleRequest, tools: [tool, open] };
  for (const toBody of [toChatBody, toResponsesBody]) {
    const fresh = (strict_tools: boolean): string =>
      JSON.stringify(toBody({ ...request, tools: [{ ...tool }, { ...open }] }, model({ strict_tools })));
    for (const strict of [true, true, false, true, false, false])
      expect(JSON.stringify(toBody(request, model({ strict_tools: strict })))).toBe(fresh(strict));
  }
});

test("a strict schema is closed, requires everything, and makes nullable what was optional", () => {
  expect(toStrictSchema(inputSchema)).toEqual({
    type: "object",
    properties: {
      path: { type: "string" },
      limit: { type: ["integer", "null"], minimum: 1, description: "How many." },
      mode: { enum: ["a", "b", null], type: ["string", "null"] },
      note: { type: ["string", "null"] },
      edits: {
        type: "array",
        items: {
          type: "object",
          properties: { from: { type: "string" }, to: { type: ["string", "null"] } },
          required: ["from", "to"],
          additionalProperties: false,
        },
      },
    },
    required: ["path", "limit", "mode", "note", "edits"],
    additionalProperties: false,
  });
  checkProperty(
    { anyOf: [{ type: "string" }, { type: "number" }] },
    { anyOf: [{ type: "string" }, { type: "number" }] },
  );
  checkProperty({ oneOf: [{ type: "string" }] }, { anyOf: [{ type: "string" }] });
  checkProperty({ const: "x" }, { const: "x" });
  checkProperty({ $ref: "#/$defs/a" }, { $ref: "#/$defs/a" });
  expect(toStrictSchema({ type: "object" })).toEqual({
    type: "object",
    properties: {},
    required: [],
    additionalProperties: false,
  });
});

function checkProperty(schema: JsonObject, expected: JsonObject): void {
  const strict = toStrictSchema({ type: "object", properties: { x: schema } });
  expect(strict?.["properties"]).toEqual({ x: { anyOf: [expected, { type: "null" }] } });
}

test("a schema that strict mode has no words for stays as it is, beside strict ones", () => {
  for (const schema of [
    { type: "object", additionalProperties: { type: "string" } },
    { type: "object", properties: { x: {} } },
    { type: "object", properties: { x: true } },
    { type: "object", properties: { x: { type: "object" } } },
    { type: "object", properties: { x: { type: "array" } } },
    { type: "object", properties: { x: { allOf: [{ type: "string" }] } } },
    { type: "object", properties: { x: { type: "string", not: { const: "a" } } } },
    { type: "object", properties: {}, patternProperties: { a: { type: "string" } } },
  ] satisfies readonly JsonObject[])
    expect([schema, toStrictSchema(schema)]).toEqual([schema, undefined]);
  const request = { ...simpleRequest, tools: [tool, open] };
  const chat = toChatBody(request, model({ strict_tools: true }))["tools"];
  expect(chat).toMatchObject([{ function: { strict: true } }, { function: { parameters: open.inputSchema } }]);
  expect(JSON.stringify(chat).match(/"strict"/g)).toHaveLength(1);
  const responses = toResponsesBody(request, model({ strict_tools: true }))["tools"];
  expect(responses).toMatchObject([{ strict: true }, { strict: false, parameters: open.inputSchema }]);
});

test("what strict mode sends as null for an optional field is left out; a null that is meant stays", () => {
  const value = { path: "a", limit: null, mode: null, note: null, edits: [{ from: "x", to: null }], unknown: null };
  expect(withoutNulls(value, inputSchema)).toEqual({ path: "a", note: null, edits: [{ from: "x" }], unknown: null });
  expect(withoutNulls({ path: null }, inputSchema)).toEqual({ path: null });
});

const name = fc.constantFrom("a", "b", "c");
const { schema } = fc.letrec<{ schema: JsonObject; object: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonObject>({ type: "string" }, { type: "integer" }, { type: ["string", "null"] }),
    tie("object"),
    tie("schema").map((items): JsonObject => ({ type: "array", items })),
  ),
  object: fc
    .tuple(fc.dictionary(name, tie("schema"), { maxKeys: 3 }), fc.array(name))
    .map(([properties, required]): JsonObject => ({ type: "object", properties, required })),
}));

test("every object of a strict schema is closed and requires all it names", () => {
  fc.assert(
    fc.property(schema, (x) => {
      expect(offences(toStrictSchema({ type: "object", properties: { x } }) ?? {})).toEqual([]);
    }),
  );
});

function offences(value: JsonValue): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(offences);
  if (!isJsonObject(value)) return [];
  const inner = Object.values(value).flatMap(offences);
  const properties = value["properties"];
  if (!isJsonObject(properties) || ![value["type"]].flat().includes("object")) return inner;
  const whole = JSON.stringify(value["required"]) === JSON.stringify(Object.keys(properties));
  return whole && value["additionalProperties"] === false ? inner : [...inner, JSON.stringify(value)];
}

test("no tool sees the nulls, and the deltas are the message", async () => {
  const events = [
    delta({ role: "assistant", content: "Both." }),
    calls({ index: 0, id: "a", type: "function", function: { name: "edit", arguments: '{"path":"x","limit":nu' } }),
    calls({ index: 0, function: { arguments: 'll,"note":null,"edits":[]}' } }),
    calls({ index: 1, id: "b", type: "function", function: { name: "edit", arguments: "{oops" } }),
    finished("tool_calls"),
    done,
  ];
  const asked = { request: { ...simpleRequest, tools: [tool] }, model: model({ strict_tools: true }) };
  const server = await serve(streaming(...events));
  const received = await ask(provide("openai-chat", server.url), asked);
  expect(finishOf(received).message.content).toMatchObject([
    { type: "text", text: "Both." },
    { arguments: { type: "json", value: { path: "x", note: null, edits: [] } } },
    { arguments: { type: "malformed", text: "{oops" } },
  ]);
  expect(received.parts.filter((part) => part.type === "tool-arguments-delta")).toEqual([
    { type: "tool-arguments-delta", index: 0, name: "edit", delta: '{"path":"x","note":null,"edits":[]}' },
    { type: "tool-arguments-delta", index: 1, name: "edit", delta: "{oops" },
  ]);
  await cutEverywhere("openai-chat", [...events.slice(1, 3), finished("tool_calls"), done], expectDeltasToAddUp, asked);
});

test("over the Responses API as well, each call's arguments are its own", async () => {
  const written = ['{"path":"x","limit":null,"edits":[]}', '{"path":"y","edits":[{"from":"a","to":null}]}'] as const;
  const items = [callItem("a", "edit", written[0]), callItem("b", "edit", written[1])];
  const events = [created, ...callEvents(0, "a", "edit", written[0]), ...callEvents(1, "b", "edit", written[1])];
  const server = await serve(streaming(...events, completed(items)));
  const asked = { request: { ...simpleRequest, tools: [tool] }, model: model({ strict_tools: true }) };
  const received = await ask(provide("openai-responses", server.url), asked);
  expect(finishOf(received).message.content).toMatchObject([
    { arguments: { type: "json", value: { path: "x", edits: [] } } },
    { arguments: { type: "json", value: { path: "y", edits: [{ from: "a" }] } } },
  ]);
  expect(JSON.stringify(received.parts)).not.toContain("null");
  expectDeltasToAddUp(received);
});
