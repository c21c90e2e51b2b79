import type { JsonObject } from "@capstan/protocol";
import { expect, test } from "vitest";
import { finishOf, type Received, listen, provide } from "../fixtures/calls.ts";
import { call, ending, parts } from "../fixtures/google-streams.ts";
import { expectDeltasToAddUp } from "../fixtures/cut-streams.ts";
import { serve, streaming } from "../fixtures/wire-server.ts";

async function receive(...pieces: readonly (string | Uint8Array)[]): Promise<Received> {
  const server = await serve(streaming(...pieces));
  return listen(provide("google", server.url));
}

test("arguments of calls: none, null, as text, malformed, in pieces, too deep", async () => {
  const deep: JsonObject = JSON.parse(`${'{"a":'.repeat(3000)}1${"}".repeat(3000)}`);
  const received = await receive(
    parts(
      { functionCall: { name: "t" } },
      call("t", null),
      call("t", '{"x": 1}'),
      call("t", '{"x": '),
      call("t", [1]),
      { functionCall: { name: "t", partialArgs: [{ jsonPath: "$.a", stringValue: "b" }], willContinue: true } },
      call("t", deep),
      { functionCall: { args: {} } },
    ),
    ending("STOP"),
  );
  expect(
    finishOf(received).message.content.map((block) =>
      block.type === "tool-call" ? [block.name, block.arguments] : [],
    ),
  ).toEqual([
    ["t", { type: "json", value: {} }],
    ["t", { type: "json", value: {} }],
    ["t", { type: "json", value: { x: 1 } }],
    ["t", { type: "malformed", text: '{"x": ', problem: expect.any(String) }],
    ["t", malformed("[1]", "an object was expected, not an array")],
    ["t", malformed('{"a":"b"}', "the call was cut off before its end")],
    ["t", malformed("", "nested deeper than 200 levels")],
    ["", { type: "json", value: {} }],
  ]);
});

function malformed(text: string, problem: string): JsonObject {
  return { type: "malformed", text, problem };
}

test("arguments that come in pieces are put together where they belong", async () => {
  const received = await receive(
    parts({ functionCall: { name: "cook", willContinue: true }, thoughtSignature: "c2ln" }),
    streamed({ jsonPath: "$.steps[0].text", stringValue: "Bo", willContinue: true }),
    streamed({ jsonPath: "$.steps[0].text", stringValue: "il" }, { jsonPath: "$.steps[0].minutes", numberValue: 7.5 }),
    streamed({ jsonPath: "$.steps[1].text", stringValue: "" }, { jsonPath: "$['a.b'][\"c\"]", boolValue: false }),
    streamed({ jsonPath: "$.__proto__", stringValue: "own" }, { jsonPath: "$.none", nullValue: "NULL_VALUE" }),
    parts({ functionCall: { willContinue: true } }, { text: "" }),
    parts({ functionCall: {} }),
    parts({ functionCall: { name: "serve", partialArgs: [{ jsonPath: "$.warm", boolValue: true }] } }),
    ending("STOP", [{ functionCall: { name: "wash" } }]),
  );
  const cooked = {
    steps: [{ text: "Boil", minutes: 7.5 }, { text: "" }],
    "a.b": { c: false },
    ["__proto__"]: "own",
    none: null,
  };
  expect(
    finishOf(received).message.content.map((block) =>
      block.type === "tool-call" ? [block.callId, block.name, block.arguments, block.signature] : block,
    ),
  ).toEqual([
    ["call_1", "cook", { type: "json", value: cooked }, "c2ln"],
    ["call_2", "serve", { type: "json", value: { warm: true } }, undefined],
    ["call_3", "wash", { type: "json", value: {} }, undefined],
  ]);
  expectDeltasToAddUp(received);
});

test("pieces without a place, or without an end, make a call that is never run", async () => {
  const unreadable = ["", "$", "a", "$.a[", "$.a..b", "$.list[7]", "$[0]", "$.a.b", "$.a[0]"];
  for (const jsonPath of unreadable) {
    const received = await receive(
      parts({ functionCall: { name: "t", willContinue: true } }),
      streamed({ jsonPath: "$.a", stringValue: "x" }, { jsonPath, stringValue: "y" }),
      ending("STOP", [{ functionCall: {} }]),
    );
    const [block] = finishOf(received).message.content;
    expect(block?.type === "tool-call" ? block.arguments : block, `path ${jsonPath}`).toEqual(
      malformed("", `an argument's place cannot be read: ${jsonPath}`),
    );
  }
  const cut = await receive(
    parts({ functionCall: { name: "t", willContinue: true } }),
    streamed({ jsonPath: "$.command", stringValue: "rm -rf /tmp", willContinue: true }),
    ending("STOP"),
  );
  const [block] = finishOf(cut).message.content;
  expect(block?.type === "tool-call" ? block.arguments : block).toEqual(
    malformed('{"command":"rm -rf /tmp"}', "the call was cut off before its end"),
  );
});

function streamed(...partialArgs: readonly JsonObject[]): string {
  return parts({ functionCall: { partialArgs, willContinue: true } });
}

test("minted ids keep clear of the vendor's", async () => {
  const received = await receive(ending("STOP", [call("t", {}), named("call_1"), call("t", {})]));
  expect(finishOf(received).message.content.map((block) => (block.type === "tool-call" ? block.callId : ""))).toEqual([
    "call_2",
    "call_1",
    "call_3",
  ]);
});

function named(id: string): JsonObject {
  return { functionCall: { id, name: "t", args: {} } };
}

test("a ten megabyte argument in one chunk arrives whole", async () => {
  const content = "x".repeat(10 * 1024 * 1024);
  const [block] = finishOf(await receive(ending("STOP", [call("write", { content })]))).message.content;
  const value = block?.type === "tool-call" && block.arguments.type === "json" ? block.arguments.value["content"] : "";
  expect(value === content).toBe(true);
});
