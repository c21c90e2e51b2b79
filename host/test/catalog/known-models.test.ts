import { expect, test } from "vitest";
import { knownModel } from "../../src/catalog/known-models.ts";

/** Window, longest answer and input price. */
function check(id: string, expected: readonly [number, number, number | undefined]): void {
  const { contextWindowTokens, maxOutputTokens, prices } = knownModel(id);
  expect([id, contextWindowTokens, maxOutputTokens, prices?.input]).toEqual([id, ...expected]);
}

test("the longest known beginning of an id counts", () => {
  check("claude-sonnet-4-5", [200_000, 64_000, 3]);
  check("claude-sonnet-4-5-20250929", [200_000, 64_000, 3]);
  check("claude-opus-4-1-20250805", [200_000, 32_000, 15]);
  check("claude-opus-4-5", [200_000, 64_000, 5]);
  check("claude-opus-4-5-20251101", [200_000, 64_000, 5]);
  check("gpt-5", [400_000, 128_000, 1.25]);
  check("gpt-5-mini-2025-08-07", [400_000, 128_000, 0.25]);
  check("gpt-5.2", [400_000, 128_000, 1.75]);
  check("gpt-4o-mini", [128_000, 16_384, 2.5]);
});

test("gateways' prefixes are looked through, and case does not matter", () => {
  check("anthropic/claude-sonnet-4-5", [200_000, 64_000, 3]);
  check("some/where/GPT-5-Mini", [400_000, 128_000, 0.25]);
});

test("a model that only begins alike is not known, and has no prices", () => {
  for (const id of [
    "claude-sonnet-45",
    "gpt-5.1",
    "gpt-50",
    "gpt",
    "claude",
    "qwen3-coder",
    "",
    "constructor",
    "__proto__",
  ])
    check(id, [128_000, 16_384, undefined]);
});
