import { afterEach, expect, test } from "vitest";
import { parseScenario, type Rehearsal, startRehearsal } from "@capstan/rehearsal";
import { anthropicBody, askAnthropic, askChat, call, chatBody, chatHeaders } from "../raw-client.ts";

let running: Rehearsal | undefined;
afterEach(() => running?.close());

/** Some 2,000 tokens. */
const long = "words of a prompt ".repeat(450);
const mark = { cache_control: { type: "ephemeral" } };

async function rehearse(turn: object = {}): Promise<string> {
  const file = JSON.stringify({ name: "cache", loop: true, turns: [{ text: "a", ...turn }] });
  running = await startRehearsal({ scenario: parseScenario(file, "cache.json") });
  return running.url;
}

interface Usage {
  readonly fresh: number;
  readonly read: number;
  readonly written: number;
}

async function ask(url: string, body: object): Promise<Usage> {
  const answer = await askAnthropic(url, { ...anthropicBody, stream: false, ...body });
  const { usage } = JSON.parse(answer.text);
  return {
    fresh: usage.input_tokens,
    read: usage.cache_read_input_tokens,
    written: usage.cache_creation_input_tokens,
  };
}

/** A request of these user texts, each followed by an answer; the last one, or the one at `marked`, ends a prefix to keep. */
function talk(texts: readonly string[], marked: number = texts.length - 1): object {
  const messages = texts.flatMap((text, at) => [
    { role: "user", content: [{ type: "text", text, ...(at === marked && mark) }] },
    ...(at === texts.length - 1 ? [] : [{ role: "assistant", content: "yes" }]),
  ]);
  return { messages };
}

test("what a mark kept is read again, what follows is written, and what no mark covers is neither", async () => {
  const url = await rehearse();
  const first = await ask(url, talk([long]));
  expect(first).toEqual({ fresh: 0, read: 0, written: expect.any(Number) });
  expect(first.written).toBeGreaterThan(2000);
  const second = await ask(url, talk([long, "more"]));
  expect(second).toMatchObject({ fresh: 0, read: first.written });
  expect(second.written).toBeGreaterThan(0);
  const third = await ask(url, talk([long, "more", "again"], 1));
  expect(third).toMatchObject({ read: first.written + second.written, written: 0 });
  expect(third.fresh).toBeGreaterThan(0);
});

test("without marks nothing is kept, and neither is a prefix below 1024 tokens", async () => {
  const url = await rehearse();
  for (const body of [talk([long], 9), talk(["short"])]) {
    expect(await ask(url, body)).toMatchObject({ read: 0, written: 0 });
    expect(await ask(url, body)).toMatchObject({ read: 0, written: 0 });
  }
});

test("a prefix is the same only when everything in it is: tools, system, settings, roles, texts, model", async () => {
  const url = await rehearse();
  const whole = { ...talk([long]), tools: [{ name: "f", input_schema: { type: "object" } }], system: "be brief" };
  const { written } = await ask(url, whole);
  const check = async (changes: object, read: number): Promise<void> => {
    expect((await ask(url, { ...whole, ...changes })).read).toBe(read);
  };
  await check({}, written);
  await check({ system: [{ type: "text", text: "be brief" }] }, written);
  await check({ max_tokens: 7 }, written);
  await check({ cache_control: { type: "ephemeral" } }, written);
  await check({ system: "be long" }, 0);
  await check({ tools: [{ name: "g", input_schema: { type: "object" } }] }, 0);
  await check({ tool_choice: { type: "none" } }, 0);
  await check(talk([`${long}!`]), 0);
  await check({ model: "claude-other" }, 0);
});

test("a kept prefix is found at most 20 blocks before a mark", async () => {
  const url = await rehearse();
  const { written } = await ask(url, talk([long]));
  const blocks = (count: number): object => ({
    messages: [
      { role: "user", content: [{ type: "text", text: long }] },
      { role: "assistant", content: Array.from({ length: count }, (_, at) => ({ type: "text", text: `${at}` })) },
      { role: "user", content: [{ type: "text", text: "continue", ...mark }] },
    ],
  });
  expect((await ask(url, blocks(19))).read).toBe(0);
  await running?.close();
  const again = await rehearse();
  await ask(again, talk([long]));
  expect((await ask(again, blocks(18))).read).toBe(written);
});

test("usage that a scenario states is what is reported", async () => {
  const url = await rehearse({ usage: { input: 10, cached: 4, cache_write: 3 } });
  expect(await ask(url, talk([long]))).toEqual({ fresh: 3, read: 4, written: 3 });
  expect(await ask(url, talk([long]))).toEqual({ fresh: 3, read: 4, written: 3 });
});

test("the other wires keep what they read, and count it in steps of 128 tokens", async () => {
  const url = await rehearse();
  const chat = async (...texts: readonly string[]): Promise<number> => {
    const messages = texts.map((content, at) => ({ role: at % 2 === 0 ? "user" : "assistant", content }));
    const { text } = await askChat(url, { ...chatBody, stream: false, messages });
    return JSON.parse(text).usage.prompt_tokens_details.cached_tokens;
  };
  const responses = async (...texts: readonly string[]): Promise<number> => {
    const body = { model: "gpt-test", store: false, input: texts.map((content) => ({ role: "user", content })) };
    const { text } = await call(`${url}/v1/responses`, { headers: chatHeaders, body });
    return JSON.parse(text).usage.input_tokens_details.cached_tokens;
  };
  const google = async (...texts: readonly string[]): Promise<number> => {
    const body = { contents: [{ role: "user", parts: texts.map((text) => ({ text })) }] };
    const headers = { "x-goog-api-key": "k", "content-type": "application/json" };
    const { text } = await call(`${url}/v1beta/models/gemini-3-pro:generateContent`, { headers, body });
    return JSON.parse(text).usageMetadata.cachedContentTokenCount ?? 0;
  };
  for (const tokensRead of [chat, responses, google]) {
    expect([await tokensRead("short"), await tokensRead("short"), await tokensRead(long)]).toEqual([0, 0, 0]);
    const read = await tokensRead(long, "more");
    expect(read % 128).toBe(0);
    expect(read).toBeGreaterThan(1900);
    expect(await tokensRead(`other ${long}`)).toBe(0);
  }
});
