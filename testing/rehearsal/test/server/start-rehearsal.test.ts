import { Agent } from "node:http";
import { afterEach, expect, test } from "vitest";
import {
  type Exchange,
  parseScenario,
  type Rehearsal,
  type RehearsalOptions,
  startRehearsal,
} from "@capstan/rehearsal";
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

const open: Rehearsal[] = [];
afterEach(() => Promise.all(open.splice(0).map((server) => server.close())));

async function rehearse(file: object, options: Partial<RehearsalOptions> = {}): Promise<Rehearsal> {
  const text = JSON.stringify({ name: "house", ...file });
  const server = await startRehearsal({ scenario: parseScenario(text, "house.json"), ...options });
  open.push(server);
  return server;
}

function errorOf(answer: RawAnswer): { readonly status: number; readonly type: string; readonly message: string } {
  const { error } = JSON.parse(answer.text);
  return { status: answer.status, type: error.type, message: error.message };
}

test("a port in use is a clear error", async () => {
  const { port } = await rehearse({ turns: [{}] });
  await expect(rehearse({ turns: [{}] }, { port })).rejects.toMatchObject({
    code: "rehearsal.port",
    message: `cannot listen on 127.0.0.1:${port}: the port is in use`,
  });
});

test("a port that cannot be is a clear error", async () => {
  await expect(rehearse({ turns: [{}] }, { port: 70_000 })).rejects.toMatchObject({ code: "rehearsal.port" });
});

test("a closed server frees its port, and closing again is harmless", async () => {
  const first = await rehearse({ turns: [{}] });
  await first.close();
  await first.close();
  const second = await rehearse({ turns: [{}] }, { port: first.port });
  expect(second.url).toBe(first.url);
});

test("when the turns run out, requests are answered so in the vendor's shape", async () => {
  const server = await rehearse({ turns: [{ text: "a" }, { text: "b" }] });
  expect([(await askAnthropic(server.url)).status, server.unused()]).toEqual([200, 1]);
  expect([(await askChat(server.url)).status, server.unused()]).toEqual([200, 0]);
  const over = { status: 400, type: "invalid_request_error", message: expect.stringMatching(/"house" is over: all 2/) };
  expect(errorOf(await askAnthropic(server.url))).toEqual(over);
  expect(errorOf(await askChat(server.url))).toEqual(over);
});

test("a scenario that loops begins again, with fresh call ids and its faults", async () => {
  const server = await rehearse({
    loop: true,
    turns: [{ tool_calls: [{ name: "f", arguments: {} }], fault: { type: "http", status: 500 } }],
  });
  const answers = [1, 2, 3, 4].map(() => () => askAnthropic(server.url));
  const seen: string[] = [];
  for (const next of answers) {
    const answer = await next();
    seen.push(/toolu_rehearsal_\d+/.exec(answer.text)?.[0] ?? String(answer.status));
  }
  expect(seen).toEqual(["500", "toolu_rehearsal_01", "500", "toolu_rehearsal_02"]);
  expect(server.unused()).toBe(0);
});

test("keys are demanded as the vendors demand them", async () => {
  const server = await rehearse({ turns: [{}, {}, {}] });
  const messages = `${server.url}/v1/messages`;
  const chat = `${server.url}/v1/chat/completions`;
  const json = { "content-type": "application/json" };
  const version = { "anthropic-version": "2023-06-01" };
  const check = async (url: string, headers: Record<string, string>, status: number): Promise<void> => {
    const body = url === chat ? chatBody : anthropicBody;
    expect((await call(url, { headers: { ...json, ...headers }, body })).status).toBe(status);
  };
  await check(messages, version, 401);
  await check(messages, { ...version, "x-api-key": "" }, 401);
  await check(messages, { "x-api-key": "k" }, 400);
  await check(messages, { "x-api-key": "k", "anthropic-version": "tomorrow" }, 400);
  await check(messages, { ...version, authorization: "Bearer k" }, 200);
  await check(messages, { ...version, "x-api-key": "k" }, 200);
  await check(chat, {}, 401);
  await check(chat, { authorization: "Bearer " }, 401);
  await check(chat, { authorization: "Bearer k" }, 200);
  const refused = await call(chat, { headers: json, body: chatBody });
  expect(JSON.parse(refused.text)).toMatchObject({ error: { code: "invalid_api_key", param: null } });
  const free = await rehearse({ require_key: false, turns: [{}] });
  expect((await call(`${free.url}/chat/completions`, { headers: json, body: chatBody })).status).toBe(200);
});

