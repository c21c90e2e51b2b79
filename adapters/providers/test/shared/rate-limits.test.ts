import type { IncomingHttpHeaders } from "node:http";
import type { RateLimit } from "@capstan/protocol";
import { expect, test } from "vitest";
import { readRateLimits } from "../../src/shared/http/rate-limits.ts";
import { failureOf, listen, provide } from "../fixtures/calls.ts";
import { replying, serve } from "../fixtures/wire-server.ts";

const now = Date.parse("2026-11-22T10:00:00Z");

test.each<[string, IncomingHttpHeaders, readonly RateLimit[]]>([
  [
    "Anthropic",
    {
      "anthropic-ratelimit-requests-limit": "50",
      "anthropic-ratelimit-requests-remaining": "49",
      "anthropic-ratelimit-requests-reset": "2026-11-22T10:00:01Z",
      "anthropic-ratelimit-input-tokens-limit": "30000",
      "anthropic-ratelimit-input-tokens-remaining": "0",
      "anthropic-ratelimit-input-tokens-reset": "2026-11-22T10:00:42Z",
    },
    [
      { name: "requests", allowed: 50, remaining: 49, resetsInMs: 1000 },
      { name: "input-tokens", allowed: 30_000, remaining: 0, resetsInMs: 42_000 },
    ],
  ],
  [
    "OpenAI",
    {
      "x-ratelimit-limit-requests": "60",
      "x-ratelimit-limit-tokens": "150000",
      "x-ratelimit-remaining-requests": "59",
      "x-ratelimit-remaining-tokens": "0",
      "x-ratelimit-reset-requests": "17ms",
      "x-ratelimit-reset-tokens": "6m0.5s",
    },
    [
      { name: "requests", allowed: 60, remaining: 59, resetsInMs: 17 },
      { name: "tokens", allowed: 150_000, remaining: 0, resetsInMs: 360_500 },
    ],
  ],
  [
    "a gateway that names a moment in ms",
    { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(now + 5000) },
    [{ name: "requests", remaining: 0, resetsInMs: 5000 }],
  ],
  [
    "a gateway that names a moment in seconds",
    { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(now / 1000 + 5) },
    [{ name: "requests", remaining: 0, resetsInMs: 5000 }],
  ],
  [
    "a gateway that names seconds",
    { "ratelimit-remaining": "3", "ratelimit-reset": "30", "ratelimit-limit": "10" },
    [{ name: "requests", remaining: 3, allowed: 10, resetsInMs: 30_000 }],
  ],
  [
    "a moment that has passed",
    { "ratelimit-remaining": "0", "ratelimit-reset": "1700000000" },
    [{ name: "requests", remaining: 0, resetsInMs: 0 }],
  ],
  ["nonsense", { "x-ratelimit-remaining-requests": "many", "x-ratelimit-reset-requests": "1s" }, []],
  ["a gateway that does not count", { "x-ratelimit-remaining-tokens": "-1", "x-ratelimit-reset-tokens": "1s" }, []],
  ["no reset", { "x-ratelimit-remaining-requests": "0" }, []],
  ["a reset nobody can read", { "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "soon" }, []],
])("the limits of %s are read", (_vendor, headers, expected) => {
  expect(readRateLimits(headers, now)).toEqual(expected);
});

test("the vendor's own clock counts where its answer has a date", () => {
  const headers = {
    date: "Sun, 22 Nov 2026 10:00:00 GMT",
    "anthropic-ratelimit-tokens-remaining": "0",
    "anthropic-ratelimit-tokens-reset": "2026-11-22T10:00:07Z",
  };
  expect(readRateLimits(headers, 0)).toEqual([{ name: "tokens", remaining: 0, resetsInMs: 7000 }]);
});

test("an answer begins with what its head says of the limits", async () => {
  const headers = { "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "2s" };
  const chunk = { id: "c", choices: [{ index: 0, delta: { content: "hi" }, finish_reason: "stop" }] };
  const body = `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`;
  const server = await serve(replying(200, { "content-type": "text/event-stream", ...headers }, body));
  const received = await listen(provide("openai-chat", server.url));
  expect(received.parts[0]).toEqual({
    type: "rate-limits",
    limits: [{ name: "requests", remaining: 0, resetsInMs: 2000 }],
  });
});

test.each<[string, Readonly<Record<string, string>>, string, number | undefined]>([
  ["the used-up limit", { "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "1m3s" }, "", 63_000],
  ["no limit that is left", { "x-ratelimit-remaining-tokens": "9", "x-ratelimit-reset-tokens": "1m3s" }, "", undefined],
  ["the message", {}, '{"error":{"message":"Rate limit reached. Please try again in 1.2s. Visit …"}}', 1200],
  ["the message in ms", {}, '{"error":{"message":"Please try again in 20ms."}}', 20],
  ["the message in words", {}, '{"error":{"message":"Please retry in 2 minutes"}}', 120_000],
  ["no number beyond all numbers", { "retry-after": "9".repeat(400) }, "", undefined],
  [
    "no limit beyond all numbers",
    { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "9".repeat(400) },
    "",
    undefined,
  ],
  ["no message beyond all numbers", {}, `{"error":{"message":"try again in ${"9".repeat(400)}s"}}`, undefined],
  ["the header rather than the message", { "retry-after": "7" }, '{"error":{"message":"try again in 1s"}}', 7000],
])("how long to wait after a 429 comes from %s", async (_source, headers, body, expected) => {
  const server = await serve(replying(429, { "content-type": "application/json", ...headers }, body));
  expect(failureOf(await listen(provide("openai-chat", server.url)))["retryAfterMs"]).toBe(expected);
});
