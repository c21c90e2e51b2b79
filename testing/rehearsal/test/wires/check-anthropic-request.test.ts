import { expect, test } from "vitest";
import { checkAnthropicRequest, signThinking } from "@capstan/rehearsal";

const text = (value: string, more: object = {}): object => ({ type: "text", text: value, ...more });
const use = (id: string, more: object = {}): object => ({ type: "tool_use", id, name: "f", input: {}, ...more });
const result = (id: string, more: object = {}): object => ({
  type: "tool_result",
  tool_use_id: id,
  content: "ok",
  ...more,
});
const thinking = (value: string, signature = signThinking(value)): object => ({
  type: "thinking",
  thinking: value,
  signature,
});
const user = (...content: readonly object[]): object => ({ role: "user", content });
const assistant = (...content: readonly object[]): object => ({ role: "assistant", content });
const cache = { cache_control: { type: "ephemeral" } };
const hour = { cache_control: { type: "ephemeral", ttl: "1h" } };
const tool = (name: string, more: object = {}): object => ({
  name,
  input_schema: { type: "object", properties: {} },
  ...more,
});

const search = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} };

const base = { model: "m", max_tokens: 4096, messages: [{ role: "user", content: "hi" }] };
const request = (more: object): object => ({ ...base, ...more });
const talk = (...messages: readonly object[]): object => ({ ...base, messages });
const asked = user(text("hi"));

test("requests the vendor accepts are accepted", () => {
  checkAccepted(base);
  checkAccepted(talk(asked, assistant(text("a"), use("t1")), user(result("t1"), text("and?"))));
  checkAccepted(talk(asked, assistant(use("t1"), use("t2")), user(result("t2"), result("t1"))));
  checkAccepted(talk(asked, assistant(use("t1")), user(result("t1", { content: "" }))));
  checkAccepted(talk(asked, assistant(use("t1")), user(result("t1", { content: [text("x")], is_error: true }))));
  checkAccepted(talk(asked, assistant(text("to be continued"))));
  checkAccepted(talk(user(text("a", cache), text("b", cache)), assistant(text("c", cache)), user(text("d", cache))));
  checkAccepted(talk(asked, assistant(search)));
  checkAccepted(
    talk(asked, assistant(search, { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] }), asked),
  );
  checkAccepted(request({ system: "" }));
  checkAccepted(request({ system: [text("s", hour)], tools: [tool("f", hour)], cache_control: cache.cache_control }));
  checkAccepted(request({ tools: [], tool_choice: { type: "none" } }));
  checkAccepted(request({ tools: [tool("f")], tool_choice: { type: "tool", name: "f" } }));
  checkAccepted(request({ thinking: { type: "enabled", budget_tokens: 1024 }, temperature: 1 }));
  checkAccepted({
    ...talk(asked, assistant(thinking("t"), use("t1")), user(result("t1"))),
    thinking: { type: "adaptive" },
  });
  checkAccepted(talk(asked, assistant(thinking("t"), text("done")), asked));
  checkAccepted(talk(user({ type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } })));
  checkAccepted(
    talk(user({ type: "document", source: { type: "base64", media_type: "application/pdf", data: "aGk=" } })),
  );
  checkAccepted(talk(asked, assistant({ type: "redacted_thinking", data: "xyz" }, text("a")), asked));
});

