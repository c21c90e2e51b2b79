import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { type ForwardedExchange, parseScenario, startRecorder } from "@capstan/rehearsal";
import { anthropicBody, anthropicHeaders, askAnthropic, askChat, call, chatHeaders } from "../raw-client.ts";
import { bodyOf, eventStream, newFile, record, rehearse, startEndpoint } from "../endpoint.ts";

/** Runs `act` on the client's side once a first piece is there. */
function afterFirstPiece(act: () => void): (received: number) => boolean {
  return () => {
    act();
    return false;
  };
}

/** An Anthropic event that continues with a text. */
function delta(text: string): string {
  const event = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } };
  return `event: content_block_delta\ndata: ${JSON.stringify(event)}\n\n`;
}

test("an answer is passed on while it comes, piece by piece, and recorded in these pieces", async () => {
  const { promise: clientHasFirst, resolve: proceed } = newSignal();
  const url = await startEndpoint((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: 1\n\ndata: h\u00fc");
    // The second piece only leaves when the first has arrived: a recorder that waits for the end would wait forever.
    void clientHasFirst.then(() => response.end("ms\n\n"));
  });
  const recorder = await record(url);
  const answer = await call(`${recorder.url}/v1/messages`, {
    headers: anthropicHeaders,
    body: anthropicBody,
    leaveAfter: afterFirstPiece(proceed),
  });
  expect([answer.end, answer.text]).toEqual(["whole", "data: 1\n\ndata: hüms\n\n"]);
  expect(recorder.exchanges()).toEqual([
    {
      order: 1,
      wire: "anthropic",
      method: "POST",
      path: "/v1/messages",
      body: anthropicBody,
      answer: {
        status: 200,
        headers: { "content-type": "text/event-stream" },
        pieces: ["data: 1\n\ndata: hü", "ms\n\n"],
        end: "whole",
      },
    },
  ]);
});

test("status, headers and bytes pass both ways; what belongs to a connection does not", async () => {
  const seen: object[] = [];
  const url = await startEndpoint((request, response) => {
    void (async () => {
      const body = await bodyOf(request);
      seen.push({ method: request.method, url: request.url, headers: request.headers, body });
      response.writeHead(429, {
        "content-type": "application/json",
        "retry-after": "7",
        "x-ratelimit-remaining-tokens": "12",
        "anthropic-organization-id": "org-1234",
        "openai-organization": "acme",
        "set-cookie": ["a=1", "b=2"],
        "x-only-here": "1",
        connection: "close, x-only-here",
      });
      response.end('{"error": "slow"}');
    })();
  });
  const recorder = await record(url);
  const headers = {
    ...anthropicHeaders,
    "anthropic-beta": "some-beta",
    "accept-encoding": "gzip",
    connection: "close, x-mine",
    "x-mine": "1",
  };
  const body = '{ "model":"m",  "odd": "\\u00e9" }';
  const answer = await call(`${recorder.url}/v1/messages?beta=true`, { headers, body });
  expect(answer).toMatchObject({ status: 429, text: '{"error": "slow"}', end: "whole" });
  expect(answer.headers).toMatchObject({
    "retry-after": "7",
    "x-ratelimit-remaining-tokens": "12",
    "set-cookie": ["a=1", "b=2"],
  });
  expect(answer.headers["x-only-here"]).toBe(undefined);
  expect(seen).toEqual([
    {
      method: "POST",
      url: "/v1/messages?beta=true",
      body,
      headers: {
        ...anthropicHeaders,
        "anthropic-beta": "some-beta",
        "accept-encoding": "identity",
        "content-length": String(body.length),
        connection: expect.any(String),
        host: new URL(url).host,
      },
    },
  ]);
  const [exchange] = recorder.exchanges();
  expect(exchange).toMatchObject({ path: "/v1/messages?beta=true", body: { model: "m", odd: "é" } });
  expect(exchange?.answer).toEqual({
    status: 429,
    headers: { "content-type": "application/json", "retry-after": "7", "x-ratelimit-remaining-tokens": "12" },
    pieces: ['{"error": "slow"}'],
    end: "whole",
  });
});

test("no secret reaches the file: not from headers, query, environment, bodies, nor in pieces of a stream", async () => {
  const key = "key-of-somebody-0123456789";
  const secret = "hunter2-hunter2";
  const url = await startEndpoint(
    eventStream([delta("say "), delta(key.slice(0, 9)), delta(key.slice(9)), delta(` and "${secret}"`), delta("!")]),
  );
  const recorder = await record(url, { redact: (text) => text.replaceAll(secret, "***") });
  const answer = await call(`${recorder.url}/v1/messages?key=${key}&beta=true`, {
    headers: { ...anthropicHeaders, "x-api-key": key, cookie: `session=${key}-cookie` },
    body: { ...anthropicBody, system: `my key is ${key}`, messages: [{ role: "user", content: `"${secret}"` }] },
  });
  expect(answer.text).toContain(key.slice(9));
  const text = readFileSync(recorder.file, "utf8");
  for (const hidden of [key, secret, key.slice(9), "hunter2", "x-api-key", "cookie"])
    expect(text).not.toContain(hidden);
  const [exchange] = recorder.exchanges();
  expect(exchange).toMatchObject({
    path: "/v1/messages?beta=true",
    body: { system: "my key is ***", messages: [{ role: "user", content: '"***"' }] },
  });
  const said = (exchange?.answer.pieces ?? []).map((piece) => /"text":"((?:[^"\\]|\\.)*)"/.exec(piece)?.[1]);
  expect(said).toEqual(['say *** and \\"***\\"!', "", "", "", ""]);
  expect(statSync(recorder.file).mode & 0o777).toBe(0o600);
});

