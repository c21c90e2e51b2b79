import {
  type AssistantBlock,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ModelRequest,
  toToolCallId,
} from "@capstan/protocol";
import * as fc from "fast-check";
import { runs } from "@capstan/testkit";
import { expect, test } from "vitest";
import { anthropicBodyText } from "../../src/anthropic/to-anthropic-body.ts";
import { toAnthropicBody } from "../../src/index.ts";
import { textOf } from "../../src/shared/json-fields.ts";
import { MessageCache } from "../../src/shared/request/message-cache.ts";
import { asking, assistant, call, conversation, foreign, own, result, tool, user } from "../fixtures/conversations.ts";
import { model } from "../fixtures/calls.ts";

const cached = { cache_control: { type: "ephemeral" } };
const uncached = { cache_enabled: false };

test("the whole of a request", () => {
  const request = asking(
    user(
      "one",
      { type: "media", mediaType: "image/png", data: "aGk=" },
      { type: "media", mediaType: "application/pdf", data: "aGk=", name: "a.pdf" },
    ),
    assistant(
      own,
      { type: "thinking", text: "hm", signature: "s" },
      { type: "thinking", text: "", redacted: "r" },
      "ok",
      call("a", "read_file", { path: "x" }),
      call("b"),
    ),
    user(result("a", "text"), result("b", "", true), "and"),
  );
  expect(toAnthropicBody(request, model())).toEqual({
    model: "model-1",
    max_tokens: 16_000,
    stream: true,
    tools: [{ name: "read_file", description: "Reads a file.", input_schema: tool.inputSchema, ...cached }],
    system: [{ type: "text", text: "Be brief.", ...cached }],
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "one" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } },
          {
            type: "document",
            source: { type: "base64", media_type: "application/pdf", data: "aGk=" },
            title: "a.pdf",
            ...cached,
          },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm", signature: "s" },
          { type: "redacted_thinking", data: "r" },
          { type: "text", text: "ok" },
          { type: "tool_use", id: "a", name: "read_file", input: { path: "x" } },
          { type: "tool_use", id: "b", name: "read_file", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: "text" },
          { type: "tool_result", tool_use_id: "b", is_error: true },
          { type: "text", text: "and", ...cached },
        ],
      },
    ],
  });
});

test("assistant messages keep only what the vendor takes back", () => {
  const thinking: AssistantBlock = { type: "thinking", text: "hm", signature: "s" };
  const searched = vendorItem({ type: "server_tool_use", id: "x" });
  const answer: JsonObject = { type: "web_search_tool_result", tool_use_id: "x", content: [] };
  const text = { type: "text", text: "a" };
  const empty = [{ type: "text", text: "(empty)" }];
  const problem = { type: "malformed", text: "{", problem: "cut" } as const;
  const malformedCall: AssistantBlock = {
    type: "tool-call",
    callId: toToolCallId("i"),
    name: "read_file",
    arguments: problem,
  };
  checkAssistant([thinking, "a"], own, [{ type: "thinking", thinking: "hm", signature: "s" }, text]);
  checkAssistant([thinking, searched, vendorItem(answer), "a"], foreign, [text]);
  checkAssistant([thinking, "a"], { ...own, provider: "elsewhere" }, [text]);
  checkAssistant([{ type: "thinking", text: "unsigned" }, "a"], own, [text]);
  checkAssistant([{ type: "thinking", text: "", signature: "s" }, "a"], own, [
    { type: "thinking", thinking: "", signature: "s" },
    text,
  ]);
  checkAssistant(["a", thinking], own, [text]);
  checkAssistant([searched, vendorItem(answer), "a"], own, [{ type: "server_tool_use", id: "x" }, answer, text]);
  checkAssistant([thinking], foreign, empty);
  checkAssistant([thinking], own, empty);
  checkAssistant(["  \n"], own, empty);
  checkAssistant([{ type: "text", text: "a", citations: [{ type: "c" }] }], own, [
    { ...text, citations: [{ type: "c" }] },
  ]);
  checkAssistant([{ type: "text", text: "a", citations: [{ type: "c" }] }], foreign, [text]);
  checkAssistant(["a\ud83d"], own, [{ type: "text", text: "a\ufffd" }]);
  checkAssistant([malformedCall], own, [{ type: "tool_use", id: "i", name: "read_file", input: {} }]);
  checkAssistant([call("i", "bad name!", { a: "\udc00" })], own, [
    { type: "tool_use", id: "i", name: "bad_name_", input: { a: "\ufffd" } },
  ]);
});

function checkAssistant(blocks: readonly (AssistantBlock | string)[], origin: typeof own, expected: JsonValue): void {
  const body = toAnthropicBody(asking(user("q"), assistant(origin, ...blocks), user("continue")), model(uncached));
  expect(contentOf(body, 1)).toEqual(expected);
}

