import OpenAI from "openai";
import { expect, onTestFinished, test } from "vitest";
import { parseScenario, type Rehearsal, sealReasoning, startRehearsal } from "@capstan/rehearsal";

const thinking = "Zuerst prüfen: 漢字 🧵";
const text = 'Größe "12" \\ — 漢字 🧵\n```js\nx\n```\u2028';
const query = { path: "src/ö.js", list: [1, { deep: "🧵" }], none: null };
const turn = {
  thinking,
  text,
  tool_calls: [
    { name: "read_file", arguments: query },
    { name: "search", arguments: {} },
  ],
  usage: { input: 100, output: 20, cached: 30, reasoning: 5 },
};
const sizes = [{ chunk_bytes: 1, piece_bytes: 1 }, { chunk_bytes: 7, piece_bytes: 1000 }, { piece_bytes: 2 }];
const ask = { model: "gpt-x", input: "hi", store: false };

async function rehearse(turns: readonly object[]): Promise<Rehearsal> {
  const server = await startRehearsal({ scenario: parseScenario(JSON.stringify({ name: "sdk", turns }), "sdk.json") });
  onTestFinished(() => server.close());
  return server;
}

function openai({ url }: Rehearsal): OpenAI {
  return new OpenAI({ apiKey: "k", baseURL: `${url}/v1`, maxRetries: 0 });
}

test("what OpenAI's client gathers from a stream cut at odd places is the scenario", async () => {
  const server = await rehearse(sizes.map((size) => ({ ...turn, ...size })));
  for (const index of sizes.keys()) {
    expect(await openai(server).responses.stream(ask).finalResponse()).toMatchObject(expected(index + 1));
  }
  expect(server.unused()).toBe(0);
});

test("a response that is not streamed says the same", async () => {
  const server = await rehearse([turn]);
  expect(await openai(server).responses.create(ask)).toMatchObject(expected(1));
});

function expected(number: number): object {
  const id = `rs_rehearsal_000${number}`;
  return {
    id: `resp_rehearsal_000${number}`,
    model: "gpt-x",
    status: "completed",
    output: [
      {
        type: "reasoning",
        id,
        summary: [{ type: "summary_text", text: thinking }],
        encrypted_content: sealReasoning({ id, summary: thinking }, text),
      },
      { type: "message", role: "assistant", content: [{ type: "output_text", text }] },
      { type: "function_call", call_id: callId(2 * number - 1), name: "read_file", arguments: JSON.stringify(query) },
      { type: "function_call", call_id: callId(2 * number), name: "search", arguments: "{}" },
    ],
    usage: {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 30 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 5 },
      total_tokens: 120,
    },
  };
}

function callId(number: number): string {
  return `call_rehearsal_${String(number).padStart(2, "0")}`;
}

test("the output goes back as it came, and the next turn follows", async () => {
  const server = await rehearse([
    turn,
    { text: "Done.", expect: { tool_results: [{ name: "read_file" }, { contains: "two" }] } },
  ]);
  const first = await openai(server).responses.create(ask);
  const input: OpenAI.Responses.ResponseInput = [
    { role: "user", content: "hi" },
    ...first.output.filter(
      (item) => item.type === "reasoning" || item.type === "message" || item.type === "function_call",
    ),
    { type: "function_call_output", call_id: callId(1), output: "one" },
    { type: "function_call_output", call_id: callId(2), output: "two" },
  ];
  const second = await openai(server).responses.create({ ...ask, input });
  expect(second.output_text).toBe("Done.");
});

test("every way to finish has the vendor's word", async () => {
  await checkFinish("stop", "completed", undefined);
  await checkFinish("tool-calls", "completed", undefined);
  await checkFinish("length", "incomplete", "max_output_tokens");
  await checkFinish("content-filter", "incomplete", "content_filter");
  await checkFinish("refusal", "completed", undefined);
  await checkFinish("pause", "completed", undefined);
});

async function checkFinish(finish: string, status: string, reason: string | undefined): Promise<void> {
  const server = await rehearse([
    { text: "a", finish },
    { text: "a", finish },
  ]);
  const whole = await openai(server).responses.create(ask);
  const streamed = await openai(server).responses.stream(ask).finalResponse();
  for (const response of [whole, streamed]) {
    expect([response.status, response.incomplete_details?.reason]).toEqual([status, reason]);
  }
}

test("refusals and errors in mid-stream reach the client as the errors it knows", async () => {
  const server = await rehearse([{ ...turn, fault: { type: "error-event", after_bytes: 2000, times: 1 } }]);
  await expect(openai(server).responses.create({ ...ask, previous_response_id: "resp_0" })).rejects.toMatchObject({
    status: 400,
    requestID: "req_rehearsal_0001",
    param: "previous_response_id",
    code: "previous_response_not_found",
  });
  expect(server.unused()).toBe(1);
  await expect(openai(server).responses.stream(ask).finalResponse()).rejects.toThrow(/mid-stream/);
});
