import { ApiError, type GenerateContentResponse, GoogleGenAI } from "@google/genai";
import { afterEach, expect, test } from "vitest";
import { parseScenario, type Rehearsal, signPart, startRehearsal } from "@capstan/rehearsal";
import { call } from "../raw-client.ts";

let running: Rehearsal | undefined;
afterEach(() => running?.close());

const thinking = "Zuerst prüfen: 漢字 🧵";
const text = 'Größe "12" \\ — 漢字 🧵\u2028';
const query = { path: "src/ö.js", list: [1, { deep: "🧵" }], none: null };
const usage = { input: 100, output: 20, cached: 30, reasoning: 5 };
const calls = [
  { name: "read_file", arguments: query },
  { name: "search", arguments: {} },
];
const turn = { thinking, text, tool_calls: calls, usage };

async function rehearse(...turns: readonly object[]): Promise<Rehearsal> {
  running = await startRehearsal({ scenario: parseScenario(JSON.stringify({ name: "sdk", turns }), "sdk.json") });
  return running;
}

function sdk({ url }: Rehearsal): GoogleGenAI {
  return new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: url } });
}

async function stream(server: Rehearsal, model = "gemini-3-x"): Promise<readonly GenerateContentResponse[]> {
  const chunks: GenerateContentResponse[] = [];
  for await (const chunk of await sdk(server).models.generateContentStream({ model, contents: "hi" }))
    chunks.push(chunk);
  return chunks;
}

test("what Google's client gathers from a stream cut at odd places is the scenario", async () => {
  const sizes = [{ chunk_bytes: 1, piece_bytes: 1 }, { chunk_bytes: 7, piece_bytes: 1000 }, { piece_bytes: 2 }];
  const server = await rehearse(...sizes.map((size) => ({ ...turn, ...size })));
  for (const index of sizes.keys()) {
    const chunks = await stream(server);
    const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []);
    const said = (thought: boolean): string =>
      parts
        .flatMap((part) => (part.text !== undefined && (part.thought ?? false) === thought ? [part.text] : []))
        .join("");
    expect([said(true), said(false)]).toEqual([thinking, text]);
    expect(parts.filter((part) => part.functionCall !== undefined)).toEqual([
      {
        functionCall: { id: id(2 * index + 1), name: "read_file", args: query },
        thoughtSignature: signPart({ type: "call", name: "read_file" }, JSON.stringify([index + 1, thinking, text])),
      },
      { functionCall: { id: id(2 * index + 2), name: "search", args: {} } },
    ]);
    expect(chunks.at(-1)).toMatchObject({
      candidates: [{ finishReason: "STOP" }],
      modelVersion: "gemini-3-x",
      usageMetadata: {
        promptTokenCount: 100,
        cachedContentTokenCount: 30,
        candidatesTokenCount: 15,
        thoughtsTokenCount: 5,
        totalTokenCount: 120,
      },
    });
  }
  expect(server.unused()).toBe(0);
});

test("an answer without calls carries its signature on an empty text at the end", async () => {
  const server = await rehearse({ thinking, text: "so" }, { text: "so" });
  const last = async (): Promise<unknown> => (await stream(server)).at(-1)?.candidates?.[0]?.content?.parts;
  expect(await last()).toEqual([{ text: "", thoughtSignature: expect.any(String) }]);
  expect(await last()).toEqual([{ text: "" }]);
});

test("an answer that is not streamed says the same; models before Gemini 3 name no ids", async () => {
  const server = await rehearse(turn);
  const whole = await sdk(server).models.generateContent({ model: "gemini-2.5-pro", contents: "hi" });
  expect(whole.candidates?.[0]?.content?.parts).toEqual([
    { text: thinking, thought: true },
    { text },
    { functionCall: { name: "read_file", args: query }, thoughtSignature: expect.any(String) },
    { functionCall: { name: "search", args: {} } },
  ]);
});