test("thinking options", () => {
  checkThinking({}, {});
  checkThinking({ thinking_enabled: true }, enabled(10_000));
  checkThinking({ thinking_enabled: true, thinking_budget_tokens: 2000 }, enabled(2000));
  checkThinking({ thinking_enabled: true, thinking_budget_tokens: 5 }, enabled(1024));
  checkThinking({ thinking_enabled: true, thinking_budget_tokens: 16_000 }, enabled(8000));
  checkThinking({ thinking_enabled: true }, enabled(1024), { maxOutputTokens: 1025 });
  checkThinking({ thinking_enabled: true }, {}, { maxOutputTokens: 1024 });
  checkThinking({ thinking: "adaptive" }, { thinking: { type: "adaptive" } });
  checkThinking(
    { thinking: "adaptive", thinking_effort: "high" },
    { thinking: { type: "adaptive" }, output_config: { effort: "high" } },
  );
  checkThinking({ thinking: "disabled", thinking_enabled: true }, {});
  // A tool loop that began without thinking ends without it.
  const signed: AssistantBlock = { type: "thinking", text: "hm", signature: "s" };
  checkThinking({ thinking_enabled: true }, {}, loopOf(own));
  checkThinking({ thinking_enabled: true }, {}, loopOf(foreign, signed));
  checkThinking({ thinking_enabled: true }, enabled(10_000), loopOf(own, signed));
  checkThinking({ thinking: "adaptive" }, { thinking: { type: "adaptive" } }, loopOf(own));
});

test("a tool loop whose last answer has its thinking further in ends without it", () => {
  const signed: AssistantBlock = { type: "thinking", text: "hm", signature: "s" };
  const begin = [user("q"), assistant(own, signed, call("a")), user(result("a", "x"))];
  const loop = (...last: readonly (AssistantBlock | string)[]): Partial<ModelRequest> => ({
    messages: [...begin, assistant(own, ...last, call("b")), user(result("b", "y"))],
  });
  checkThinking({ thinking_enabled: true }, {}, loop("Paused here.", signed));
  checkThinking({ thinking_enabled: true }, enabled(10_000), loop(signed, "Paused here.", signed));
  checkThinking({ thinking_enabled: true }, enabled(10_000), loop("No thinking at all."));
  checkThinking({ thinking_enabled: true }, enabled(10_000), {
    messages: [...(loop("Paused here.", signed).messages ?? []), assistant(own, "done"), user("next")],
  });
});

test("a model is asked to think in the way it takes", () => {
  const adaptive = { type: "adaptive", display: "summarized" };
  const budget = { type: "enabled", budget_tokens: 10_000 };
  for (const id of [
    "claude-opus-4-7",
    "claude-opus-4-8",
    "claude-sonnet-5",
    "claude-opus-5-20260901",
    "claude-fable-5",
    "claude-mythos-preview",
    "anthropic/claude-opus-4.7",
    "us.anthropic.claude-opus-4-7-v1:0",
  ]) {
    checkStyle(id, {}, { enabled: adaptive, adaptive, flag: adaptive });
  }
  for (const id of ["claude-opus-4-6", "claude-sonnet-4-6-20260217", "anthropic/claude-sonnet-4.6"]) {
    checkStyle(id, {}, { enabled: budget, adaptive, flag: adaptive });
  }
  for (const id of [
    "claude-opus-4-5-20251101",
    "claude-sonnet-4-20250514",
    "claude-haiku-4-5",
    "claude-opus-4-1@20250805",
    "claude-3-7-sonnet-20250219",
  ]) {
    checkStyle(id, {}, { enabled: budget, adaptive: budget, flag: budget });
  }
  checkStyle("somebody-elses", {}, { enabled: budget, adaptive: { type: "adaptive" }, flag: budget });
  checkStyle("somebody-elses", { thinking_style: "adaptive" }, { enabled: adaptive, adaptive, flag: adaptive });
  checkStyle("claude-opus-4-7", { thinking_style: "budget" }, { enabled: budget, adaptive: budget, flag: budget });
  checkStyle("claude-opus-4-5", { thinking_style: "both" }, { enabled: budget, adaptive, flag: adaptive });
  checkStyle("claude-opus-4-7", { thinking: "disabled", thinking_enabled: true }, {});
});

interface Expected {
  readonly enabled?: JsonObject;
  readonly adaptive?: JsonObject;
  readonly flag?: JsonObject;
}

