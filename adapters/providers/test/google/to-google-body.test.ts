import {
  type AssistantBlock,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ModelRequest,
  toToolCallId,
} from "@capstan/protocol";
import { checkGoogleRequest, signPart } from "@capstan/rehearsal";
import * as fc from "fast-check";
import { runs } from "@capstan/testkit";
import { expect, test } from "vitest";
import { googleBodyText, toGoogleRequest } from "../../src/google/to-google-body.ts";
import { toGoogleBody } from "../../src/index.ts";
import { MessageCache } from "../../src/shared/request/message-cache.ts";
import { model } from "../fixtures/calls.ts";
import {
  asking,
  assistant,
  call,
  conversation,
  foreign,
  own,
  ownGoogle,
  result,
  tool,
  user,
} from "../fixtures/conversations.ts";

const placeholder = { thoughtSignature: "skip_thought_signature_validator" };

test("the whole of a request", () => {
  const request = asking(
    user(
      "one",
      { type: "media", mediaType: "image/png", data: "aGk=" },
      { type: "media", mediaType: "application/pdf", data: "aGk=", name: "a.pdf" },
      { type: "media", mediaType: "text/plain", data: "aGk=" },
      { type: "media", mediaType: "image/gif", data: "aGk=", name: "a.gif" },
    ),
    assistant(
      ownGoogle,
      { type: "thinking", text: "hm" },
      "ok",
      { ...call("a", "read_file", { path: "x" }), signature: "c2ln" },
      call("b"),
    ),
    user("and", result("a", "text"), result("b", "no", true)),
  );
  expect(toGoogleBody(request, model())).toEqual({
    systemInstruction: { parts: [{ text: "Be brief." }] },
    tools: [
      {
        functionDeclarations: [
          { name: "read_file", description: "Reads a file.", parametersJsonSchema: tool.inputSchema },
        ],
      },
    ],
    generationConfig: { maxOutputTokens: 16_000, thinkingConfig: { includeThoughts: true } },
    contents: [
      {
        role: "user",
        parts: [
          { text: "one" },
          { inlineData: { mimeType: "image/png", data: "aGk=" } },
          { inlineData: { mimeType: "application/pdf", data: "aGk=" } },
          { text: "hi" },
          { text: "[attachment a.gif: image/gif cannot be shown to this model]" },
        ],
      },
      {
        role: "model",
        parts: [
          { text: "ok" },
          { functionCall: { id: "a", name: "read_file", args: { path: "x" } }, thoughtSignature: "c2ln" },
          { functionCall: { id: "b", name: "read_file", args: {} } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "a", name: "read_file", response: { output: "text" } } },
          { functionResponse: { id: "b", name: "read_file", response: { error: "no" } } },
          { text: "and" },
        ],
      },
    ],
  });
});

test("model parts keep only what the vendor takes back", () => {
  const signed: AssistantBlock = { type: "thinking", text: "hm", signature: "c2ln" };
  const item: AssistantBlock = { type: "provider-item", item: { text: "", thoughtSignature: "c2ln" } };
  const text: AssistantBlock = { type: "text", text: "a", signature: "c2ln" };
  const malformed: AssistantBlock = {
    type: "tool-call",
    callId: toToolCallId("i"),
    name: "read_file",
    arguments: { type: "malformed", text: "{", problem: "cut" },
  };
  const elsewhere = { ...ownGoogle, provider: "elsewhere" };
  checkModel([signed, text, item], ownGoogle, [
    { text: "hm", thought: true, thoughtSignature: "c2ln" },
    { text: "a", thoughtSignature: "c2ln" },
    { text: "", thoughtSignature: "c2ln" },
  ]);
  for (const origin of [foreign, own, elsewhere]) checkModel([signed, text, item], origin, [{ text: "a" }]);
  checkModel([{ type: "thinking", text: "unsigned" }, "a"], ownGoogle, [{ text: "a" }]);
  checkModel([{ type: "text", text: " ", signature: "c2ln" }], ownGoogle, [{ text: " ", thoughtSignature: "c2ln" }]);
  checkModel(["  \n"], ownGoogle, [{ text: "(empty)" }]);
  checkModel([signed], foreign, [{ text: "(empty)" }]);
  checkModel(["a\ud83d"], own, [{ text: "a\ufffd" }]);
  checkModel([malformed], ownGoogle, [{ functionCall: { id: "i", name: "read_file", args: {} }, ...placeholder }]);
  checkModel([call("i", "9 bad/name!"), call("j")], foreign, [
    { functionCall: { id: "i", name: "_9_bad_name_", args: {} }, ...placeholder },
    { functionCall: { id: "j", name: "read_file", args: {} } },
  ]);
  checkModel([{ ...call("i"), signature: "Zm9y" }], foreign, [
    { functionCall: { id: "i", name: "read_file", args: {} }, ...placeholder },
  ]);
});