test("requests the vendor refuses are refused, with the place and the reason", () => {
  checkRefused(undefined, /./);
  checkRefused([], /./);
  checkRefused({}, /^model: Field required/);
  checkRefused(request({ max_tokens: 0 }), "max_tokens: Input should be greater than or equal to 1");
  checkRefused(request({ max_tokens: 1.5 }), "max_tokens: Input should be a valid integer");
  checkRefused(request({ messages: [] }), "messages: at least one message is required");
  checkRefused(request({ foo: 1 }), "foo: Extra inputs are not permitted");
  checkRefused(talk(user(text("a", { foo: 1 }))), "messages.0.content.0.foo: Extra inputs are not permitted");
  checkRefused(talk({ role: "system", content: "x" }), /^messages\.0\.role: /);
  checkRefused(talk(asked, { role: "assistant" }), "messages.1.content: Field required");
  checkRefused(talk(user({ type: "video" })), /^messages\.0\.content\.0\.type: /);
  checkRefused(talk(assistant(text("a"))), /^messages\.0\.role: the first message must use the user role/);
  checkRefused(talk(asked, asked), /^messages\.1\.role: roles must alternate/);
  checkRefused(talk(user()), "messages.0: messages must have non-empty content");
  checkRefused(talk({ role: "user", content: "" }), "messages.0: messages must have non-empty content");
  checkRefused(
    talk({ role: "user", content: " \n" }),
    "messages.0: text content blocks must contain non-whitespace text",
  );
  checkRefused(talk(user(text(""))), /^messages\.0\.content\.0: text content blocks/);
  checkRefused(talk(asked, assistant(text(" ")), asked), /^messages\.1\.content\.0: text content blocks/);
  checkRefused(talk(asked, assistant(text("a "))), /^messages\.1: final assistant content cannot end with trailing/);
  checkRefused(request({ system: [text(" ")] }), /^system\.0: text content blocks/);
  checkRefused(talk(asked, assistant(use("t1"))), /^messages\.1: `tool_use` ids were found without .*: t1$/);
  checkRefused(talk(asked, assistant(use("t1"), use("t2")), user(result("t2"))), /^messages\.1: .*: t1$/);
  checkRefused(talk(asked, assistant(use("t1")), user(text("no"))), /^messages\.1: `tool_use` ids were found/);
  checkRefused(
    talk(asked, assistant(use("t1")), user(text("x"), result("t1"))),
    /^messages\.2\.content\.1: .*must come first/,
  );
  checkRefused(
    talk(asked, assistant(use("t1")), user(result("t1"), result("t1"))),
    /^messages\.2\.content\.1: each `tool_use`/,
  );
  checkRefused(
    talk(asked, assistant(use("t1")), user(result("t1"), result("t9"))),
    /^messages\.2\.content\.1: unexpected .*t9/,
  );
  checkRefused(talk(user(result("t1"))), /^messages\.0\.content\.0: unexpected `tool_use_id`/);
  checkRefused(
    talk(asked, assistant(use("t1"), use("t1")), user(result("t1"))),
    /^messages\.1\.content\.1\.id: .*unique/,
  );
  checkRefused(
    talk(asked, assistant(use("t1")), user(result("t1")), assistant(use("t1")), user(result("t1"))),
    /^messages\.3\.content\.0\.id: .*unique/,
  );
  checkRefused(
    talk(asked, assistant(use("a b")), user(result("a b"))),
    /^messages\.1\.content\.0\.id: String should match/,
  );
  checkRefused(talk(asked, assistant(use("")), user(result(""))), /^messages\.1\.content\.0\.id: String should match/);
  checkRefused(talk(asked, assistant(use("x".repeat(65))), asked), /^messages\.1\.content\.0\.id: .*at most 64/);
  checkRefused(
    talk(asked, assistant(use("t1", { name: "a.b" })), asked),
    /^messages\.1\.content\.0\.name: String should match/,
  );
  checkRefused(
    talk(asked, assistant(use("t1", { input: "{}" })), asked),
    /^messages\.1\.content\.0\.input: .*dictionary/,
  );
  checkRefused(
    talk(asked, assistant(use("t1", { input: [] })), asked),
    /^messages\.1\.content\.0\.input: .*dictionary/,
  );
  checkRefused(talk(user(use("t1"))), /^messages\.0\.content\.0: `tool_use` blocks can only be in `assistant`/);
  checkRefused(
    talk(asked, assistant(result("t1"))),
    /^messages\.1\.content\.0: `tool_result` blocks can only be in `user`/,
  );
  checkRefused(
    talk(asked, assistant(use("t1")), user(result("t1", { content: "", is_error: true }))),
    "messages.2.content.0: content cannot be empty if `is_error` is true",
  );
  checkRefused(
    talk(asked, assistant(use("t1")), user(result("t1", { content: [text("")] }))),
    /^messages\.2\.content\.0: text/,
  );
  checkRefused(
    talk(asked, assistant(thinking("t", "forged"), text("a")), asked),
    /^messages\.1\.content\.0: Invalid `signature`/,
  );
  checkRefused(
    talk(asked, assistant({ type: "thinking", thinking: "t" }), asked),
    /^messages\.1\.content\.0\.signature: Field/,
  );
  checkRefused(talk(user(thinking("t"))), /^messages\.0\.content\.0: `thinking` blocks can only be in `assistant`/);
  checkRefused(
    talk(asked, assistant({ type: "image", source: { type: "url", url: "https://x" } })),
    /^messages\.1\.content\.0: `image` blocks can only be in `user`/,
  );
  checkRefused(
    talk(user({ type: "image", source: { type: "base64", media_type: "image/bmp", data: "aGk=" } })),
    /^messages\.0\.content\.0\.source\.media_type: /,
  );
  checkRefused(
    talk(user({ type: "image", source: { type: "base64", media_type: "image/png", data: "" } })),
    /^messages\.0\.content\.0\.source\.data: /,
  );
  checkRefused(talk(user(text("\ud800"))), /^messages\.0\.content\.0\.text: .*surrogate/);
  checkRefused(
    talk(asked, assistant(use("t1", { input: { a: ["\udc00x"] } })), user(result("t1"))),
    /input\.a\.0: .*surrogate/,
  );
  checkRefused(request({ tools: [tool("f"), tool("f")] }), "tools.1.name: Tool names must be unique");
  checkRefused(request({ tools: [tool("a b")] }), /^tools\.0\.name: String should match/);
  checkRefused(request({ tools: [{ name: "f" }] }), "tools.0.input_schema: Field required");
  checkRefused(
    request({ tools: [tool("f", { input_schema: { type: "string" } })] }),
    /^tools\.0\.input_schema\.type: /,
  );
  checkRefused(request({ tool_choice: { type: "any" } }), /^tool_choice: .*while providing tools/);
  checkRefused(
    request({ tools: [tool("f")], tool_choice: { type: "tool", name: "g" } }),
    /^tool_choice\.name: Tool 'g'/,
  );
  checkRefused(
    talk(user(text("a", cache), text("b", cache), text("c", cache), text("d", cache), text("e", cache))),
    /maximum of 4 blocks with cache_control.*Found 5/,
  );
  checkRefused(request({ system: [text("a", cache)], messages: [user(text("b", hour))] }), /ttl='1h'.*after/);
  checkRefused(request({ thinking: { type: "enabled", budget_tokens: 100 } }), /^thinking\.budget_tokens: .*1024/);
  checkRefused(
    request({ max_tokens: 2000, thinking: { type: "enabled", budget_tokens: 2000 } }),
    /^max_tokens: .*greater than/,
  );
  checkRefused(request({ thinking: { type: "adaptive" }, temperature: 0 }), /^temperature: /);
  checkRefused(
    request({ thinking: { type: "adaptive" }, tools: [tool("f")], tool_choice: { type: "any" } }),
    /^tool_choice: Thinking may not be enabled/,
  );
  checkRefused(
    talk(asked, assistant(text("a"), thinking("t"))),
    /^messages\.1: The final block .* cannot be `thinking`/,
  );
  checkRefused(talk(asked, assistant(thinking("t"), text("a"))), /^messages\.1\.content\.0: When thinking is disabled/);
  checkRefused(
    {
      ...talk(asked, assistant(text("a"), thinking("t"), use("t1")), user(result("t1"))),
      thinking: { type: "enabled", budget_tokens: 1024 },
    },
    /^messages\.1\.content\.0\.type: Expected `thinking` or `redacted_thinking`, but found `text`/,
  );
  checkRefused(talk(asked, assistant(use("t1", { input: nested(300) })), user(result("t1"))), /nested too deeply/);
  const searched = { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] };
  checkRefused(talk(asked, assistant(search, text("a")), asked), /^messages\.1\.content\.0: .*srvtoolu_1.*without/);
  checkRefused(talk(asked, assistant(searched, text("a")), asked), /^messages\.1\.content\.0: unexpected .*srvtoolu_1/);
  checkRefused(talk(user(search)), /^messages\.0\.content\.0: `server_tool_use` blocks can only be in `assistant`/);
});