function checkStyle(id: string, options: JsonObject, { enabled: asEnabled, adaptive, flag }: Expected): void {
  const asked = (more: JsonObject): JsonValue | undefined =>
    toAnthropicBody(asking(user("q")), model({ ...more, ...options }, { id }))["thinking"];
  expect(
    [asked({ thinking: "enabled" }), asked({ thinking: "adaptive" }), asked({ thinking_enabled: true })],
    `model ${id}`,
  ).toEqual([asEnabled, adaptive, flag]);
}

test("a model that binds its thinking to what stood before it is asked to leave out what no longer fits", () => {
  const thinking = { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } };
  for (const id of ["claude-fable-5-1", "claude-opus-5-5", "anthropic/claude-sonnet-5.5"]) {
    const shown = { ...thinking, display: "summarized" };
    checkStyle(id, {}, { enabled: shown, adaptive: shown, flag: shown });
    expect(toAnthropicBody(asking(user("q")), model({}, { id }))["thinking"], `model ${id}`).toEqual(thinking);
  }
});

test("how thinking is shown is the user's choice where they made one", () => {
  const settings = model({ thinking_enabled: true, thinking_display: "omitted" }, { id: "claude-opus-5" });
  expect(toAnthropicBody(asking(user("q")), settings)["thinking"]).toEqual({ type: "adaptive", display: "omitted" });
});

test("what the vendor refuses to read back does not go back", () => {
  const place = { document_index: 0, document_title: null, cited_text: "x", start_char_index: 0, end_char_index: 1 };
  checkAssistant(
    [{ type: "text", text: "a", citations: [{ type: "char_location", file_id: "f", ...place }, null] }],
    own,
    [{ type: "text", text: "a", citations: [{ type: "char_location", ...place }] }],
  );
  const use = { type: "mcp_tool_use", id: "m", name: "find", server_name: "s", input: {} };
  const inside = { type: "text", text: "b", citations: [{ type: "page_location", file_id: null, cited_text: "y" }] };
  const answer = { type: "mcp_tool_result", tool_use_id: "m", is_error: false, content: [inside] };
  checkAssistant([vendorItem(use), vendorItem(answer), "a"], own, [
    use,
    { ...answer, content: [{ ...inside, citations: [{ type: "page_location", cited_text: "y" }] }] },
    { type: "text", text: "a" },
  ]);
});

test("a run of code goes back without what the vendor only reports", () => {
  const use = { type: "server_tool_use", id: "s", name: "code_execution", input: { code: "1" } };
  const output = [{ type: "code_execution_output", file_id: "file_1" }];
  const run = { type: "code_execution_result", stdout: "1", stderr: "", return_code: 0, content: output };
  const answer = { type: "code_execution_tool_result", tool_use_id: "s", content: run };
  checkAssistant([vendorItem(use), vendorItem({ ...answer, content: { ...run, abort_reason: null } }), "a"], own, [
    use,
    answer,
    { type: "text", text: "a" },
  ]);
});

test("a call of the vendor's own that was cut off before its result goes back only where it can still be run", () => {
  const search = { type: "server_tool_use", id: "s", name: "web_search", input: {} };
  checkAssistant(["a", vendorItem(search)], own, [{ type: "text", text: "a" }]);
  checkAssistant([vendorItem(search)], own, [{ type: "text", text: "(empty)" }]);
  const paused = toAnthropicBody(asking(user("q"), assistant(own, "a", vendorItem(search))), model(uncached));
  expect(contentOf(paused, 1)).toEqual([{ type: "text", text: "a" }, search]);
  const beside = [user("q"), assistant(own, vendorItem(search), call("t")), user(result("t", "x"))];
  expect(contentOf(toAnthropicBody(asking(...beside), model(uncached)), 1)).toEqual([
    search,
    { type: "tool_use", id: "t", name: "read_file", input: {} },
  ]);
});

test("a call keeps the vendor's marks together with what they name", () => {
  const run = { type: "server_tool_use", id: "s", name: "code_execution", input: {} };
  const caller = { type: "code_execution_20260120", tool_id: "s" };
  const marked = { ...call("t"), signature: JSON.stringify({ caller, toolset_name: "files" }) };
  const sent = { type: "tool_use", id: "t", name: "read_file", input: {}, toolset_name: "files" };
  checkAssistant([vendorItem(run), marked], own, [run, { ...sent, caller }]);
  checkAssistant([marked], own, [sent]);
  checkAssistant([marked], foreign, [{ type: "tool_use", id: "t", name: "read_file", input: {} }]);
  checkAssistant([{ ...call("t"), signature: "EqoBCkgI" }], own, [
    { type: "tool_use", id: "t", name: "read_file", input: {} },
  ]);
});

function vendorItem(value: JsonObject): AssistantBlock {
  return { type: "provider-item", item: value };
}

