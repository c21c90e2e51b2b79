import { isJsonObject, type JsonObject, type Message, type ModelRequest } from "@capstan/protocol";
import { parseScenario, type Rehearsal, startRehearsal } from "@capstan/rehearsal";
import { expect, onTestFinished, test } from "vitest";
import { type CacheCall, CachedContents } from "../../src/google/cached-contents.ts";
import { toGoogleRequest } from "../../src/google/to-google-body.ts";
import type { SideAnswer } from "../../src/shared/http/side-call.ts";
import { MessageCache } from "../../src/shared/request/message-cache.ts";
import { finishOf, type Received, listen, model, provide } from "../fixtures/calls.ts";
import { asking, assistant, call, ownGoogle, result, tool, user } from "../fixtures/conversations.ts";
import { googleStreams } from "../fixtures/google-streams.ts";
import { serve, streaming, type WireServer } from "../fixtures/wire-server.ts";

const long = "All work and no play. ".repeat(1000);
const settings = model({ cache_enabled: true, cache_ttl_seconds: 600 }, { id: "gemini-3-pro-preview" });
const collection = "/v1beta/cachedContents";

async function rehearse(): Promise<Rehearsal> {
  const file = JSON.stringify({ name: "cached", loop: true, turns: [{ text: "ok" }] });
  const server = await startRehearsal({ scenario: parseScenario(file, "cached.json") });
  onTestFinished(() => server.close());
  return server;
}

async function ask(url: string, ...requests: readonly ModelRequest[]): Promise<readonly Received[]> {
  const provider = provide("google", url);
  const received: Received[] = [];
  const quiet = { ...provider, close: () => undefined };
  for (const request of requests) received.push(await listenTo(quiet, request));
  provider.close();
  return received;
}

function listenTo(provider: ReturnType<typeof provide>, request: ModelRequest): Promise<Received> {
  return listen({ ...provider, stream: (_request, _model, signal) => provider.stream(request, settings, signal) });
}

/** What went over the wire: the path's end, and how much was sent with it. */
function sent(server: Rehearsal): readonly unknown[] {
  return server.exchanges.map(({ path, body, status }) => {
    const fields = isJsonObject(body) ? body : {};
    const count = Array.isArray(fields["contents"]) ? fields["contents"].length : 0;
    return [
      path === collection ? "make" : path.startsWith(collection) ? "drop" : "ask",
      status,
      count,
      fields["cachedContent"] ?? "whole",
    ];
  });
}

test("a long prompt is kept once and named from then on; a grown conversation is kept again", async () => {
  const server = await rehearse();
  const grown = [user(long), assistant(ownGoogle, long), user("two")];
  const requests = [
    { ...asking(user("one")), system: long },
    { ...asking(user("one"), assistant(ownGoogle, "ok"), user("two")), system: long },
    { ...asking(...grown), system: long },
    { ...asking(...grown, assistant(ownGoogle, call("a")), user(result("a", "r"))), system: long },
  ];
  const received = await ask(server.url, ...requests);
  expect(received.map((one) => finishOf(one).reason)).toEqual(["stop", "stop", "stop", "stop"]);
  expect(sent(server)).toEqual([
    ["make", 200, 0, "whole"],
    ["ask", 200, 1, "cachedContents/rehearsal0001"],
    ["ask", 200, 3, "cachedContents/rehearsal0001"],
    ["make", 200, 2, "whole"],
    ["ask", 200, 1, "cachedContents/rehearsal0002"],
    ["ask", 200, 3, "cachedContents/rehearsal0002"],
  ]);
  expect(server.exchanges[0]?.body).toMatchObject({ model: "models/gemini-3-pro-preview", ttl: "600s" });
});

test("a short prompt, and one nobody asked to keep, are sent whole", async () => {
  const server = await rehearse();
  await ask(server.url, asking(user("one")));
  const provider = provide("google", server.url);
  const plain = model({}, { id: "gemini-3-pro-preview" });
  const request = { ...asking(user("one")), system: long };
  await listen({ ...provider, stream: (_request, _model, signal) => provider.stream(request, plain, signal) });
  expect(sent(server)).toEqual([
    ["ask", 200, 1, "whole"],
    ["ask", 200, 1, "whole"],
  ]);
});

test("a prompt the vendor no longer keeps is sent whole at once, and kept again by the next call", async () => {
  const server = await rehearse();
  const request = { ...asking(user("one")), system: long };
  const provider = provide("google", server.url);
  const quiet = { ...provider, close: () => undefined };
  await listenTo(quiet, request);
  await fetch(`${server.url}/v1beta/cachedContents/rehearsal0001`, {
    method: "DELETE",
    headers: { "x-goog-api-key": "k" },
  });
  for (const again of [{ ...request }, { ...request }]) {
    expect(finishOf(await listenTo(quiet, again)).reason).toBe("stop");
  }
  provider.close();
  expect(sent(server)).toEqual([
    ["make", 200, 0, "whole"],
    ["ask", 200, 1, "cachedContents/rehearsal0001"],
    ["drop", 200, 0, "whole"],
    ["ask", 403, 1, "cachedContents/rehearsal0001"],
    ["ask", 200, 1, "whole"],
    ["make", 200, 0, "whole"],
    ["ask", 200, 1, "cachedContents/rehearsal0002"],
  ]);
});

