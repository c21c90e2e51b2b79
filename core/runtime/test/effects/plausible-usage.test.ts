import type { Usage } from "@capstan/protocol";
import { expect, test } from "vitest";
import { plausibleUsage } from "../../src/effects/plausible-usage.ts";
import { maxTokensOfOneCall } from "../../src/limits.ts";

const usage: Usage = {
  inputTokens: 5,
  cachedInputTokens: 4,
  cacheWriteTokens: 3,
  outputTokens: 2,
  reasoningTokens: 1,
};

test("counts that can be are what is counted, up to what any model takes", () => {
  const most = { ...usage, inputTokens: maxTokensOfOneCall, outputTokens: 0 };
  for (const said of [usage, most]) expect(plausibleUsage(said, "vendor")).toEqual({ usage: said, notice: undefined });
});

test.each<[keyof Usage, number, number]>([
  ["inputTokens", -1, 0],
  ["cachedInputTokens", 1.4, 1],
  ["cacheWriteTokens", 1.5, 2],
  ["outputTokens", maxTokensOfOneCall + 1, maxTokensOfOneCall],
  ["reasoningTokens", Number.NaN, maxTokensOfOneCall],
  ["outputTokens", Number.POSITIVE_INFINITY, maxTokensOfOneCall],
])("%s of %d is counted as %d, and that is said; the others stay", (name, said, counted) => {
  expect(plausibleUsage({ ...usage, [name]: said }, "vendor")).toEqual({
    usage: { ...usage, [name]: counted },
    notice: `vendor counts ${name} as ${said}, which cannot be: ${counted} is counted.`,
  });
});