test("thinking that was sent before open tool calls must come back, unchanged and first", () => {
  checkThinking([thinking("plan"), use("t1")], /^accepted$/);
  checkThinking([thinking("plan"), text("a"), use("t1")], /^accepted$/);
  checkThinking([use("t1")], /^messages\.1\.content\.0\.type: Expected `thinking`.*found `tool_use`/);
  checkThinking([text("a"), thinking("plan"), use("t1")], /found `text`/);
  checkThinking([thinking("another"), use("t1")], /cannot be modified/);
  checkThinking([use("t1")], /^accepted$/, { type: "disabled" });
});

test("a model is asked to think only in the way it takes", () => {
  for (const model of ["claude-opus-4-7", "claude-sonnet-5", "claude-opus-5-20260901", "claude-mythos-preview"]) {
    checkAccepted(thinkingAs(model, "adaptive"));
    checkRefused(
      thinkingAs(model, "enabled"),
      /^thinking\.type: "thinking\.type\.enabled" is not supported for this model/,
    );
  }
  for (const model of ["claude-opus-4-5-20251101", "claude-sonnet-4-20250514", "claude-3-7-sonnet-20250219"]) {
    checkAccepted(thinkingAs(model, "enabled"));
    checkRefused(thinkingAs(model, "adaptive"), /^thinking\.type: adaptive thinking is not supported/);
  }
  for (const model of ["claude-opus-4-6", "claude-sonnet-4-6", "claude-x"]) {
    checkAccepted(thinkingAs(model, "enabled"));
    checkAccepted(thinkingAs(model, "adaptive"));
  }
});

