import { expect, test } from "vitest";
import {
  anthropicBody,
  anthropicHeaders,
  askAnthropic,
  askChat,
  call,
  chatBody,
  chatHeaders,
  type RawAnswer,
} from "../raw-client.ts";
import { eventStream, record, type Recording, rehearse, startEndpoint } from "../endpoint.ts";

const googleHeaders = { "x-goog-api-key": "k", "content-type": "application/json" };
const googlePath = "/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse";
const googleBody = { contents: [{ role: "user", parts: [{ text: "hello" }] }] };
const responsesBody = { model: "gpt-test", stream: true, store: false, input: [{ role: "user", content: "hello" }] };

function askGoogle(url: string, body: unknown = googleBody): Promise<RawAnswer> {
  return call(`${url}${googlePath}`, { headers: googleHeaders, body });
}

function askResponses(url: string, body: unknown = responsesBody): Promise<RawAnswer> {
  return call(`${url}/v1/responses`, { headers: chatHeaders, body });
}

const wires = [
  { wire: "anthropic", ask: askAnthropic },
  { wire: "openai-chat", ask: askChat },
  { wire: "openai-responses", ask: askResponses },
  { wire: "google", ask: askGoogle },
] as const;

/** Asks for one answer on every wire, and records them. */
async function recordAll(): Promise<{ readonly recorder: Recording; readonly answers: readonly RawAnswer[] }> {
  const turn = { thinking: "hm", text: "Straße 🙂 ".repeat(40), tool_calls: [{ name: "f", arguments: { a: 1 } }] };
  const { url } = await rehearse([turn, turn, turn, turn]);
  const recorder = await record(url);
  const answers: RawAnswer[] = [];
  for (const { ask } of wires) answers.push(await ask(recorder.url));
  return { recorder, answers };
}

test("what was recorded on any wire is served again byte for byte, and reported like any exchange", async () => {
  const { recorder, answers } = await recordAll();
  expect(answers.map(({ status, end }) => [status, end])).toEqual(wires.map(() => [200, "whole"]));
  expect(recorder.exchanges().map(({ wire }) => wire)).toEqual(wires.map(({ wire }) => wire));
  const replay = await rehearse(recorder.scenario());
  for (const [at, { ask }] of wires.entries()) {
    expect(replay.unused()).toBe(wires.length - at);
    const again = await ask(replay.url);
    expect(again.bytes).toEqual(answers[at]?.bytes);
    expect([again.status, again.headers["content-type"]]).toEqual([200, answers[at]?.headers["content-type"]]);
  }
  expect(replay.exchanges.map(({ status, recordedOrder }) => [status, recordedOrder])).toEqual([
    [200, 1],
    [200, 2],
    [200, 3],
    [200, 4],
  ]);
});

test("the pieces of a stream stay the pieces it came in", async () => {
  const events = ["data: 1\n\n", "data: 2\n\ndata", ": 3\n\n"];
  const recorder = await record(await startEndpoint(eventStream(events)));
  await askAnthropic(recorder.url);
  const { url } = await rehearse(recorder.scenario());
  const sizes: number[] = [];
  await call(`${url}/v1/messages`, {
    headers: anthropicHeaders,
    body: anthropicBody,
    leaveAfter: (received) => {
      sizes.push(received);
      return false;
    },
  });
  const recorded = recorder.exchanges()[0]?.answer.pieces ?? [];
  expect(recorded.join("")).toBe(events.join(""));
  expect(sizes).toEqual(recorded.map((_, at) => recorded.slice(0, at + 1).join("").length));
});

test.each(wires)(
  "over $wire a request that is not the recorded one is refused in the wire's shape, and plays nothing",
  async ({ wire, ask }) => {
    const { recorder } = await recordAll();
    const replay = await rehearse(recorder.scenario());
    const body: unknown = recorder.exchanges().find((exchange) => exchange.wire === wire)?.body;
    const other: unknown = JSON.parse(JSON.stringify(body).replace("hello", "goodbye"));
    const refused = await ask(replay.url, other);
    const difference = /differs from the recorded one \(order \d\): .*"hello" was recorded, "goodbye" came/;
    expect([refused.status, JSON.parse(refused.text).error.message]).toEqual([400, expect.stringMatching(difference)]);
    expect(replay.exchanges[0]).toMatchObject({
      status: 400,
      wire,
      problem: { message: expect.stringMatching(difference) },
    });
    expect(replay.unused()).toBe(wires.length);
    expect((await ask(replay.url)).status).toBe(200);
  },
);

test("lenient, a request of the kind is enough; the wire's own rules still hold", async () => {
  const { recorder } = await recordAll();
  const { url } = await rehearse(recorder.scenario(), { comparison: "lenient" });
  const orphan = { role: "user", content: [{ type: "tool_result", tool_use_id: "x", content: "?" }] };
  expect((await askAnthropic(url, { ...anthropicBody, messages: [orphan] })).status).toBe(400);
  const other = { ...anthropicBody, messages: [{ role: "user", content: "something else" }] };
  expect((await askAnthropic(url, other)).status).toBe(200);
});

async function messageOf(asked: Promise<RawAnswer>): Promise<string> {
  return JSON.parse((await asked).text).error.message;
}

