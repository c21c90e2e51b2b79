import { createHash } from "node:crypto";
import { callMark, checkResponsesRequest, sealReasoning } from "@capstan/rehearsal";
import {
  type AssistantBlock,
  canonicalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Message,
  type ModelOrigin,
  type ModelRequest,
} from "@capstan/protocol";
import * as fc from "fast-check";
import { runs } from "@capstan/testkit";
import { expect, test } from "vitest";
import { toResponsesBody } from "../../src/index.ts";
import { responsesBodyText } from "../../src/openai-responses/to-responses-body.ts";
import { textOf } from "../../src/shared/json-fields.ts";
import { MessageCache } from "../../src/shared/request/message-cache.ts";
import { model } from "../fixtures/calls.ts";
import { asking, assistant, call, conversation, foreign, own, result, tool, user } from "../fixtures/conversations.ts";

const ownResponses: ModelOrigin = { provider: "test", model: "model-1", wire: "openai-responses" };
const otherProvider: ModelOrigin = { ...ownResponses, provider: "azure" };

function reasoning(id: string, leadsTo: string, summary = "hm"): AssistantBlock {
  const encrypted_content = sealReasoning({ id, summary }, leadsTo);
  const item = { id, type: "reasoning", summary: [{ type: "summary_text", text: summary }], encrypted_content };
  return { type: "provider-item", item };
}

function itemOf(block: AssistantBlock): JsonObject {
  return block.type === "provider-item" ? block.item : {};
}