test("bodies that are no JSON are refused and play nothing", async () => {
  const server = await rehearse({ turns: [{}] });
  const send = (body: string, headers: Record<string, string> = chatHeaders): Promise<RawAnswer> =>
    call(`${server.url}/v1/chat/completions`, { headers, body });
  expect(errorOf(await send("{")).message).toMatch(/not valid JSON/);
  expect(errorOf(await send("")).message).toMatch(/not valid JSON/);
  expect(errorOf(await send("{}", { ...chatHeaders, "content-type": "text/plain" })).message).toMatch(/content-type/);
  const large = JSON.stringify({ ...chatBody, user: "x".repeat(33 * 1024 * 1024) });
  expect(errorOf(await send(large)).status).toBe(413);
  expect(server.unused()).toBe(1);
});

test("other paths and methods are refused in the caller's own shape", async () => {
  const { url } = await rehearse({ model: "m-1", turns: [{}] });
  const anthropic = await call(`${url}/v1/nothing`, { headers: anthropicHeaders, body: {} });
  expect(JSON.parse(anthropic.text)).toMatchObject({ type: "error", error: { type: "not_found_error" } });
  const chat = await call(`${url}/v1/nothing`, { method: "GET", headers: chatHeaders });
  expect(JSON.parse(chat.text)).toMatchObject({ error: { type: "invalid_request_error", code: "not_found" } });
  expect([anthropic.status, chat.status]).toEqual([404, 404]);
  expect((await call(`${url}/v1/messages`, { method: "GET", headers: anthropicHeaders })).status).toBe(405);
  const models = await call(`${url}/v1/models`, { method: "GET", headers: chatHeaders });
  expect(JSON.parse(models.text)).toMatchObject({ object: "list", data: [{ id: "m-1" }] });
  expect((await call(`${url}/v1/models`, { method: "GET" })).status).toBe(401);
});

test("one connection serves many exchanges", async () => {
  const { url } = await rehearse({ turns: [{ text: "a" }, { text: "b" }] });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ports = new Set<number | undefined>();
  agent.on("free", (socket) => ports.add(socket.localPort));
  for (const path of ["/v1/chat/completions", "/v1/nothing", "/v1/chat/completions"]) {
    await call(`${url}${path}`, { headers: chatHeaders, body: chatBody, agent });
  }
  agent.destroy();
  expect(ports.size).toBe(1);
});

test("every exchange is reported as it begins, without its keys", async () => {
  const reported: Exchange[] = [];
  const server = await rehearse(
    { turns: [{ text: "a", fault: { type: "reset" } }] },
    { onExchange: (exchange) => reported.push(exchange) },
  );
  await askAnthropic(server.url);
  await askAnthropic(server.url, { ...anthropicBody, max_tokens: 0 });
  await askAnthropic(server.url);
  expect(reported).toEqual(server.exchanges);
  const common = { wire: "anthropic", method: "POST", path: "/v1/messages", headers: expect.anything() };
  expect(reported).toEqual([
    { ...common, order: 1, body: anthropicBody, status: 0, turnIndex: 0, fault: "reset" },
    {
      ...common,
      order: 2,
      body: { ...anthropicBody, max_tokens: 0 },
      status: 400,
      problem: {
        status: 400,
        type: "invalid_request_error",
        message: "max_tokens: Input should be greater than or equal to 1",
      },
    },
    { ...common, order: 3, body: anthropicBody, status: 200, turnIndex: 0 },
  ]);
  expect(reported[0]?.headers).toMatchObject({ "x-api-key": "[redacted]", "anthropic-version": "2023-06-01" });
});

test("an expectation that is not met refuses the request with the reason, on both wires", async () => {
  await checkExpectation({}, []);
  await checkExpectation({ last_user_text: "^and now", tools: ["f"] }, []);
  await checkExpectation({ tool_results: [{ name: "f", contains: "one" }, { name: "g" }] }, []);
  await checkExpectation({ last_user_text: "never" }, [
    /turn 0 .*last user text should match \/never\/.*"and now\?"/,
    /turn 0 .*last user text should match \/never\/.*"and now\?"/,
  ]);
  await checkExpectation({ tools: ["f", "h"] }, [
    /tools should be offered: h; offered are: f, g/,
    /tools should be offered: h; offered are: f, g/,
  ]);
  await checkExpectation({ tool_results: [{}] }, [
    /1 tool results should come, but 2 came/,
    /1 tool results should come, but 2 came/,
  ]);
  await checkExpectation({ tool_results: [{}, { name: "f" }] }, [
    /tool result 1 should be of f, but is of g/,
    /tool result 1 should be of f, but is of g/,
  ]);
  await checkExpectation({ tool_results: [{ contains: "two" }, {}] }, [
    /tool result 0 should contain "two", but is "one"/,
    /tool result 0 should contain "two", but is "one"/,
  ]);
});