test("the n-th request of a kind gets the n-th answer; other kinds, models and further requests are refused", async () => {
  const { url } = await rehearse([{ text: "one" }, { text: "other" }, { text: "two" }]);
  const recorder = await record(url);
  const otherModel = { ...chatBody, model: "gpt-other" };
  for (const body of [chatBody, otherModel, chatBody]) await askChat(recorder.url, body);
  const replay = await rehearse(recorder.scenario());
  const texts: string[] = [];
  for (const body of [otherModel, chatBody, chatBody]) texts.push((await askChat(replay.url, body)).text);
  expect(texts.map((text) => /"content":"(\w+)"/.exec(text)?.[1])).toEqual(["other", "one", "two"]);
  expect(await messageOf(askChat(replay.url))).toMatch(
    /all 2 answers to POST \/v1\/chat\/completions for gpt-test in .* have been played/,
  );
  expect(await messageOf(askChat(replay.url, { ...chatBody, model: "gpt-4" }))).toMatch(
    /for gpt-4 was not recorded in .*; recorded are: .*for gpt-other/,
  );
  expect(await messageOf(askAnthropic(replay.url))).toMatch(/POST \/v1\/messages for claude-test was not recorded/);
  expect(replay.unused()).toBe(0);
});

test("paths that gateways lengthen and clients shorten are the same path", async () => {
  const { url } = await rehearse([{ text: "a" }]);
  const recorder = await record(`${url}/v1`);
  expect((await call(`${recorder.url}/chat/completions`, { headers: chatHeaders, body: chatBody })).status).toBe(200);
  expect(recorder.exchanges()[0]?.path).toBe("/v1/chat/completions");
  const replay = await rehearse(recorder.scenario());
  const answer = await call(`${replay.url}/api/v1/chat/completions`, { headers: chatHeaders, body: chatBody });
  expect(answer.status).toBe(200);
});

test("errors of the endpoint are served again, whatever our own rules say of the request", async () => {
  const refusal = '{"type":"error","error":{"type":"invalid_request_error","message":"max_tokens: no"}}';
  const url = await startEndpoint((request, response) => {
    request.resume();
    response.writeHead(400, { "content-type": "application/json", "request-id": "req_1" }).end(refusal);
  });
  const recorder = await record(url);
  const bad = { ...anthropicBody, max_tokens: 0 };
  await askAnthropic(recorder.url, bad);
  const replay = await rehearse(recorder.scenario());
  const again = await askAnthropic(replay.url, bad);
  expect(again).toMatchObject({ status: 400, text: refusal, headers: { "request-id": "req_1" } });
  expect(replay.exchanges[0]?.problem).toBe(undefined);
});

test("requests beside the model calls are served again, and what they stored is known", async () => {
  const { url } = await rehearse([{ text: "a" }]);
  const recorder = await record(url);
  const stored = {
    model: "models/gemini-3-flash",
    systemInstruction: { parts: [{ text: "Be brief. ".repeat(800) }] },
    ttl: "600s",
  };
  const path = "/v1beta/models/gemini-3-flash:streamGenerateContent?alt=sse";
  const play = async (base: string): Promise<readonly (readonly [number, string])[]> => {
    const made = await call(`${base}/v1beta/cachedContents`, { headers: googleHeaders, body: stored });
    const { name } = JSON.parse(made.text);
    const asked = await call(`${base}${path}`, {
      headers: googleHeaders,
      body: { ...googleBody, cachedContent: name },
    });
    const models = await call(`${base}/v1beta/models`, { method: "GET", headers: googleHeaders });
    const gone = await call(`${base}/v1beta/${name}`, { method: "DELETE", headers: googleHeaders });
    return [made, asked, models, gone].map(({ status, text }) => [status, text] as const);
  };
  const first = await play(recorder.url);
  expect(first.map(([status]) => status)).toEqual([200, 200, 200, 200]);
  const replay = await rehearse(recorder.scenario());
  expect(await play(replay.url)).toEqual(first);
  expect(replay.unused()).toBe(0);
});

test("a key is demanded of a recording as of a vendor, and any will do", async () => {
  const { recorder } = await recordAll();
  const { url } = await rehearse(recorder.scenario());
  const { "x-api-key": _, ...keyless } = anthropicHeaders;
  expect((await call(`${url}/v1/messages`, { headers: keyless, body: anthropicBody })).status).toBe(401);
  expect((await askAnthropic(url)).status).toBe(200);
});

test("signatures that a vendor made come back unchanged, or the request is refused", async () => {
  const answer = "data: {}\n\n";
  const recorder = await record(await startEndpoint(eventStream([answer])));
  const call1 = { id: "call_1", name: "f" };
  const bodies = {
    anthropic: {
      ...anthropicBody,
      messages: [
        { role: "user", content: "q" },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "hm", signature: "vendor-made" },
            { type: "text", text: "a" },
          ],
        },
        { role: "user", content: "more" },
      ],
    },
    responses: {
      ...responsesBody,
      input: [
        { role: "user", content: "q" },
        { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "vendor-made" },
        { type: "function_call", call_id: call1.id, name: call1.name, arguments: "{}" },
        { type: "function_call_output", call_id: call1.id, output: "ok" },
      ],
    },
    google: {
      contents: [
        { role: "user", parts: [{ text: "q" }] },
        { role: "model", parts: [{ functionCall: { name: "f", args: {} }, thoughtSignature: "dmVuZG9yLW1hZGU=" }] },
        { role: "user", parts: [{ functionResponse: { name: "f", response: { output: "ok" } } }] },
      ],
    },
  };
  const asks = [
    [askAnthropic, bodies.anthropic],
    [askResponses, bodies.responses],
    [askGoogle, bodies.google],
  ] as const;
  for (const [ask, body] of asks) await ask(recorder.url, body);
  const { url } = await rehearse(recorder.scenario());
  for (const [ask, body] of asks) {
    const forged: unknown = JSON.parse(JSON.stringify(body).replace(/vendor-made|dmVuZG9yLW1hZGU=/, "Zm9yZ2Vk"));
    const refused = await ask(url, forged);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("was recorded")]);
    expect(await ask(url, body)).toMatchObject({ status: 200, text: answer });
  }
});
