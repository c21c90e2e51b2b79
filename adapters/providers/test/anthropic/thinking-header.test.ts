import type { JsonObject, ToolDefinition } from "@capstan/protocol";
import { expect, test } from "vitest";
import { anthropicStreams } from "../fixtures/anthropic-streams.ts";
import { model, provide, simpleRequest } from "../fixtures/calls.ts";
import { tool } from "../fixtures/conversations.ts";
import { serve, streaming } from "../fixtures/wire-server.ts";

const interleaved = "interleaved-thinking-2025-05-14";
const thinking = { thinking_enabled: true };

test("models of the fourth generation are asked to think between calls, where there are tools and a budget", async () => {
  for (const id of ["claude-sonnet-4-20250514", "claude-opus-4-1", "claude-haiku-4-5", "anthropic/claude-opus-4.5"]) {
    await check(id, thinking, interleaved);
    await check(id, {}, undefined);
  }
  await check("claude-sonnet-4-5", { thinking: "adaptive" }, interleaved);
  await check("claude-sonnet-4-6", { thinking: "enabled" }, interleaved);
  for (const id of [
    "claude-sonnet-4-6",
    "claude-opus-4-7",
    "claude-sonnet-5",
    "claude-3-7-sonnet-20250219",
    "model-1",
  ]) {
    await check(id, thinking, undefined);
  }
  await check("claude-sonnet-4-5", thinking, undefined, { tools: [] });
});

test("a model that binds its thinking is asked for the control over that, with or without tools", async () => {
  for (const id of ["claude-fable-5-1", "claude-opus-5-5"]) {
    await check(id, {}, "thinking-binding-controls-2026-08-01", { tools: [] });
    await check(id, thinking, "thinking-binding-controls-2026-08-01");
  }
});

test("what the user asked for by the same header stays", async () => {
  await check("claude-sonnet-4-5", thinking, `a-1,b-2,${interleaved}`, { headers: { "Anthropic-Beta": "a-1, b-2" } });
  await check("claude-sonnet-4-5", thinking, interleaved, { headers: { "anthropic-beta": interleaved } });
  await check("claude-opus-4-7", thinking, "a-1", { headers: { "anthropic-beta": "a-1" } });
});

async function check(
  id: string,
  options: JsonObject,
  expected: string | undefined,
  {
    headers = {},
    tools = [tool],
  }: { headers?: Readonly<Record<string, string>>; tools?: readonly ToolDefinition[] } = {},
): Promise<void> {
  const server = await serve(streaming((anthropicStreams["plain text"] ?? []).join("")));
  const provider = provide("anthropic", server.url, { headers });
  const call = provider.stream({ ...simpleRequest, tools }, model(options, { id }), new AbortController().signal);
  const received: unknown[] = [];
  for await (const parts of call) received.push(...parts);
  provider.close();
  expect(received.length).toBeGreaterThan(0);
  expect(server.received[0]?.headers["anthropic-beta"], `model ${id}`).toBe(expected);
}