test("an answer that breaks off is passed on, recorded and served again as one", async () => {
  const url = await startEndpoint((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: half of it", () => response.socket?.destroySoon());
  });
  const recorder = await record(url);
  const broken = await askAnthropic(recorder.url);
  expect(broken).toMatchObject({ status: 200, text: "data: half of it", end: "broken" });
  expect(recorder.exchanges()[0]?.answer).toMatchObject({ pieces: ["data: half of it"], end: "broken-off" });
  const replay = await rehearse(recorder.scenario());
  expect(await askAnthropic(replay.url)).toMatchObject({ status: 200, text: "data: half of it", end: "broken" });
});

test("when the client leaves, so does the recorder, and what came until then is recorded", async () => {
  const { promise: endpointLeft, resolve: left } = newSignal();
  const url = await startEndpoint((request, response) => {
    request.resume();
    response.once("close", left);
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: first\n\n");
  });
  const reported: ForwardedExchange[] = [];
  const recorder = await record(url, { onExchange: (exchange) => reported.push(exchange) });
  await call(`${recorder.url}/v1/messages`, { headers: anthropicHeaders, body: anthropicBody, leaveAfter: () => true });
  await endpointLeft;
  await recorder.close();
  expect(recorder.exchanges()[0]?.answer).toMatchObject({ pieces: ["data: first\n\n"], end: "broken-off" });
  expect(reported).toEqual([
    { order: 1, wire: "anthropic", method: "POST", path: "/v1/messages", status: 200, end: "broken-off" },
  ]);
});

test("an endpoint that cannot be reached is reported in the wire's own shape, and is no part of the recording", async () => {
  const closed = await rehearse([{}]);
  await closed.close();
  const recorder = await record(closed.url);
  const anthropic = await askAnthropic(recorder.url);
  expect(JSON.parse(anthropic.text)).toMatchObject({
    type: "error",
    error: { message: expect.stringMatching(/cannot be reached/) },
  });
  const chat = await askChat(recorder.url);
  expect([anthropic.status, chat.status, JSON.parse(chat.text).error.type]).toEqual([502, 502, "server_error"]);
  expect(recorder.exchanges()).toEqual([]);
});

test("an answer in an encoding that cannot be read is passed on, reported, and no whole answer in the recording", async () => {
  const url = await startEndpoint((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "zstd" });
    response.end("no such thing");
  });
  const reported: ForwardedExchange[] = [];
  const recorder = await record(url, { onExchange: (exchange) => reported.push(exchange) });
  const answer = await call(`${recorder.url}/v1/messages`, { headers: anthropicHeaders, body: anthropicBody });
  expect([answer.end, answer.text]).toEqual(["whole", "no such thing"]);
  expect(reported[0]).toMatchObject({ end: "whole", problem: "an answer in the encoding zstd cannot be recorded" });
  expect(recorder.exchanges()[0]?.answer).toMatchObject({ pieces: [], end: "broken-off" });
});

test("an endpoint that compresses all the same is passed on as it is, and recorded as it reads", async () => {
  const url = await startEndpoint((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
    response.end(gzipSync('{"plain":"text"}'));
  });
  const recorder = await record(url);
  const answer = await call(`${recorder.url}/v1/models`, { method: "GET", headers: chatHeaders });
  expect(answer.bytes).toEqual(gzipSync('{"plain":"text"}'));
  expect(recorder.exchanges()[0]).toEqual({
    order: 1,
    wire: "openai-chat",
    method: "GET",
    path: "/v1/models",
    answer: {
      status: 200,
      headers: { "content-type": "application/json" },
      pieces: ['{"plain":"text"}'],
      end: "whole",
    },
  });
});

test("a file that is there is left alone unless it is to be replaced, and only a file ever is", async () => {
  const file = newFile();
  writeFileSync(file, "mine");
  const start = (replace: boolean, path = file): Promise<unknown> =>
    startRecorder({ target: "http://127.0.0.1:9", file: path, replace, redact: String }).then((made) => made.close());
  await expect(start(false)).rejects.toMatchObject({
    code: "usage.invalid",
    message: expect.stringMatching(/exists already/),
    hint: expect.stringMatching(/--force/),
  });
  expect(readFileSync(file, "utf8")).toBe("mine");
  symlinkSync(file, `${file}.link`);
  await expect(start(true, `${file}.link`)).rejects.toMatchObject({
    code: "usage.invalid",
    message: expect.stringMatching(/is no file/),
  });
  await start(true);
  expect(parseScenario(readFileSync(file, "utf8"), file).exchanges).toEqual([]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("a port in use leaves no file behind", async () => {
  const { port } = await rehearse([{}]);
  const file = newFile();
  await expect(startRecorder({ target: "https://api.test", file, port, redact: String })).rejects.toMatchObject({
    code: "rehearsal.port",
  });
  expect(existsSync(file)).toBe(false);
});

interface Signal {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

function newSignal(): Signal {
  const resolvers: (() => void)[] = [];
  const promise = new Promise<void>((resolve) => resolvers.push(resolve));
  return { promise, resolve: () => resolvers.forEach((resolve) => resolve()) };
}