test("error flags are compared on the wire that carries them", async () => {
  const { url } = await rehearse({ turns: [{ expect: { tool_results: [{ is_error: true }, {}] } }] });
  expect(errorOf(await askAnthropic(url, anthropicTools)).message).toMatch(/tool result 0 should be an error: "one"/);
  expect((await askChat(url, chatTools)).status).toBe(200);
});

test("thinking that was sent must come back before its tool calls are answered", async () => {
  const { url } = await rehearse({
    turns: [{ thinking: "plan", tool_calls: [{ name: "f", arguments: {} }] }, { text: "done" }],
  });
  const body = { ...anthropicBody, max_tokens: 4096, thinking: { type: "enabled", budget_tokens: 1024 } };
  const signature = /"signature":"([^"]+)"/.exec(
    (await askAnthropic(url, body)).text.replaceAll('"signature":""', ""),
  )?.[1];
  const block = { type: "thinking", thinking: "plan", signature };
  const again = (...content: readonly object[]): object => ({
    ...body,
    messages: [
      ...body.messages,
      {
        role: "assistant",
        content: [...content, { type: "tool_use", id: "toolu_rehearsal_01", name: "f", input: {} }],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_rehearsal_01", content: "ok" }] },
    ],
  });
  expect(errorOf(await askAnthropic(url, again())).message).toMatch(
    /^messages\.1\.content\.0\.type: Expected `thinking`/,
  );
  expect(errorOf(await askAnthropic(url, again({ ...block, thinking: "Plan" }))).message).toMatch(
    /Invalid `signature`/,
  );
  expect((await askAnthropic(url, again(block))).status).toBe(200);
});

test("with checks off anything that is JSON plays the next turn", async () => {
  const server = await rehearse({ turns: [{ text: "a" }, { text: "b" }] }, { checks: "off" });
  expect((await askAnthropic(server.url, [])).status).toBe(200);
  expect((await askChat(server.url, { messages: "?", stream: true })).text).toContain('"content":"b"');
});

test("a client that leaves early does not disturb the next one", async () => {
  const { url } = await rehearse({ turns: [{ text: "long ", repeat_text: 400_000 }, { text: "b" }] });
  const left = await call(`${url}/v1/chat/completions`, {
    headers: chatHeaders,
    body: chatBody,
    leaveAfter: (received) => received > 100_000,
  });
  expect([left.end, (await askChat(url)).end]).toEqual(["broken", "whole"]);
});

const anthropicTools = {
  ...anthropicBody,
  tools: ["f", "g"].map((name) => ({ name, input_schema: { type: "object" } })),
  messages: [
    { role: "user", content: "hello" },
    { role: "assistant", content: ["f", "g"].map((name) => ({ type: "tool_use", id: `id_${name}`, name, input: {} })) },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "id_f", content: "one" },
        { type: "tool_result", tool_use_id: "id_g", content: [{ type: "text", text: "bad" }], is_error: true },
        { type: "text", text: "and now?" },
      ],
    },
  ],
};

const chatTools = {
  ...chatBody,
  tools: ["f", "g"].map((name) => ({ type: "function", function: { name } })),
  messages: [
    { role: "user", content: "hello" },
    {
      role: "assistant",
      content: null,
      tool_calls: ["f", "g"].map((name) => ({
        id: `id_${name}`,
        type: "function",
        function: { name, arguments: "{}" },
      })),
    },
    { role: "tool", tool_call_id: "id_f", content: "one" },
    { role: "tool", tool_call_id: "id_g", content: "bad" },
    { role: "user", content: "and now?" },
  ],
};

/** Asks on both wires. @param reasons  of the refusals, in that order; none: both requests are served */
async function checkExpectation(expectation: object, reasons: readonly RegExp[]): Promise<void> {
  const server = await rehearse({ turns: [{ expect: expectation }, { expect: expectation }] });
  const answers = [await askAnthropic(server.url, anthropicTools), await askChat(server.url, chatTools)];
  const refused = answers.filter((answer) => answer.status !== 200).map((answer) => errorOf(answer).message);
  expect({ refused, unused: server.unused() }).toEqual({
    refused: reasons.map((reason) => expect.stringMatching(reason)),
    unused: reasons.length,
  });
}
