import { AppError, type JsonObject } from "@capstan/protocol";
import { expect, test } from "vitest";
import type { ProviderOptions } from "@capstan/ports";
import { toEndpoint } from "../../src/shared/http/endpoint.ts";
import { parseObject } from "../../src/shared/json-fields.ts";
import { listen, optionsFor, provide, testKey, type WireName } from "../fixtures/calls.ts";
import { replying, serve } from "../fixtures/wire-server.ts";

interface Seen {
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: JsonObject;
}

/** What a server sees of one request. */
async function seen(wire: WireName, basePath: string, changes: Partial<ProviderOptions>): Promise<Seen> {
  const server = await serve(replying(500, {}, ""));
  await listen(provide(wire, `${server.url}${basePath}`, changes));
  const [received] = server.received;
  if (received === undefined) throw new Error("nothing was received");
  return { ...received, body: parseObject(received.body) ?? {} };
}

const wires: readonly (readonly [WireName, string])[] = [
  ["anthropic", "x-api-key"],
  ["google", "x-goog-api-key"],
  ["openai-chat", "authorization"],
  ["openai-responses", "authorization"],
];

test("on every wire the key goes where it is wanted, and nowhere else", async () => {
  for (const [wire, usual] of wires) {
    const { headers } = await seen(wire, "", { keyHeader: { name: "Api-Key", prefix: "Token " } });
    expect([wire, headers["api-key"], headers[usual]]).toEqual([wire, `Token ${testKey}`, undefined]);
  }
});

test("on every wire the query is sent, and wins over the base URL's", async () => {
  for (const [wire] of wires) {
    const { path } = await seen(wire, "?api-version=1&x=a%20b", { query: { "api-version": "2 & 3", y: "" } });
    const query = new URLSearchParams(path.slice(path.indexOf("?")));
    query.delete("alt");
    expect([wire, [...query]]).toEqual([
      wire,
      [
        ["api-version", "2 & 3"],
        ["x", "a b"],
        ["y", ""],
      ],
    ]);
  }
});

test("on every wire fields join the body, and never replace the conversation", async () => {
  const body = {
    extra: { deep: [1] },
    model: "x",
    messages: 1,
    input: 1,
    contents: 1,
    tools: 1,
    stream: false,
    system: 1,
  };
  for (const [wire] of wires) {
    const joined = (await seen(wire, "", { body })).body;
    const without = (await seen(wire, "", {})).body;
    expect([wire, joined]).toEqual([wire, { ...without, extra: { deep: [1] } }]);
  }
});

test("Azure's addresses are addresses like any other", () => {
  checkPath(
    "chat/completions",
    "/openai/deployments/gpt?api-version=2024-10-21",
    "/openai/deployments/gpt/chat/completions?api-version=2024-10-21",
  );
  checkPath("chat/completions", "/openai/v1/", "/openai/v1/chat/completions");
  checkPath("responses", "/openai/v1/", "/openai/v1/responses");
  checkPath("responses", "/openai/v1/responses?api-version=preview", "/openai/v1/responses?api-version=preview");
});

function checkPath(call: string, base: string, expected: string): void {
  const options = optionsFor(`https://name.openai.azure.com${base}`);
  expect(toEndpoint(options, call.split("/")).path).toBe(expected);
}

test("a key header without a name it could have is refused before anything is sent", async () => {
  const server = await serve(replying(500, {}, ""));
  const received = await listen(provide("openai-chat", server.url, { keyHeader: { name: "a b", prefix: "" } }));
  expect(received.error).toBeInstanceOf(AppError);
  expect(server.received).toEqual([]);
});
