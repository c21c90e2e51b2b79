import { ProviderError, toStepId } from "@capstan/protocol";
import { expect, test } from "vitest";
import { anthropicStreams } from "../fixtures/anthropic-streams.ts";
import { ask, model, provide, simpleRequest, type WireName } from "../fixtures/calls.ts";
import { chatStreams, delta } from "../fixtures/chat-streams.ts";
import { googleStreams } from "../fixtures/google-streams.ts";
import { responsesStreams } from "../fixtures/responses-streams.ts";
import { replying, serve, streaming } from "../fixtures/wire-server.ts";

const answers: Readonly<Record<WireName, readonly string[]>> = {
  anthropic: anthropicStreams["plain text"] ?? [],
  "openai-chat": chatStreams["plain text"] ?? [],
  "openai-responses": responsesStreams["plain text"] ?? [],
  google: googleStreams["plain text"] ?? [],
};

/** The keys of the requests for these steps, each made by a provider of its own, as after a restart. The first attempt fails. */
async function keysOf(
  wire: WireName,
  steps: readonly (string | undefined)[],
  maxOutputTokens = 100,
): Promise<readonly unknown[]> {
  let count = 0;
  const server = await serve((response, request, socket) => {
    count += 1;
    const answer = count === 1 ? replying(500, {}, "oops") : streaming((answers[wire] ?? []).join(""));
    return answer(response, request, socket);
  });
  for (const step of steps) {
    const request = { ...simpleRequest, maxOutputTokens, ...(step === undefined ? {} : { stepId: toStepId(step) }) };
    await ask(provide(wire, server.url), { request, model: model() });
  }
  return server.received.map(({ headers }) => headers["idempotency-key"]);
}

test.each<WireName>(["anthropic", "openai-chat", "openai-responses"])(
  "every attempt of a step has its key, also after a restart, and each step another: %s",
  async (wire) => {
    const [failed, again, other, unnamed] = await keysOf(wire, ["t1.s1", "t1.s1", "t1.s2", undefined]);
    expect(failed).toMatch(/^capstan-[0-9a-f]{40}$/);
    expect(again).toBe(failed);
    expect(other).toMatch(/^capstan-/);
    expect(other).not.toBe(failed);
    expect(unnamed).toBeUndefined();
    expect(await keysOf(wire, ["t1.s1"], 50)).not.toContain(failed);
  },
);

test("a vendor that knows no such keys gets none", async () => {
  expect(await keysOf("google", ["t1.s1", "t1.s1"])).toEqual([undefined, undefined]);
});

test("a key of the user's own stays", async () => {
  const server = await serve(streaming(answers["openai-chat"].join("")));
  const provider = provide("openai-chat", server.url, { headers: { "Idempotency-Key": "mine" } });
  await ask(provider, { request: { ...simpleRequest, stepId: toStepId("t1.s1") }, model: model() });
  expect(server.received[0]?.headers["idempotency-key"]).toBe("mine");
});

test("an answer that trickles without end stops at once when its time is over, and says why", async () => {
  const server = await serve(async (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    while (!response.destroyed) {
      response.write(delta({ content: "." }));
      await new Promise((turn) => setImmediate(turn));
    }
  });
  const provider = provide("openai-chat", server.url);
  const controller = new AbortController();
  const late = new ProviderError({ code: "provider.timeout", provider: "test", message: "late", retryable: true });
  let received = 0;
  const listening = async (): Promise<void> => {
    for await (const batch of provider.stream(simpleRequest, model(), controller.signal)) {
      received += Math.sign(batch.length);
      if (received === 3) controller.abort(late);
    }
  };
  await expect(listening()).rejects.toBe(late);
  await server.closed;
  provider.close();
});
