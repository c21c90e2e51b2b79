import { maxRequestLineBytes } from "@capstan/remote";
import { runs } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { hello, InMemory } from "../in-memory.ts";
import { problemWith } from "../published-schema.ts";

const request = (id: unknown, method: unknown, params: unknown): object => ({ jsonrpc: "2.0", id, method, params });

/** Lines as a client sends them, changed somewhere. */
const anyLine: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary" }).map((text) => text.replaceAll("\n", " ")),
  fc.json(),
  fc
    .record({ method: anyMethod(), params: fc.jsonValue() })
    .map(({ method, params }) => line(request(7, method, params))),
  fc.tuple(fc.constantFrom(...whole()), fc.nat(), fc.string({ maxLength: 3 })).map(([text, at, put]) => {
    const place = at % text.length;
    return (text.slice(0, place) + put + text.slice(place + 1)).replaceAll("\n", " ");
  }),
);

function anyMethod(): fc.Arbitrary<string> {
  return fc.constantFrom(
    "initialize",
    "authenticate",
    "logout",
    "session/new",
    "session/load",
    "session/prompt",
    "session/cancel",
    "session/set_mode",
    "session/set_config_option",
    "session/list",
    "session/close",
    "session/delete",
    "fs/read",
    "$/x",
  );
}

function whole(): readonly string[] {
  return [
    line(request(1, "initialize", hello)),
    line(request(2, "session/new", { cwd: "/work", mcpServers: [{ name: "a", command: "b", args: [], env: [] }] })),
    line(request(3, "session/prompt", { sessionId: "s", prompt: [{ type: "text", text: "hello" }] })),
    line({ jsonrpc: "2.0", id: 1, result: { outcome: { outcome: "selected", optionId: "x" } } }),
    line({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s" } }),
  ];
}

function line(value: object): string {
  return JSON.stringify(value);
}

test("whatever lines come, each is answered with a typed error or a result, and the connection lives on", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyLine, { minLength: 1, maxLength: 20 }), async (lines) => {
      const server = new InMemory();
      await server.ask("initialize", hello);
      server.write(`${lines.join("\n")}\n`);
      const { result } = await server.ask("session/list", {});
      await server.end();
      expect(result).toMatchObject({ sessions: expect.anything() });
      const errors = server.lines.flatMap(({ error }) => (error === undefined ? [] : [error]));
      expect(errors.map((error) => problemWith("Error", error)).filter((problem) => problem !== null)).toEqual([]);
      expect(errors.filter(({ data }) => data?.code === "internal.bug")).toEqual([]);
    }),
    { numRuns: runs(100) },
  );
});

test("what is no message is refused with the code that says what is wrong with it", async () => {
  const server = new InMemory();
  await server.ask("initialize", hello);
  const lines = [
    "{",
    "[]",
    "7",
    '{"jsonrpc":"1.0","id":5,"method":"x"}',
    '{"jsonrpc":"2.0","id":6}',
    '{"jsonrpc":"2.0","id":{},"method":"x"}',
  ];
  server.write(`${lines.join("\n")}\n`);
  server.write(Buffer.from([0xff, 0xfe, 0x0a]));
  server.write(`${"x".repeat(maxRequestLineBytes + 1)}\n`);
  expect(await server.ask("nonsense", {})).toMatchObject({ error: { code: -32601 } });
  expect(await server.ask("session/new", { cwd: "here", mcpServers: [] })).toMatchObject({
    error: { code: -32602, message: expect.stringContaining("params.cwd") },
  });
  const codes = server.lines.flatMap(({ id, error }) => (id === null || id === 5 || id === 6 ? [error?.code] : []));
  expect(codes).toEqual([-32700, -32600, -32600, -32600, -32600, -32600, -32600, -32600]);
  await server.end();
});

test("before `initialize` nothing is carried out; requests that follow it without waiting are", async () => {
  const early = new InMemory();
  expect(await early.ask("session/list", {})).toMatchObject({ error: { code: -32600 } });
  const [greeting, list] = await Promise.all([early.ask("initialize", hello), early.ask("session/list", {})]);
  expect([greeting.result?.["protocolVersion"], list.result?.["sessions"]]).toEqual([1, []]);
  expect(await early.ask("initialize", { protocolVersion: 9 })).toMatchObject({ result: { protocolVersion: 1 } });
  await early.end();
});

test("an answer to a request that was never made changes nothing", async () => {
  const server = new InMemory();
  await server.ask("initialize", hello);
  const { result } = await server.ask("session/new", { cwd: "/work", mcpServers: [] });
  const answer = { jsonrpc: "2.0", id: 1, result: { outcome: { outcome: "selected", optionId: "allow-always" } } };
  server.write(`${line(answer)}\n${line(answer)}\n`);
  const prompt = [{ type: "text", text: "say hi" }];
  expect(await server.ask("session/prompt", { sessionId: result?.["sessionId"], prompt })).toMatchObject({
    result: { stopReason: "end_turn" },
  });
  await server.end();
});
