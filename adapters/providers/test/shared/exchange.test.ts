import { once } from "node:events";
import { createServer } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { anthropicStreams, start, textBlock } from "../fixtures/anthropic-streams.ts";
import { chatStreams } from "../fixtures/chat-streams.ts";
import {
  failureOf,
  finishOf,
  joined,
  listen,
  messageOfFailure,
  model,
  provide,
  simpleRequest,
  testKey,
} from "../fixtures/calls.ts";
import { portOf, replying, serve, streaming } from "../fixtures/wire-server.ts";

const answer = (anthropicStreams["plain text"] ?? []).join("");

test("requests go to the vendor's path with the vendor's headers", async () => {
  const server = await serve(streaming(answer));
  for (const base of ["", "/", "/v1", "/v1/", "/v1/messages"])
    await listen(provide("anthropic", `${server.url}${base}`));
  expect(server.received.map((call) => call.path)).toEqual(Array(5).fill("/v1/messages"));
  const headers = server.received[0]?.headers;
  expect([headers?.["x-api-key"], headers?.["anthropic-version"], headers?.authorization]).toEqual([
    testKey,
    "2023-06-01",
    undefined,
  ]);

  const chat = await serve(streaming((chatStreams["plain text"] ?? []).join("")));
  for (const base of ["/v1", "/deployments/x?api-version=2", "/v1/chat/completions"]) {
    await listen(provide("openai-chat", `${chat.url}${base}`, { headers: { "X-Title": "t", "User-Agent": "mine" } }));
  }
  expect(chat.received.map((call) => call.path)).toEqual([
    "/v1/chat/completions",
    "/deployments/x/chat/completions?api-version=2",
    "/v1/chat/completions",
  ]);
  const own = chat.received[0]?.headers;
  expect([own?.authorization, own?.["x-title"], own?.["user-agent"]]).toEqual([`Bearer ${testKey}`, "t", "mine"]);
});

test("two calls share one connection, also after an error answer", async () => {
  const server = await serve((response, request, socket) =>
    (server.received.length === 2 ? replying(500, {}, "oops") : streaming(answer))(response, request, socket),
  );
  const provider = provide("anthropic", server.url);
  const kept = { ...provider, close: () => undefined };
  const ended: unknown[] = [];
  for (let count = 0; count < 3; count += 1) {
    const received = await listen(kept);
    ended.push(received.error === undefined ? finishOf(received).reason : failureOf(received)["status"]);
    await new Promise((turn) => setImmediate(turn));
  }
  expect(ended).toEqual(["stop", 500, "stop"]);
  expect(server.connections()).toBe(1);
  provider.close();
});

test("cancelling closes the socket and throws the reason", async () => {
  const server = await serve((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(start() + (textBlock(0, "shown")[0] ?? "") + (textBlock(0, "shown")[1] ?? ""));
  });
  const controller = new AbortController();
  const reason = new Error("enough");
  const provider = provide("anthropic", server.url);
  const seen: unknown[] = [];
  const call = (async () => {
    for await (const batch of provider.stream(simpleRequest, model(), controller.signal)) {
      seen.push(...batch);
      controller.abort(reason);
    }
  })();
  await expect(call).rejects.toBe(reason);
  expect(seen).toEqual([{ type: "text-delta", delta: "shown" }]);
  await server.closed;
});

test("cancelling works before, and while nothing has been answered", async () => {
  const early = await serve(streaming(answer));
  expect((await listen(provide("anthropic", early.url), AbortSignal.abort("no"))).error).toBe("no");
  expect(early.received).toEqual([]);
  const controller = new AbortController();
  const silent = await serve(() => controller.abort("now"));
  expect((await listen(provide("anthropic", silent.url), controller.signal)).error).toBe("now");
  await silent.closed;
});

test("a consumer that stops listening closes the socket", async () => {
  const server = await serve((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(start() + textBlock(0, "shown").join(""));
  });
  const batches = provide("anthropic", server.url).stream(simpleRequest, model(), new AbortController().signal);
  const iterator = batches[Symbol.asyncIterator]();
  expect(await iterator.next()).toEqual({ done: false, value: [{ type: "text-delta", delta: "shown" }] });
  await iterator.return?.();
  await server.closed;
});

