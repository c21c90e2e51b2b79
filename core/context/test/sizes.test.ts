import {
  longestResult,
  messageTokens,
  preambleTokens,
  shortText,
  summaryByRules,
  textTokens,
  tokenBudget,
  withShortResults,
} from "@capstan/context";
import type { Message, ToolDefinition } from "@capstan/protocol";
import { toToolCallId } from "@capstan/protocol";
import * as fc from "fast-check";
import { expect, test } from "vitest";

const result = (content: string): Message => ({
  role: "user",
  content: [
    { type: "tool-result", callId: toToolCallId("c"), toolName: "look", content, isError: false },
    { type: "text", text: "words of a user that are never cut ".repeat(40) },
  ],
});

test.each([
  [200_000, 64_000, 129_200],
  [400_000, 128_000, 258_400],
  [8192, 4096, 3891],
  [4096, 100_000, 1945],
])("a window of %i with answers of %i leaves a request %i tokens", (contextWindowTokens, maxOutputTokens, budget) => {
  expect(tokenBudget({ contextWindowTokens, maxOutputTokens })).toBe(budget);
});

test("ordinary text has about a token for four characters, and other scripts have more", () => {
  const english = "The quick brown fox jumps over the lazy dog, and then sleeps until noon. ".repeat(50);
  expect(textTokens(english) / (english.length / 4)).toBeGreaterThan(0.8);
  expect(textTokens(english) / (english.length / 4)).toBeLessThan(1.3);
  expect(textTokens("漢字仮名交じり文")).toBeGreaterThan(4);
  expect(preambleTokens("system", [])).toBeCloseTo(textTokens("system"));
});

test("tools are counted as the JSON of their list, each time alike", () => {
  const tools: readonly ToolDefinition[] = ["look", "write", "länge"].map((name) => ({
    name,
    description: `It is called ${name}.`,
    inputSchema: { type: "object", properties: { path: { type: "string" } } },
  }));
  for (const some of [tools, tools.slice(1), tools, []])
    expect(preambleTokens("system", some)).toBeCloseTo(
      textTokens("system") + (some.length === 0 ? 0 : textTokens(JSON.stringify(some))),
    );
});

test("a message is counted with all its blocks", () => {
  const picture: Message = {
    role: "user",
    content: [{ type: "media", mediaType: "image/png", data: "A".repeat(90_000) }],
  };
  expect(messageTokens(picture)).toBeLessThan(3000);
  expect(messageTokens(result("x".repeat(4000)))).toBeGreaterThan(1000);
});

test("a long result is shown by its beginning and its end, with how much is missing; users' words stay", () => {
  const whole = result(`begin ${"x".repeat(5000)} end`);
  const short = withShortResults(whole, 600);
  const [first, second] = short.content;
  const text = first?.type === "tool-result" ? first.content : "";
  expect(text).toMatch(/^begin x+\n\[… \d+ characters of this are not shown.*\]\nx+ end$/);
  expect(second).toEqual(whole.content[1]);
  expect(withShortResults(whole, 600)).toBe(short);
  expect(withShortResults(result("short"), 600).content[0]).toMatchObject({ content: "short" });
  expect(longestResult([whole, result("y")])).toBe(5010);
});

test("a text that is cut anywhere stays well formed", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 300 }),
      fc.integer({ min: 1, max: 100 }),
      (text, characters) => {
        expect(shortText(text, characters).isWellFormed()).toBe(text.isWellFormed());
      },
    ),
  );
});

test("a summary by rules names who said what, says that no model made it, and is bounded", () => {
  const messages: readonly Message[] = Array.from({ length: 400 }, (_, index) => [
    { role: "user" as const, content: [{ type: "text" as const, text: `question ${index} ${"z".repeat(500)}` }] },
  ]).flat();
  const text = summaryByRules("rules", { before: "what was before", messages, budgetTokens: 100_000 });
  expect(text).toContain("what was before");
  expect(text).toContain("no model summarised them");
  expect(text).toContain("- User: question 399");
  expect(text).toMatch(/\(\d+ earlier lines are left out\)/);
  expect(text.length).toBeLessThan(10_000);
  expect(summaryByRules("rules", { before: "what was before", messages, budgetTokens: 2000 }).length).toBeLessThan(
    1200,
  );
});
