import { expect, test } from "vitest";
import { callMark, checkResponsesRequest, sealReasoning } from "@capstan/rehearsal";

const asked = { type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] };
const said = { type: "message", role: "assistant", content: "a" };
const call = (id: string, more: object = {}): object => ({
  type: "function_call",
  call_id: id,
  name: "f",
  arguments: "{}",
  ...more,
});
const answer = (id: string, output: unknown = "ok"): object => ({ type: "function_call_output", call_id: id, output });
const reasoning = (leadsTo: string, more: object = {}): object => ({
  type: "reasoning",
  id: "rs_1",
  summary: [{ type: "summary_text", text: "hm" }],
  encrypted_content: sealReasoning({ id: "rs_1", summary: "hm" }, leadsTo),
  ...more,
});
const tool = (name: string, more: object = {}): object => ({
  type: "function",
  name,
  parameters: { type: "object" },
  strict: false,
  ...more,
});

const base = { model: "m", store: false, input: [asked] };
const request = (more: object): object => ({ ...base, ...more });
const talk = (...input: readonly object[]): object => ({ ...base, input });

test("requests the vendor accepts are accepted", () => {
  checkAccepted(base);
  checkAccepted({ model: "m", input: "hi" });
  checkAccepted(
    talk({ role: "system", content: "s" }, { role: "developer", content: "d" }, { role: "user", content: "u" }),
  );
  checkAccepted(talk(asked, call("a"), call("b"), answer("a"), answer("b", ""), asked));
  checkAccepted(talk(asked, call("a"), answer("a"), call("b"), answer("b")));
  checkAccepted(talk(asked, said, call("a", { id: "fc_1", status: "completed" }), answer("a")));
  checkAccepted(talk(asked, asked, said, said, asked));
  checkAccepted(talk(asked, reasoning(callMark("f")), call("a"), answer("a")));
  checkAccepted(talk(asked, reasoning("a"), said, asked));
  checkAccepted(
    talk(
      asked,
      {
        ...said,
        id: "msg_1",
        status: "completed",
        phase: "final_answer",
        content: [{ type: "output_text", text: "a", annotations: [] }],
      },
      asked,
    ),
  );
  checkAccepted(talk(asked, { type: "web_search_call", id: "ws_1", status: "completed", action: {} }, said, asked));
  checkAccepted(
    talk({
      role: "user",
      content: [
        { type: "input_image", image_url: "data:image/png;base64,aGk=", detail: "auto" },
        { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,aGk=" },
      ],
    }),
  );
  checkAccepted(
    request({
      stream: true,
      stream_options: { include_obfuscation: false },
      include: ["reasoning.encrypted_content"],
      reasoning: { effort: "high", summary: "auto" },
      text: { verbosity: "low" },
      truncation: "auto",
      max_output_tokens: 16,
      prompt_cache_key: "k",
      tools: [tool("f"), { type: "web_search" }],
      tool_choice: "auto",
      parallel_tool_calls: true,
    }),
  );
});

test("requests the vendor refuses are refused, with the place and the reason", () => {
  checkRefused(undefined, undefined, /./);
  checkRefused({ input: "hi" }, "model", /missing required parameter/);
  checkRefused({ model: "m" }, "input", /./);
  checkRefused(request({ input: [] }), "input", /too short/);
  checkRefused(request({ input: "" }), "input", /non-empty/);
  checkRefused(request({ foo: 1 }), "foo", /unknown parameter/);
  checkRefused(request({ messages: [] }), "messages", /unknown parameter/);
  checkRefused(talk({ ...asked, foo: 1 }), "input[0].foo", /unknown parameter/);
  checkRefused(talk({ type: "thought" }), "input[0].type", /./);
  checkRefused(talk({ role: "tool", content: "a" }), "input[0].role", /./);
  checkRefused(talk({ role: "user", content: "" }), "input[0].content", /non-empty/);
  checkRefused(talk({ role: "user", content: [{ type: "input_text", text: "" }] }), "input[0].content[0]", /non-empty/);
  checkRefused(talk({ role: "user", content: [{ type: "output_text", text: "a" }] }), "input[0].content[0].type", /./);
  checkRefused(talk(asked, { ...said, content: [{ type: "input_text", text: "a" }] }), "input[1].content[0].type", /./);
  checkRefused(talk(said), "input", /something to answer/);
  checkRefused(talk({ role: "user", content: "\ud800" }), "input[0].content", /surrogate/);
  checkRefused(
    talk({ role: "user", content: [{ type: "input_image", image_url: "data:image/bmp;base64,aGk=" }] }),
    "input[0].content[0].image_url",
    /data URL/,
  );
  checkRefused(request({ max_output_tokens: 15 }), "max_output_tokens", />= 16/);
  checkRefused(request({ prompt_cache_key: "k".repeat(65) }), "prompt_cache_key", /maximum length 64/);
  checkRefused(request({ stream_options: {} }), "stream_options", /'stream' is enabled/);
  checkRefused(request({ tools: [tool("f"), tool("f")] }), "tools[1].name", /unique/);
  checkRefused(
    request({ tools: [{ type: "function", name: "f", parameters: { type: "object" } }] }),
    "tools[0].strict",
    /missing/,
  );
  checkRefused(request({ tools: [tool("a b")] }), "tools[0].name", /pattern/);
  checkRefused(request({ tool_choice: "required" }), "tool_choice", /'tools' are specified/);
  checkRefused(
    request({ tools: [tool("f")], tool_choice: { type: "function", name: "g" } }),
    "tool_choice",
    /'g' is not among/,
  );
});

test("calls without their outputs, and outputs without their calls, are refused", () => {
  checkRefused(talk(asked, call("a")), "input", /No tool output found for function call a\./);
  checkRefused(talk(asked, call("a"), asked, answer("a")), "input", /No tool output found for function call a\./);
  checkRefused(talk(asked, call("a"), call("b"), answer("a")), "input", /function call b\./);
  checkRefused(talk(asked, answer("a")), "input[1].call_id", /No tool call found .* a\./);
  checkRefused(talk(asked, call("a"), answer("a"), answer("a")), "input[3].call_id", /No tool call found/);
  checkRefused(talk(asked, call("a"), call("b"), answer("b"), answer("a")), "input[3].call_id", /out of order/);
  checkRefused(talk(asked, call("a"), answer("a"), call("a"), answer("a")), "input[3].call_id", /duplicate/);
  checkRefused(talk(asked, call("x".repeat(65)), answer("x")), "input[1].call_id", /maximum length 64/);
  checkRefused(talk(asked, call("a", { name: "a.b" }), answer("a")), "input[1].name", /pattern/);
  for (const broken of ["", "{", "[]", "null"]) {
    checkRefused(talk(asked, call("a", { arguments: broken }), answer("a")), "input[1].arguments", /JSON object/);
  }
  checkRefused(talk(asked, call("a", { arguments: {} }), answer("a")), "input[1].arguments", /string/);
});

test("reasoning comes back whole, unchanged, and before what it led to, or not at all", () => {
  const before = reasoning(callMark("f"));
  checkRefused(talk(asked, before), "input[1]", /required following item/);
  checkRefused(talk(asked, call("a"), before, answer("a")), "input[2]", /required following item/);
  checkRefused(talk(asked, before, asked), "input[1]", /required following item/);
  checkRefused(talk(asked, before, said, asked), "input[1]", /required following item/);
  checkRefused(talk(asked, reasoning("b"), said, asked), "input[1]", /required following item/);
  checkRefused(talk(asked, before, call("a", { name: "g" }), answer("a")), "input[1]", /required following item/);
  const changed = reasoning(callMark("f"), { summary: [] });
  checkRefused(talk(asked, changed, call("a"), answer("a")), "input[1].encrypted_content", /could not be verified/);
  const renamed = reasoning(callMark("f"), { id: "rs_2" });
  checkRefused(talk(asked, renamed, call("a"), answer("a")), "input[1].encrypted_content", /could not be verified/);
  const named = reasoning(callMark("f"), { encrypted_content: null });
  checkRefused(talk(asked, named, call("a"), answer("a")), "input[1]", /'rs_1' not found.*`store`/);
});

test("what was never stored cannot be named", () => {
  checkRefused(talk(asked, { type: "item_reference", id: "msg_1" }), "input[1]", /'msg_1' not found/);
  checkRefused(talk(asked, { id: "msg_1" }), "input[1]", /'msg_1' not found/);
  checkRefused(request({ previous_response_id: "resp_1" }), "previous_response_id", /'resp_1' not found/);
  checkRefused(request({ conversation: "conv_1" }), "conversation", /no conversations/);
});

function checkAccepted(body: unknown): void {
  expect(checkResponsesRequest(body)).toBeUndefined();
}

function checkRefused(body: unknown, param: string | undefined, message: RegExp): void {
  expect(checkResponsesRequest(body)).toEqual({
    status: 400,
    type: "invalid_request_error",
    message: expect.stringMatching(message),
    ...(param !== undefined && { param }),
    code: expect.any(String),
  });
}