function checkModel(blocks: readonly (AssistantBlock | string)[], origin: typeof own, expected: JsonValue): void {
  const calls = blocks.filter((block) => typeof block === "object" && block.type === "tool-call");
  const answers = calls.map((block) => result(typeof block === "object" && "callId" in block ? block.callId : "", "r"));
  const body = toGoogleBody(asking(user("q"), assistant(origin, ...blocks), user(...answers, "continue")), model());
  expect(partsOf(body, 1)).toEqual(expected);
}

test("models before Gemini 3 get no placeholder for signatures", () => {
  const request = asking(user("q"), assistant(foreign, call("i")), user(result("i", "r")));
  const functionCall = { id: "i", name: "read_file", args: {} };
  expect(partsOf(toGoogleBody(request, model({}, { id: "gemini-2.5-pro" })), 1)).toEqual([{ functionCall }]);
  for (const id of ["gemini-3-pro-preview", "models/gemini-3-flash", "gemini-4", "gemini-pro-latest"]) {
    expect(partsOf(toGoogleBody(request, model({}, { id })), 1), `model ${id}`).toEqual([
      { functionCall, ...placeholder },
    ]);
  }
});

test("a response bears the name of its call, whatever the tool is called by now", () => {
  const request = asking(user("q"), assistant(own, call("i", "Read.File")), user(result("i", "r")));
  expect(partsOf(toGoogleBody(request, model()), 2)).toEqual([
    { functionResponse: { id: "i", name: "Read.File", response: { output: "r" } } },
  ]);
});

test("a name the vendor allows goes back as it came, with its signature", () => {
  const signed: AssistantBlock = { ...call("i", "default_api:read_file"), signature: "c2ln" };
  checkModel([signed], ownGoogle, [
    { functionCall: { id: "i", name: "default_api:read_file", args: {} }, thoughtSignature: "c2ln" },
  ]);
});

test("a request always ends with a user", () => {
  const body = toGoogleBody(asking(user("q"), assistant(ownGoogle, "so")), model());
  expect(partsOf(body, 2)).toEqual([{ text: "Continue." }]);
});

test("thinking options, by what each model knows", () => {
  const shown = { includeThoughts: true };
  checkThinking("gemini-3-pro-preview", {}, shown);
  checkThinking("gemini-3-pro-preview", { thinking_level: "high" }, { ...shown, thinkingLevel: "HIGH" });
  checkThinking(
    "gemini-3-pro-preview",
    { thinking_level: "low", thinking_budget_tokens: 9 },
    { ...shown, thinkingLevel: "LOW" },
  );
  checkThinking("gemini-3-pro-preview", { thinking_budget_tokens: 4096 }, { ...shown, thinkingBudget: 4096 });
  checkThinking("gemini-3-pro-preview", { thinking_enabled: false }, { thinkingLevel: "LOW" });
  checkThinking("gemini-3-flash-preview", { thinking_enabled: false }, { thinkingLevel: "MINIMAL" });
  checkThinking("gemini-2.5-pro", { thinking_level: "high" }, shown);
  checkThinking("gemini-2.5-pro", { thinking_budget_tokens: 1 }, { ...shown, thinkingBudget: 128 });
  checkThinking("gemini-2.5-flash", { thinking_budget_tokens: 99_999 }, { ...shown, thinkingBudget: 24_576 });
  checkThinking("gemini-2.5-flash", { thinking_enabled: false }, { thinkingBudget: 0 });
  checkThinking("gemini-2.5-pro", { thinking_enabled: false }, { thinkingBudget: 128 });
  checkThinking("gemini-2.0-flash", {}, undefined);
  checkThinking("gemini-2.5-flash-image", {}, undefined);
  checkThinking("gemma-3-27b-it", {}, undefined);
});

function checkThinking(id: string, options: JsonObject, expected: JsonObject | undefined): void {
  const config = toGoogleBody(asking(user("q")), model(options, { id }))["generationConfig"];
  expect(isJsonObject(config) ? config["thinkingConfig"] : undefined, `model ${id}`).toEqual(expected);
}

