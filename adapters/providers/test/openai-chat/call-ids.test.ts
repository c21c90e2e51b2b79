import { readNumberedCallId } from "@capstan/protocol";
import { parseScenario, startRehearsal } from "@capstan/rehearsal";
import OpenAI from "openai";
import { expect, onTestFinished, test } from "vitest";
import { toAnthropicBody, toChatBody, toGoogleBody, toResponsesBody } from "../../src/index.ts";
import { ask, finishOf, model, provide, simpleRequest } from "../fixtures/calls.ts";
import { calls, delta, done, finished } from "../fixtures/chat-streams.ts";
import { asking, assistant, call, ownChat, result, tool, user } from "../fixtures/conversations.ts";
import { cutEverywhere, expectDeltasToAddUp } from "../fixtures/cut-streams.ts";
import { serve, streaming } from "../fixtures/wire-server.ts";

const first = "functions.read_file:0";
const long = `functions.${"x".repeat(40)}:12`;
const asked = asking(
  user("q"),
  assistant(ownChat, call(first), call(long)),
  user(result(first, "1"), result(long, "2")),
);
const answered = [
  delta({ role: "assistant", content: null }),
  calls({ index: 0, id: first, type: "function", function: { name: "read_file", arguments: '{"path":' } }),
  calls({ index: 0, function: { arguments: '"a"}' } }),
  calls({ index: 1, id: "functions.read_file:1", type: "function", function: { name: "read_file", arguments: "{}" } }),
  finished("tool_calls"),
  done,
];

/** Every id of a call or a result in a body, in order. */
function idsIn(body: unknown): readonly string[] {
  return JSON.stringify(body)
    .split(/"(?:id|tool_call_id|tool_use_id|call_id)":/)
    .slice(1)
    .map((rest) => String(JSON.parse(/^"[^"]*"/.exec(rest)?.[0] ?? '""')));
}

test("ids that count the calls are received as they are, as the SDK receives them, wherever the stream is cut", async () => {
  const server = await serve(streaming(answered.join("")));
  const sdk = new OpenAI({ apiKey: "k", baseURL: server.url, maxRetries: 0 });
  const messages = [{ role: "user", content: "hi" }] as const;
  const theirs = await sdk.chat.completions.stream({ model: "m", messages: [...messages] }).finalMessage();
  const ids = theirs.tool_calls?.map((item) => item.id);
  expect(ids).toEqual([first, "functions.read_file:1"]);
  await cutEverywhere("openai-chat", answered, (received) => {
    const { content } = finishOf(received).message;
    expect(content.flatMap((block) => (block.type === "tool-call" ? [block.callId] : []))).toEqual(ids);
    expectDeltasToAddUp(received);
  });
});

test("they go back as they came, also to another server of the wire, whatever was loaded from where", () => {
  const fresh = structuredClone(asked);
  for (const settings of [
    model({}, { id: "kimi-k2" }),
    model({}, { provider: "moonshot" }),
    model({ call_ids: "numbered" }),
  ])
    expect(idsIn(toChatBody(fresh, settings))).toEqual([first, long, first, long]);
  const [kept, replaced] = idsIn(toChatBody(fresh, model({}, { id: "gpt-5" })));
  expect([kept, replaced]).toEqual([first, expect.stringMatching(/^call_[0-9a-f]{32}$/)]);
});

test("the other wires, and servers that want nine letters, get ids that they take, the same for call and result", () => {
  const bodies = [
    toAnthropicBody(asked, model()),
    toResponsesBody(asked, model()),
    toChatBody(asked, model({ call_ids: "mistral" })),
  ];
  for (const body of bodies) {
    const ids = idsIn(body);
    expect(ids.length).toBe(4);
    expect(ids.slice(0, 2)).toEqual(ids.slice(2));
    for (const id of ids) expect(id).toMatch(/^[\w-]{1,64}$/);
  }
  expect(JSON.stringify(toGoogleBody(asked, model()))).not.toContain("functions.");
});

test("the rehearsal takes them, however long, and no other odd id", async () => {
  const file = JSON.stringify({ name: "ids", turns: [{ text: "ok" }] });
  const rehearsal = await startRehearsal({ scenario: parseScenario(file, "ids.json") });
  onTestFinished(() => rehearsal.close());
  const provider = provide("openai-chat", `${rehearsal.url}/v1`);
  const received = await ask(provider, { request: asked, model: model({}, { id: "kimi-k2", wire: "openai-chat" }) });
  expect(finishOf(received).message.content).toEqual([{ type: "text", text: "ok" }]);
});

test("a call that such a model wrote as text keeps its id, too", async () => {
  const text =
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:7<|tool_call_argument_begin|>{"path":"a"}<|tool_call_end|><|tool_calls_section_end|>';
  const server = await serve(streaming(delta({ content: text }), finished("stop"), done));
  const request = { ...simpleRequest, tools: [tool] };
  const received = await ask(provide("openai-chat", server.url), {
    request,
    model: model({ text_tool_calls: "auto" }),
  });
  expect(finishOf(received).message.content).toMatchObject([{ type: "tool-call", callId: "functions.read_file:7" }]);
});

test.each([
  "functions.a:",
  "functions.:0",
  "functions.a:01",
  "functions.a.b:0",
  "function.a:0",
  "functions.a:0\n",
  "functions.ü:0",
])("%j does not count calls", (id) => {
  expect(readNumberedCallId(id)).toBeUndefined();
});