function checkThinking(options: JsonObject, expected: JsonObject, change: Partial<ModelRequest> = {}): void {
  const body = toAnthropicBody({ ...asking(user("q")), ...change }, model(options));
  const { thinking, output_config } = body;
  expect({ ...(thinking && { thinking }), ...(output_config && { output_config }) }).toEqual(expected);
}

function enabled(budget_tokens: number): JsonObject {
  return { thinking: { type: "enabled", budget_tokens } };
}

function loopOf(origin: typeof own, ...first: readonly AssistantBlock[]): Partial<ModelRequest> {
  const begin = [user("q"), assistant(origin, ...first, call("a")), user(result("a", "x"))];
  return { messages: [...begin, assistant(origin, call("b")), user(result("b", "y"))] };
}

test("a request without tools still explains the calls in its history", () => {
  const history = [user("q"), assistant(own, call("a", "odd name")), user(result("a", "x"))];
  const body = toAnthropicBody({ ...asking(...history), tools: [] }, model(uncached));
  expect([body["tools"], body["tool_choice"]]).toEqual([
    [
      { name: "odd_name", input_schema: { type: "object" } },
      { name: "read_file", input_schema: { type: "object" } },
    ],
    { type: "none" },
  ]);
});

test("an answer that is to be continued goes back as it is, without trailing space", () => {
  const messages = [user("q"), assistant(own, { type: "thinking", text: "hm", signature: "s" }, "so \n")];
  expect(contentOf(toAnthropicBody(asking(...messages), model(uncached)), 1)).toEqual([{ type: "text", text: "so" }]);
});

test("a longer conversation begins with the same bytes, up to its breakpoints", () => {
  const cache = new MessageCache();
  const first = [user("one"), assistant(own, "a", call("x")), user(result("x", "r")), assistant(own, "b")];
  const more = [...first, user("two"), assistant(own, "c"), user("three")];
  const short = anthropicBodyText(asking(...first, user("two")), model(uncached), cache);
  const long = anthropicBodyText(asking(...more), model(uncached), cache);
  const common = short.slice(0, short.lastIndexOf("]}"));
  expect(long.startsWith(common)).toBe(true);
});

test("any conversation has a body the vendor accepts, and its JSON is the same body", () => {
  const cache = new MessageCache();
  fc.assert(
    fc.property(conversation, fc.boolean(), (request, thinking) => {
      const settings = model({ thinking_enabled: thinking });
      const body = toAnthropicBody(request, settings);
      expect(JSON.parse(anthropicBodyText(request, settings, cache))).toEqual(body);
      expect(JSON.parse(anthropicBodyText(request, settings, cache))).toEqual(body);
      expect(offences(body)).toEqual([]);
    }),
    { numRuns: runs(400) },
  );
});

function contentOf(body: JsonObject, at: number): JsonValue | undefined {
  const messages = body["messages"];
  const message: unknown = Array.isArray(messages) ? messages[at] : undefined;
  return isJsonObject(message) ? message["content"] : undefined;
}

/** What the vendor would refuse. */
function offences(body: JsonObject): readonly string[] {
  const found: string[] = [];
  const json = JSON.stringify(body);
  if (/(?<!\\)(\\\\)*\\ud[89a-f]/.test(json)) found.push("lone surrogate");
  if ((json.match(/"cache_control":/g) ?? []).length > 4) found.push("more than four breakpoints");
  const thinking = body["thinking"];
  if (isJsonObject(thinking) && Number(thinking["budget_tokens"]) >= Number(body["max_tokens"])) found.push("budget");
  const messages = listOf(body["messages"]);
  let open: readonly JsonValue[] = [];
  messages.forEach((message, at) => {
    const blocks = listOf(message["content"]);
    if (message["role"] !== (at % 2 === 0 ? "user" : "assistant")) found.push("roles do not alternate");
    if (blocks.length === 0) found.push("empty message");
    if (blocks.some((block) => block["type"] === "text" && textOf(block["text"]).trim() === ""))
      found.push("blank text");
    const last = blocks.at(-1)?.["type"];
    if (last === "thinking" || last === "redacted_thinking") found.push("ends in thinking");
    const results = blocks
      .filter((block) => block["type"] === "tool_result")
      .map((block) => block["tool_use_id"] ?? "");
    if (message["role"] === "user" && JSON.stringify(results) !== JSON.stringify(open))
      found.push("results do not answer the calls");
    const uses = blocks.filter((block) => block["type"] === "tool_use");
    open = uses.map((block) => block["id"] ?? "");
    if (!uses.every((use) => /^[\w-]{1,64}$/.test(textOf(use["id"])) && /^[\w-]{1,64}$/.test(textOf(use["name"]))))
      found.push("id or name");
    if (uses.length > 0 && body["tools"] === undefined) found.push("calls without tools");
  });
  return found;
}

function listOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((item: unknown) => isJsonObject(item)) : [];
}