test("schemas for older servers say what their subset can say", () => {
  checkSubset({ type: "object", properties: {} }, undefined);
  checkSubset(
    {
      $schema: "x",
      type: "object",
      additionalProperties: false,
      required: ["a", "gone"],
      properties: {
        a: { type: ["string", "null"], format: "uri", minLength: 1 },
        b: { enum: [1, 2] },
        c: { const: "x" },
        d: { type: "array", items: { $ref: "#/$defs/node" }, uniqueItems: true },
        e: { oneOf: [{ type: "integer", format: "int64" }, { type: "null" }, { type: "boolean" }] },
        f: { type: ["string", "number"] },
        g: { allOf: [{ properties: { x: { type: "string" } } }, { properties: { y: {} }, required: ["y"] }] },
        h: true,
      },
      $defs: { node: { type: "object", properties: { name: { type: "string" } } } },
    },
    {
      type: "object",
      required: ["a"],
      properties: {
        a: { type: "string", nullable: true, minLength: 1 },
        b: { type: "number" },
        c: { type: "string", enum: ["x"] },
        d: { type: "array", items: { type: "object", properties: { name: { type: "string" } } } },
        e: { nullable: true, anyOf: [{ type: "integer", format: "int64" }, { type: "boolean" }] },
        f: { anyOf: [{ type: "string" }, { type: "number" }] },
        g: { type: "object", properties: { x: { type: "string" }, y: { type: "string" } }, required: ["y"] },
        h: { type: "string" },
      },
    },
  );
});

test("a schema that refers to itself ends", () => {
  const node = { type: "object", properties: { next: { $ref: "#" } } };
  expect(JSON.stringify(subsetOf(node)).length).toBeLessThan(2000);
});

function checkSubset(schema: JsonObject, expected: JsonObject | undefined): void {
  expect(subsetOf(schema)).toEqual(expected);
}

function subsetOf(inputSchema: JsonObject): JsonValue | undefined {
  const request = { ...asking(user("q")), tools: [{ ...tool, inputSchema }] };
  const body = toGoogleBody(request, model({ schema_field: "parameters" }));
  expect(checkGoogleRequest(body)).toBeUndefined();
  const tools: JsonValue = body["tools"] ?? null;
  return JSON.parse(JSON.stringify(tools))[0].functionDeclarations[0].parameters;
}

test("a longer conversation begins with the same bytes", () => {
  const cache = new MessageCache();
  const first = [user("one"), assistant(ownGoogle, "a", call("x")), user(result("x", "r")), assistant(ownGoogle, "b")];
  const short = textOf(asking(...first, user("two")), cache);
  const long = textOf(asking(...first, user("two"), assistant(ownGoogle, "c"), user("three")), cache);
  expect(long.startsWith(short.slice(0, short.lastIndexOf("]}")))).toBe(true);
});

test("any conversation has a body the rehearsal accepts, and its JSON is the same body", () => {
  const cache = new MessageCache();
  fc.assert(
    fc.property(conversation.map(ofGoogle), fc.constantFrom("gemini-3-pro", "gemini-2.5-pro"), (request, id) => {
      const settings = model({}, { id });
      const body = toGoogleBody(request, settings);
      expect(JSON.parse(textOf(request, cache, id))).toEqual(body);
      expect(JSON.parse(textOf(request, cache, id))).toEqual(body);
      expect(checkGoogleRequest(body, { model: id })).toBeUndefined();
    }),
    { numRuns: runs(400) },
  );
});

/** The same conversation as if its own vendor were Gemini, with signatures the rehearsal knows. */
function ofGoogle(request: ModelRequest): ModelRequest {
  const messages = request.messages.map((message) =>
    message.role === "user" || message.origin.wire !== "anthropic"
      ? message
      : { ...message, origin: ownGoogle, content: message.content.map(signedBlock) },
  );
  return { ...request, messages };
}

function signedBlock(block: AssistantBlock, at: number): AssistantBlock {
  const signature = signPart({ type: "text" }, String(at));
  switch (block.type) {
    case "text":
      return at % 2 === 0 ? { ...block, signature } : block;
    case "thinking":
      return at % 2 === 0 ? { type: "thinking", text: block.text, signature } : { type: "thinking", text: block.text };
    case "tool-call":
      // Names the wire cannot bear would come back changed; the vendor never writes them.
      return /^[a-z]+$/.test(block.name)
        ? { ...block, signature: signPart({ type: "call", name: block.name }, "") }
        : block;
    default:
      return { type: "provider-item", item: { text: "", thoughtSignature: signature } };
  }
}

function textOf(request: ModelRequest, cache: MessageCache, id = "gemini-3-pro"): string {
  const { prompt, generation, contents } = toGoogleRequest(request, model({}, { id }), cache);
  return googleBodyText({ ...prompt, ...generation }, contents);
}

function partsOf(body: JsonObject, at: number): JsonValue | undefined {
  const contents = body["contents"];
  const content: unknown = Array.isArray(contents) ? contents[at] : undefined;
  return isJsonObject(content) ? content["parts"] : undefined;
}