test("the whole of a request", () => {
  const think = reasoning("rs_1", "a");
  const request = asking(
    user("one", "two"),
    assistant(
      ownResponses,
      { type: "thinking", text: "hm" },
      think,
      { type: "text", text: "a", signature: "commentary", citations: [{ type: "url_citation" }] },
      call("i", "read_file", { path: "x" }),
      call("j"),
    ),
    user(
      result("i", "text"),
      result("j", "", true),
      "look",
      { type: "media", mediaType: "image/png", data: "aGk=" },
      { type: "media", mediaType: "application/pdf", data: "aGk=", name: "a.pdf" },
    ),
    assistant(foreign, { type: "thinking", text: "hm", signature: "s" }, "b", call("k")),
    user(result("k", "r")),
  );
  const body = toResponsesBody(request, model());
  expect(body).toEqual({
    model: "model-1",
    stream: true,
    store: false,
    max_output_tokens: 16_000,
    include: ["reasoning.encrypted_content"],
    reasoning: { summary: "auto" },
    prompt_cache_key: expect.stringMatching(/^capstan-[0-9a-f]{32}$/),
    instructions: "Be brief.",
    tools: [
      {
        type: "function",
        name: "read_file",
        description: "Reads a file.",
        parameters: tool.inputSchema,
        strict: false,
      },
    ],
    tool_choice: "auto",
    parallel_tool_calls: true,
    input: [
      {
        type: "message",
        role: "user",
        content: [
          { type: "input_text", text: "one" },
          { type: "input_text", text: "two" },
        ],
      },
      itemOf(think),
      { type: "message", role: "assistant", content: "a", phase: "commentary" },
      { type: "function_call", call_id: "i", name: "read_file", arguments: '{"path":"x"}' },
      { type: "function_call", call_id: "j", name: "read_file", arguments: "{}" },
      { type: "function_call_output", call_id: "i", output: "text" },
      { type: "function_call_output", call_id: "j", output: "(empty)" },
      {
        type: "message",
        role: "user",
        content: [
          { type: "input_text", text: "look" },
          { type: "input_image", image_url: "data:image/png;base64,aGk=", detail: "auto" },
          { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,aGk=" },
        ],
      },
      { type: "message", role: "assistant", content: "b" },
      { type: "function_call", call_id: "k", name: "read_file", arguments: "{}" },
      { type: "function_call_output", call_id: "k", output: "r" },
    ],
  });
  expect(checkResponsesRequest(body)).toBeUndefined();
});

test("options", () => {
  const usual = { include: ["reasoning.encrypted_content"], reasoning: { summary: "auto" } };
  checkOptions({}, "gpt-5.2", usual);
  checkOptions({ reasoning_effort: "high", verbosity: "low", truncation: "auto" }, "o3", {
    ...usual,
    reasoning: { effort: "high", summary: "auto" },
    text: { verbosity: "low" },
    truncation: "auto",
  });
  checkOptions({ reasoning_summary: "none" }, "gpt-5.2", { include: usual.include });
  // Models that do not reason refuse every word about it.
  checkOptions({ reasoning_effort: "high", verbosity: "low" }, "gpt-4.1-mini", {});
  checkOptions({ reasoning_effort: "high" }, "openai/gpt-5.1-chat-latest", {});
  checkOptions({ reasoning: true }, "gpt-4-of-our-own", usual);
  checkOptions({ reasoning: false }, "local", {});
  const [strict] = objects(toResponsesBody(asking(user("q")), model({ strict_tools: true }))["tools"]);
  expect(strict?.["strict"]).toBe(true);
  const developer = toResponsesBody(asking(user("q")), model({ system_role: "developer" }));
  expect([developer["instructions"], objects(developer["input"])[0]]).toEqual([
    undefined,
    { type: "message", role: "developer", content: "Be brief." },
  ]);
  const small = toResponsesBody({ ...asking(user("q")), maxOutputTokens: 1 }, model());
  expect(small["max_output_tokens"]).toBe(16);
});

function checkOptions(options: JsonObject, id: string, expected: JsonObject): void {
  const body = toResponsesBody({ ...asking(user("q")), tools: [], system: "" }, model(options, { id }));
  const { model: _model, stream: _stream, store: _store, max_output_tokens: _max, input: _input, ...rest } = body;
  const { prompt_cache_key: _key, ...fields } = rest;
  expect(fields).toEqual(expected);
}

function keyOf(changes: Partial<ModelRequest>): JsonValue | undefined {
  return toResponsesBody({ ...asking(user("q")), ...changes }, model())["prompt_cache_key"];
}

test("a session keeps its cache key; another prompt or another set of tools has its own", () => {
  expect(keyOf({ messages: [user("q"), assistant(own, "a"), user("r")] })).toBe(keyOf({}));
  expect(new Set([keyOf({}), keyOf({ system: "Be long." }), keyOf({ tools: [] })]).size).toBe(3);
  expect(toResponsesBody(asking(user("q")), model({ prompt_cache_key: false }))["prompt_cache_key"]).toBeUndefined();
});

test("the cache key is that of the prompt and the tools as they are sent, whichever way they were sent before", () => {
  for (const strict_tools of [false, true, true, false]) {
    const asked = { ...asking(user("q")), system: "Be brief, größer.", tools: [tool, { ...tool, name: "z" }] };
    const body = toResponsesBody(asked, model({ strict_tools }));
    const digest = createHash("sha256")
      .update(canonicalJson([asked.system, body["tools"]]))
      .digest("hex");
    expect(body["prompt_cache_key"]).toBe(`capstan-${digest.slice(0, 32)}`);
  }
});

test("reasoning goes back as it came, to its own vendor, and never alone", () => {
  const before = reasoning("rs_1", "c");
  checkItems([before, call("c")], [itemOf(before), callOf("c")]);
  checkItems([before, call("c")], [callOf("c")], otherProvider);
  checkItems([before, call("c")], [callOf("c")], own);
  checkItems([call("c"), before], [callOf("c")]);
  checkItems([before], []);
  checkItems([before, " ", call("c")], [callOf("c")]);
  checkItems(
    [{ type: "thinking", text: "t" }, before, "a"],
    [itemOf(before), { type: "message", role: "assistant", content: "a" }],
  );
  const without: AssistantBlock = { type: "provider-item", item: { id: "rs_1", type: "reasoning", summary: [] } };
  checkItems([without, call("c")], [callOf("c")]);
  const nulls = { type: "provider-item" as const, item: { ...itemOf(before), status: null, content: null } };
  checkItems([nulls, call("c")], [itemOf(before), callOf("c")]);
  const open = { id: "rs_2", type: "reasoning", summary: [], content: [{ type: "reasoning_text", text: "raw" }] };
  checkItems([{ type: "provider-item", item: open }, call("c")], [open, callOf("c")]);
});

test("the vendor's own tools go back whole, but no call that waits for a client", () => {
  const search = { id: "ws_1", type: "web_search_call", status: "completed", action: { type: "search", query: "q" } };
  const shell = { id: "sh_1", type: "shell_call", call_id: "s", action: { commands: ["ls"] } };
  const output = { id: "so_1", type: "shell_call_output", call_id: "s", output: [] };
  checkItems(keep(search), [search]);
  checkItems(keep(search), [], otherProvider);
  checkItems([...keep(itemOf(reasoning("rs_1", "")), shell), call("c")], [callOf("c")]);
  checkItems(keep(shell, output), [shell, output]);
});

test("of the vendor's own items goes back what it takes, and nothing that did not come to its end", () => {
  const image = { id: "ig_1", type: "image_generation_call", status: "completed", result: "aGk=" };
  checkItems(keep({ ...image, size: "1024x1024", revised_prompt: "a cat", action: "generate" }), [image]);
  checkItems(keep({ ...image, status: "generating", result: null }), []);
  const compaction = { id: "cmp_1", type: "compaction", encrypted_content: "gAAA" };
  checkItems(keep({ ...compaction, created_by: "x" }), [compaction]);
  checkItems(keep({ id: "ws_1", type: "web_search_call", status: "in_progress" }), []);
  const searching = { id: "ws_1", type: "web_search_call", status: "searching" };
  checkItems(
    [...keep(itemOf(reasoning("rs_1", "")), searching), "a"],
    [{ type: "message", role: "assistant", content: "a" }],
  );
  const brandNew = { id: "x_1", type: "brand_new", status: "in_progress", more: [1] };
  checkItems(keep(brandNew), [brandNew]);
});

test("a call keeps its namespace, and its caller where the program stands with it", () => {
  const program = { id: "cm_1", type: "program", call_id: "p", code: "go()", fingerprint: "gAAA" };
  const caller = { type: "program", caller_id: "p" };
  const marked = { ...call("c"), signature: JSON.stringify({ namespace: "files", caller }) };
  checkItems([...keep(program), marked], [program, { ...callOf("c"), namespace: "files", caller }]);
  checkItems([marked], [{ ...callOf("c"), namespace: "files" }]);
  checkItems([marked], [callOf("c")], otherProvider);
  checkItems([{ ...call("c"), signature: "EqoB" }], [callOf("c")]);
});

function keep(...items: readonly JsonObject[]): readonly AssistantBlock[] {
  return items.map((item) => ({ type: "provider-item", item }));
}

function callOf(id: string): JsonObject {
  return { type: "function_call", call_id: id, name: "read_file", arguments: "{}" };
}

function checkItems(
  content: readonly (AssistantBlock | string)[],
  expected: readonly JsonObject[],
  origin: ModelOrigin = ownResponses,
): void {
  const calls = content.flatMap((block) =>
    typeof block !== "string" && block.type === "tool-call" ? [block.callId] : [],
  );
  const next: Message = user(...calls.map((id) => result(id, "r")), "continue");
  const items = objects(toResponsesBody(asking(user("q"), assistant(origin, ...content), next), model())["input"]);
  expect(items.slice(1, -1 - calls.length)).toEqual(expected);
}

test("any conversation has a body the rehearsal accepts, and its JSON is the same body", () => {
  const cache = new MessageCache();
  fc.assert(
    fc.property(conversation.filter(hasUniqueCalls), fc.boolean(), (request, reasoned) => {
      const asked = reasoned ? withReasoning(request) : request;
      const body = toResponsesBody(asked, model());
      expect(JSON.parse(responsesBodyText(asked, model(), cache))).toEqual(body);
      expect(JSON.parse(responsesBodyText(asked, model(), cache))).toEqual(body);
      expect(checkResponsesRequest(body)).toBeUndefined();
    }),
    { numRuns: runs(400) },
  );
});

/** The engine never lets an id come back in a session. */
function hasUniqueCalls({ messages }: ModelRequest): boolean {
  const ids = messages.flatMap((message) =>
    message.role === "user"
      ? []
      : message.content.flatMap((block) => (block.type === "tool-call" ? [block.callId] : [])),
  );
  return new Set(ids).size === ids.length;
}

/** The same conversation with this wire, where every answer began with reasoning about what comes first in it. */
function withReasoning(request: ModelRequest): ModelRequest {
  const messages = request.messages.map((message, at): Message => {
    if (message.role === "user") return message;
    const content = message.content.filter((block) => block.type !== "provider-item");
    const [first] = objects(toResponsesBody(asking(user("q"), { ...message, content }), model())["input"]).slice(1);
    const leadsTo = first?.["type"] === "message" ? textOf(first["content"]) : callMark(textOf(first?.["name"]));
    return { ...message, origin: ownResponses, content: [reasoning(`rs_${at}`, leadsTo), ...withoutBlank(content)] };
  });
  return { ...request, messages };
}

function withoutBlank(content: readonly AssistantBlock[]): readonly AssistantBlock[] {
  return content.filter((block) => block.type !== "text" || block.text.trim() !== "");
}

function objects(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((item: unknown) => isJsonObject(item)) : [];
}