test("silence ends in a time-out that says where it was waited", async () => {
  const timeout = { code: "provider.timeout", provider: "test", retryable: true };
  const silent = await serve(() => undefined);
  const first = await listen(provide("anthropic", silent.url, { firstByteTimeoutMs: 20 }));
  expect([failureOf(first), messageOfFailure(first)]).toEqual([timeout, "test: no answer within 0.02 s"]);

  const stalled = await serve((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(start() + textBlock(0, "shown").slice(0, 2).join(""));
  });
  const idle = await listen(provide("anthropic", stalled.url, { idleTimeoutMs: 20 }));
  expect([failureOf(idle), messageOfFailure(idle)]).toEqual([timeout, "test: nothing more arrived for 0.02 s"]);
  expect(joined(idle.parts).text).toBe("shown");

  const tcp = createServer(() => undefined);
  tcp.listen(0, "127.0.0.1");
  await once(tcp, "listening");
  onTestFinished(() => void tcp.close());
  const port = portOf(tcp);
  const secure = await listen(provide("anthropic", `https://127.0.0.1:${port}`, { connectTimeoutMs: 20 }));
  expect([failureOf(secure), messageOfFailure(secure)]).toEqual([
    timeout,
    `test: no connection to https://127.0.0.1:${port} within 0.02 s`,
  ]);
});

test("broken connections are retryable failures", async () => {
  const reset = await serve((_response, _request, socket) => void socket.resetAndDestroy());
  expect(failureOf(await listen(provide("anthropic", reset.url)))).toMatchObject({
    code: "provider.network",
    vendorCode: "ECONNRESET",
    retryable: true,
  });

  const midway = await serve((response, _request, socket) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(start() + textBlock(0, "shown").join(""), () => socket.destroy());
  });
  const cut = await listen(provide("anthropic", midway.url));
  expect(failureOf(cut)).toEqual({ code: "provider.stream", provider: "test", retryable: true });
  expect(joined(cut.parts).text).toBe("shown");

  const short = await serve((response, _request, socket) => {
    response.writeHead(200, { "content-type": "text/event-stream", "content-length": "100000" });
    response.write(start(), () => socket.end());
  });
  expect(failureOf(await listen(provide("anthropic", short.url)))["code"]).toBe("provider.stream");

  const chunks = await serve((_response, _request, socket) => {
    socket.write(
      "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\nnonsense\r\n",
    );
  });
  expect(failureOf(await listen(provide("anthropic", chunks.url)))).toMatchObject({
    code: "provider.stream",
    retryable: true,
  });

  const { port } = new URL(short.url);
  const closed = createServer().listen(0, "127.0.0.1");
  await once(closed, "listening");
  const free = portOf(closed);
  closed.close();
  await once(closed, "close");
  expect(
    failureOf(await listen(provide("anthropic", `http://127.0.0.1:${free === Number(port) ? 1 : free}`))),
  ).toMatchObject({ code: "provider.network", vendorCode: "ECONNREFUSED", retryable: true });
});

test("a body compressed without being asked for is read", async () => {
  const encoders = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync };
  for (const [encoding, compress] of Object.entries(encoders)) {
    const server = await serve(
      replying(200, { "content-type": "text/event-stream", "content-encoding": encoding }, compress(answer)),
    );
    expect(finishOf(await listen(provide("anthropic", server.url))).reason, `case ${encoding}`).toBe("stop");
    const cut = await serve(
      replying(
        200,
        { "content-type": "text/event-stream", "content-encoding": encoding },
        compress(answer).subarray(0, 40),
      ),
    );
    expect(failureOf(await listen(provide("anthropic", cut.url)))["code"], `case ${encoding}`).toBe("provider.stream");
  }
});

test("a key that no header can carry fails without showing it", async () => {
  const server = await serve(streaming(answer));
  const received = await listen(provide("anthropic", server.url, { apiKey: "sk-ant-abcdef\u0001ghi" }));
  expect(failureOf(received)).toMatchObject({ code: "provider.network", retryable: false });
  expect(messageOfFailure(received)).not.toContain("abcdef");
});

test("an event that never ends is refused at its limit", async () => {
  const piece = Buffer.alloc(1024 * 1024, "x");
  const server = await serve((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const more = (): void => {
      while (!response.destroyed && response.write(piece));
      response.once("drain", more);
    };
    response.write("data: ");
    more();
  });
  expect(failureOf(await listen(provide("anthropic", server.url)))).toEqual({
    code: "provider.protocol",
    provider: "test",
    retryable: false,
  });
});
