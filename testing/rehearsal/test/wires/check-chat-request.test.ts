import { expect, test } from "vitest";
import { checkChatRequest } from "@capstan/rehearsal";

const asked = { role: "user", content: "hi" };
const toolCall = (id: string, more: object = {}): object => ({
  id,
  type: "function",
  function: { name: "f", arguments: "{}", ...more },
});
const calling = (...calls: readonly object[]): object => ({ role: "assistant", content: null, tool_calls: calls });
const answer = (id: string, content: unknown = "ok"): object => ({ role: "tool", tool_call_id: id, content });
const tool = (name: string, more: object = {}): object => ({ type: "function", function: { name, ...more } });

const base = { model: "m", messages: [asked] };
const request = (more: object): object => ({ ...base, ...more });
const talk = (...messages: readonly object[]): object => ({ ...base, messages });

test("requests the vendor accepts are accepted", () => {
  checkAccepted(base);
  checkAccepted(talk({ role: "system", content: "s" }, { role: "developer", content: "d" }, asked));
  checkAccepted(talk(asked, calling(toolCall("a"), toolCall("b")), answer("b"), answer("a", ""), asked));
  checkAccepted(talk(asked, { ...calling(toolCall("a")), content: "" }, answer("a")));
  checkAccepted(talk(asked, { role: "assistant", tool_calls: [toolCall("a")], reasoning_content: "hm" }, answer("a")));
  checkAccepted(talk(asked, { role: "assistant", content: "a" }, asked));
  checkAccepted(talk(asked, { role: "assistant", content: null, refusal: "no" }, asked));
  checkAccepted(
    talk({ role: "user", content: [{ type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } }] }),
  );
  checkAccepted(request({ stream: true, stream_options: { include_usage: true }, max_completion_tokens: 1 }));
  checkAccepted(
    request({ tools: [tool("f", { parameters: { type: "object" } })], tool_choice: "auto", parallel_tool_calls: true }),
  );
});

test("requests the vendor refuses are refused, with the place and the reason", () => {
  checkRefused(undefined, undefined, /./);
  checkRefused({ messages: [asked] }, "model", /missing required parameter/);
  checkRefused(request({ messages: [] }), "messages", /too short/);
  checkRefused(request({ foo: 1 }), "foo", /unknown parameter/);
  checkRefused(talk({ ...asked, foo: 1 }), "messages[0].foo", /unknown parameter/);
  checkRefused(talk({ role: "narrator", content: "a" }), "messages[0].role", /./);
  checkRefused(talk({ role: "system", content: "s" }), "messages", /expected a user message/);
  checkRefused(talk(asked, { role: "system", content: "s" }), "messages[1].role", /must come first/);
  checkRefused(talk({ role: "assistant", content: "a" }), "messages[0].role", /must begin with a user message/);
  checkRefused(talk(asked, asked), "messages[1].role", /two 'user' messages/);
  checkRefused(talk({ role: "user", content: "" }), "messages[0].content", /non-empty/);
  checkRefused(talk({ role: "user", content: [{ type: "text", text: "" }] }), "messages[0].content", /non-empty/);
  checkRefused(talk(asked, { role: "assistant", content: "" }), "messages[1].content", /non-empty/);
  checkRefused(talk(asked, { role: "assistant", content: null }), "messages[1].content", /got null/);
  checkRefused(talk(asked, { role: "assistant" }), "messages[1].content", /got null/);
  checkRefused(talk(asked, calling()), "messages[1].tool_calls", /too short/);
  checkRefused(talk(asked, calling(toolCall("a"))), "messages[2]", /must be followed by tool messages.*: a$/);
  checkRefused(talk(asked, calling(toolCall("a")), asked), "messages[2]", /must be followed by tool messages/);
  checkRefused(
    talk(asked, calling(toolCall("a"), toolCall("b")), answer("a"), asked),
    "messages[3]",
    /Without response: b$/,
  );
  checkRefused(talk(asked, answer("a")), "messages[1].tool_call_id", /must be a response/);
  checkRefused(
    talk(asked, calling(toolCall("a")), answer("a"), answer("a")),
    "messages[3].tool_call_id",
    /'a' answers none/,
  );
  checkRefused(
    talk(asked, calling(toolCall("a"), toolCall("a")), answer("a")),
    "messages[1].tool_calls[1].id",
    /duplicate/,
  );
  checkRefused(talk(asked, calling(toolCall("x".repeat(41)))), "messages[1].tool_calls[0].id", /maximum length 40/);
  checkRefused(talk(asked, calling(toolCall("a b"))), "messages[1].tool_calls[0].id", /pattern/);
  checkRefused(
    talk(asked, calling(toolCall("a", { name: "a.b" }))),
    "messages[1].tool_calls[0].function.name",
    /pattern/,
  );
  for (const broken of ["", "{", "[]", "null"]) {
    const body = talk(asked, calling(toolCall("a", { arguments: broken })), answer("a"));
    checkRefused(body, "messages[1].tool_calls[0].function.arguments", /JSON object/);
  }
  checkRefused(
    talk(asked, calling(toolCall("a", { arguments: {} }))),
    "messages[1].tool_calls[0].function.arguments",
    /string/,
  );
  checkRefused(talk(asked, calling(toolCall("a")), answer("a", null)), "messages[2].content", /string/);
  checkRefused(talk({ role: "user", content: "\ud800" }), "messages[0].content", /surrogate/);
  checkRefused(
    talk({ role: "user", content: [{ type: "image_url", image_url: { url: "data:image/bmp;base64,aGk=" } }] }),
    "messages[0].content[0].image_url.url",
    /data URL/,
  );
  checkRefused(request({ tools: [] }), "tools", /too short/);
  checkRefused(request({ tools: [tool("f"), tool("f")] }), "tools[1].function.name", /unique/);
  checkRefused(
    request({ tools: [tool("f", { parameters: { type: "array" } })] }),
    "tools[0].function.parameters.type",
    /object/,
  );
  checkRefused(request({ tool_choice: "auto" }), "tool_choice", /'tools' are specified/);
  checkRefused(
    request({ tools: [tool("f")], tool_choice: { type: "function", function: { name: "g" } } }),
    "tool_choice",
    /'g' is not among/,
  );
  checkRefused(request({ parallel_tool_calls: true }), "parallel_tool_calls", /'tools' are specified/);
  checkRefused(request({ stream_options: { include_usage: true } }), "stream_options", /'stream' is enabled/);
  checkRefused(request({ max_tokens: 1, max_completion_tokens: 1 }), "max_tokens", /together/);
  checkRefused(request({ max_tokens: 0 }), "max_tokens", /at least 1/);
});

function checkAccepted(body: unknown): void {
  expect(checkChatRequest(body)).toBeUndefined();
}

function checkRefused(body: unknown, param: string | undefined, message: RegExp): void {
  expect(checkChatRequest(body)).toEqual({
    status: 400,
    type: "invalid_request_error",
    message: expect.stringMatching(message),
    ...(param !== undefined && { param }),
    code: expect.any(String),
  });
}