function thinkingAs(model: string, type: "enabled" | "adaptive"): object {
  return request({ model, thinking: type === "enabled" ? { type, budget_tokens: 1024 } : { type } });
}

test("a tool of the vendor's may wait beside calls of the client, and answers after them", () => {
  const searched = { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] };
  const waiting = [asked, assistant(search, use("t1")), user(result("t1"))];
  checkAccepted(talk(...waiting));
  checkAccepted(talk(...waiting, assistant(searched, text("a")), asked));
  checkRefused(
    talk(...waiting, assistant(searched, searched, text("a")), asked),
    /^messages\.3\.content\.1: unexpected .*srvtoolu_1/,
  );
});

test("citations come back as the vendor takes them", () => {
  const place = { type: "char_location", cited_text: "x", document_index: 0, start_char_index: 0, end_char_index: 1 };
  checkAccepted(cited({ ...place, document_title: null }));
  checkRefused(cited({ ...place, file_id: "f" }), /^messages\.1\.content\.0\.citations\.0\.file_id: Extra inputs/);
});

function cited(citation: object): object {
  return talk(asked, assistant({ ...text("a"), citations: [citation] }), asked);
}

test("what the newer API version removed is refused there, and accepted before", () => {
  checkRemoved(request({ temperature: 1 }), /^temperature: not supported/);
  checkRemoved(request({ top_p: 1 }), /^top_p: not supported/);
  checkRemoved(request({ top_k: 1 }), /^top_k: not supported/);
  checkRemoved(talk(user(text("a", { citations: [{ type: "page" }] }))), /^messages\.0\.content\.0\.citations: /);
  expect(checkAnthropicRequest(talk(user(text("a", { citations: [] }))), { version: "2026-10-21" })).toBeUndefined();
});

function nested(depth: number): object {
  return depth === 0 ? {} : { inner: nested(depth - 1) };
}

function checkAccepted(body: unknown): void {
  expect(checkAnthropicRequest(body)).toBeUndefined();
}

function checkRefused(body: unknown, message: string | RegExp): void {
  const found = checkAnthropicRequest(body);
  expect(found).toEqual({ status: 400, type: "invalid_request_error", message: expect.any(String) });
  expect(found?.message).toMatch(message);
}

function checkThinking(content: readonly object[], problem: RegExp, settings: object = { type: "adaptive" }): void {
  const body = { ...talk(asked, assistant(...content), user(result("t1"))), thinking: settings };
  const found = checkAnthropicRequest(body, { thinkingOf: (id) => (id === "t1" ? "plan" : undefined) });
  expect(found?.message ?? "accepted").toMatch(problem);
}

function checkRemoved(body: object, problem: RegExp): void {
  expect(checkAnthropicRequest(body, { version: "2023-06-01" })).toBeUndefined();
  expect(checkAnthropicRequest(body, { version: "2026-10-21" })?.message).toMatch(problem);
}
