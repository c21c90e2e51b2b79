import { expect, test } from "vitest";
import { anthropicStreams } from "../fixtures/anthropic-streams.ts";
import {
  failureOf,
  type Received,
  joined,
  listen,
  messageOfFailure,
  provide,
  type WireName,
} from "../fixtures/calls.ts";
import { chatStreams } from "../fixtures/chat-streams.ts";
import { cutEverywhere } from "../fixtures/cut-streams.ts";
import { googleStreams } from "../fixtures/google-streams.ts";
import { responsesStreams } from "../fixtures/responses-streams.ts";
import { serve, streaming } from "../fixtures/wire-server.ts";

const wires: readonly (readonly [WireName, readonly string[]])[] = [
  ["anthropic", anthropicStreams["plain text"] ?? []],
  ["openai-chat", chatStreams["plain text"] ?? []],
  ["openai-responses", responsesStreams["plain text"] ?? []],
  ["google", googleStreams["plain text"] ?? []],
];

async function receive(wire: WireName, ...events: readonly string[]): Promise<Received> {
  const server = await serve(streaming(events.join("")));
  return listen(provide(wire, server.url));
}

test.each(wires)("a line `error:` ends an answer with what it says: %s", async (wire, events) => {
  expect(events.length).toBeGreaterThan(2);
  const begun = events.slice(0, events.length - 2);
  const shapes = [
    'error: {"code":500,"message":"slot lost","type":"server_error"}',
    'error:{"error":{"code":"overloaded","message":"slot lost"}}',
    "error: slot lost",
  ];
  for (const line of shapes) {
    const received = await receive(wire, ...begun, `${line}\n\n`);
    expect(messageOfFailure(received), `line ${line}`).toMatch(/^test: the answer ended with an error: slot lost/);
    expect(failureOf(received)).toMatchObject({ code: "provider.stream" });
    expect(joined(received.parts).text, "what was said before is shown").not.toBe("");
    expect(received.parts.some((part) => part.type === "finish")).toBe(false);
  }
});

test.each(wires)("also as the first and last line, without its end, and empty: %s", async (wire) => {
  expect(messageOfFailure(await receive(wire, "error: gone"))).toMatch(/ended with an error: gone/);
  expect(messageOfFailure(await receive(wire, "error:\n\n"))).toMatch(/ended with an error: no details/);
});

test("cut at any byte, the error is the same", async () => {
  const events = [...(chatStreams["plain text"] ?? []).slice(0, 2), 'error: {"message":"slöt lost 😀"}\n\n'];
  await cutEverywhere("openai-chat", events, (received, whole) => {
    expect(failureOf(received)).toEqual(failureOf(whole));
    expect(messageOfFailure(received)).toContain("slöt lost 😀");
  });
});

test("after the end of an answer, and under other names, such lines count for nothing", async () => {
  const events = chatStreams["plain text"] ?? [];
  expect((await receive("openai-chat", ...events, "error: late\n\n")).error).toBeUndefined();
  expect((await receive("openai-chat", "errors: 3\nnote: x\n\n", ...events)).error).toBeUndefined();
});