test("the client's own chat, with tools, goes through the strict checks", async () => {
  const server = await rehearse({ ...turn, tool_calls: [calls[0]] }, { text: "done" });
  const chat = sdk(server).chats.create({ model: "gemini-3-x" });
  for await (const chunk of await chat.sendMessageStream({ message: "hi" })) void chunk;
  const message = [{ functionResponse: { id: id(1), name: "read_file", response: { output: "r" } } }];
  const history = chat.getHistory();
  const merged = [history[0] ?? {}, { role: "model", parts: history.slice(1).flatMap(({ parts }) => parts ?? []) }];
  const next = sdk(server).chats.create({ model: "gemini-3-x", history: merged });
  expect((await next.sendMessage({ message })).text).toBe("done");
});

test("every way to finish has the vendor's word", async () => {
  const words = {
    stop: "STOP",
    length: "MAX_TOKENS",
    "content-filter": "SAFETY",
    refusal: "PROHIBITED_CONTENT",
    pause: "STOP",
  };
  const server = await rehearse(...Object.keys(words).map((finish) => ({ text: "a", finish })));
  for (const word of Object.values(words)) {
    expect((await stream(server)).at(-1)?.candidates?.[0]?.finishReason).toBe(word);
  }
});

test("refusals reach the client as the errors it knows", async () => {
  const server = await rehearse(turn);
  const asked = sdk(server).models.generateContent({ model: "m", contents: [{ role: "user", parts: [{ text: "" }] }] });
  await expect(asked).rejects.toThrow(ApiError);
  const body = { contents: [{ role: "user", parts: [{ text: "" }] }] };
  const raw = await call(`${server.url}/v1beta/models/m:generateContent`, { headers: keyed, body });
  expect(JSON.parse(raw.text)).toEqual({
    error: {
      code: 400,
      message: expect.stringContaining("contents[0].parts[0]"),
      status: "INVALID_ARGUMENT",
      details: [
        {
          "@type": "type.googleapis.com/google.rpc.BadRequest",
          fieldViolations: [{ field: "contents[0].parts[0]", description: expect.any(String) }],
        },
      ],
    },
  });
  expect(server.unused()).toBe(1);
});

test("a stream that is not asked for as events, and a call without a key, are refused", async () => {
  const server = await rehearse(turn);
  const body = { contents: [{ parts: [{ text: "hi" }] }] };
  const path = `${server.url}/v1beta/models/m:streamGenerateContent`;
  expect((await call(path, { headers: keyed, body })).status).toBe(404);
  const json = { "content-type": "application/json" };
  expect((await call(`${path}?alt=sse`, { headers: json, body })).status).toBe(403);
});

test("cached contents are made, read, used and deleted as the client does it", async () => {
  const server = await rehearse({ text: "ok", expect: { tools: ["f"] } });
  const { caches, models } = sdk(server);
  const tools = [{ functionDeclarations: [{ name: "f", description: "d" }] }];
  const long = "word ".repeat(5000);
  const small = caches.create({ model: "gemini-3-x", config: { contents: "short", ttl: "60s" } });
  await expect(small).rejects.toThrow(/too small/);
  const made = await caches.create({ model: "gemini-3-x", config: { systemInstruction: long, tools, ttl: "60s" } });
  expect(await caches.get({ name: made.name ?? "" })).toMatchObject({ name: "cachedContents/rehearsal0001" });
  const cachedContent = made.name ?? "";
  const answer = await models.generateContent({ model: "gemini-3-x", contents: "hi", config: { cachedContent } });
  expect(answer.text).toBe("ok");
  await caches.delete({ name: cachedContent });
  const gone = models.generateContent({ model: "gemini-3-x", contents: "hi", config: { cachedContent } });
  await expect(gone).rejects.toThrow(/CachedContent not found/);
  expect(server.exchanges.map(({ method, status }) => `${method} ${status}`)).toEqual([
    "POST 400",
    "POST 200",
    "GET 200",
    "POST 200",
    "DELETE 200",
    "POST 403",
  ]);
});

test("the client can list models", async () => {
  const server = await rehearse(turn);
  const names: unknown[] = [];
  for await (const model of await sdk(server).models.list({ config: { queryBase: true } })) names.push(model.name);
  expect(names).toEqual(["models/rehearsal"]);
});

const keyed = { "x-goog-api-key": "k", "content-type": "application/json" };

function id(number: number): string {
  return `call_rehearsal_${String(number).padStart(2, "0")}`;
}
