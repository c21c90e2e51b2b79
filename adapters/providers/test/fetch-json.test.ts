import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { fetchJson } from "../src/index.ts";
import { optionsFor } from "./fixtures/calls.ts";
import { replying, serve, type WireServer } from "./fixtures/wire-server.ts";

const roomy = 1_000_000;

function fetchFrom({ url }: WireServer, path: string, limitBytes: number = roomy): Promise<unknown> {
  const options = { ...optionsFor(`${url}${path}`), apiKey: undefined };
  return fetchJson(options, limitBytes, new AbortController().signal);
}

test("a document is asked for where its address says, without a key", async () => {
  const server = await serve(replying(200, { "content-type": "text/plain" }, '{"a":[1]}'));
  expect(await fetchFrom(server, "/deep/api.json?version=1")).toEqual({ a: [1] });
  const [asked] = server.received;
  expect([asked?.path, asked?.body]).toEqual(["/deep/api.json?version=1", ""]);
  expect(Object.keys(asked?.headers ?? {}).filter((name) => /key|authorization/.test(name))).toEqual([]);
});

test("a compressed document is read, and its limit counts what it holds, not what is sent", async () => {
  const text = JSON.stringify({ text: "a".repeat(100_000) });
  const server = await serve(replying(200, { "content-encoding": "gzip" }, gzipSync(text)));
  expect(await fetchFrom(server, "/")).toEqual({ text: "a".repeat(100_000) });
  await expect(fetchFrom(server, "/", 50_000)).rejects.toMatchObject({
    code: "provider.protocol",
    message: "test: the answer exceeds 50000 bytes",
  });
});

test("an answer that breaks off is no document", async () => {
  const server = await serve((response, _request, socket) => {
    response.writeHead(200, { "content-length": "100" });
    response.write('{"a":1}');
    setImmediate(() => socket.destroy());
  });
  await expect(fetchFrom(server, "/")).rejects.toMatchObject({ code: "provider.stream" });
});