test("whatever goes wrong with keeping, the model is asked all the same, and not asked to keep at every call", async () => {
  for (const [status, body] of [
    [429, "{}"],
    [200, "{}"],
    [200, "no JSON"],
    [500, ""],
  ] as const) {
    const server = await refusing(status, body);
    const request = { ...asking(user("one")), system: long };
    const received = await ask(server.url, request, { ...request });
    expect(received.map((one) => finishOf(one).reason)).toEqual(["stop", "stop"]);
    expect(
      server.received.map(({ path }) => path.split(/[/:?]/)[2]),
      `status ${status}`,
    ).toEqual(["cachedContents", "models", "models"]);
  }
});

function refusing(status: number, body: string): Promise<WireServer> {
  const answer = streaming((googleStreams["plain text"] ?? []).join(""));
  return serve((response, request, socket) => {
    if (request.path !== collection) return answer(response, request, socket);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(body);
  });
}

test("a cancel while the vendor still thinks about keeping ends the call", async () => {
  const abort = new AbortController();
  const server = await serve(() => abort.abort(new Error("stop it")));
  const provider = provide("google", server.url);
  const request = { ...asking(user("one")), system: long };
  const received = await listen(
    { ...provider, stream: (_request, _model, signal) => provider.stream(request, settings, signal) },
    abort.signal,
  );
  expect(received).toEqual({ parts: [], error: new Error("stop it") });
  await server.closed;
  expect(server.received.map(({ path }) => path)).toEqual([collection]);
});

test("a kept prefix is used while it lives and the conversation begins with it", async () => {
  let now = 0;
  const caches = new CachedContents(() => now);
  const asked: JsonObject[] = [];
  const find = (request: ModelRequest): Promise<unknown> =>
    caches.find(callOf(request, asked, { name: `cachedContents/${asked.length + 1}` }));
  const begin = [user(long), assistant(ownGoogle, long), user("two")];
  expect(await find(asking(...begin))).toEqual({ name: "cachedContents/1", count: 2 });
  now = 569_999;
  expect(await find(asking(...begin, assistant(ownGoogle, "x"), user("three")))).toEqual({
    name: "cachedContents/1",
    count: 2,
  });
  now = 570_000;
  expect(await find(asking(...begin))).toEqual({ name: "cachedContents/2", count: 2 });
  // Another continuation, another prompt and another beginning are other prefixes.
  expect(await find(asking(user(long), assistant(ownGoogle, "other"), user("two")))).toEqual({
    name: "cachedContents/3",
    count: 2,
  });
  expect(await find({ ...asking(...begin), tools: [{ ...tool, name: "other" }] })).toEqual({
    name: "cachedContents/4",
    count: 2,
  });
  expect(asked.map(({ ttl }) => ttl)).toEqual(["600s", "600s", "600s", "600s"]);
});

test("a prefix ends where a user speaks, never between a call and its result", async () => {
  const loop: readonly Message[] = [user(long), assistant(ownGoogle, call("a")), user(result("a", long))];
  const asked: JsonObject[] = [];
  const caches = new CachedContents(() => 0);
  expect(await caches.find(callOf(asking(...loop), asked, { name: "n" }))).toBeUndefined();
  const more = [
    ...loop,
    assistant(ownGoogle, "done"),
    user("next"),
    assistant(ownGoogle, call("b")),
    user(result("b", "r")),
  ];
  expect(await caches.find(callOf(asking(...more), asked, { name: "n" }))).toEqual({ name: "n", count: 4 });
});

test("after a refusal the vendor is left alone for a while, unless the conversation has grown", async () => {
  let now = 0;
  const caches = new CachedContents(() => now);
  const asked: JsonObject[] = [];
  const refuse = (request: ModelRequest): Promise<unknown> => caches.find(callOf(request, asked, {}, 429));
  const begin = [user(long), assistant(ownGoogle, "x"), user("two")];
  for (now of [0, 1, 599_999]) expect(await refuse(asking(...begin))).toBeUndefined();
  expect(asked.length).toBe(1);
  await refuse(asking(...begin, assistant(ownGoogle, long), user("three")));
  expect(asked.length).toBe(2);
  now = 2_000_000;
  await refuse(asking(...begin));
  expect(asked.length).toBe(3);
});

function callOf(request: ModelRequest, asked: JsonObject[], answer: JsonObject, status = 200): CacheCall {
  return {
    request,
    model: settings,
    parts: toGoogleRequest(request, settings, new MessageCache()),
    path: ["v1beta", "cachedContents"],
    resource: "models/gemini-3-pro-preview",
    sideCall: async (_path, body): Promise<SideAnswer> => {
      if (isJsonObject(body)) asked.push(body);
      return { status, body: answer };
    },
  };
}
