import { summaryByRules } from "@capstan/context";
import { type Message, ownCompactors, toToolCallId } from "@capstan/protocol";
import { expect, test } from "vitest";

const said = (role: "user" | "assistant", text: string): Message =>
  role === "user"
    ? { role, content: [{ type: "text", text }] }
    : { role, origin: { provider: "p", model: "m", wire: "w" }, content: [{ type: "text", text }] };
const result = (content: string): Message => ({
  role: "user",
  content: [{ type: "tool-result", callId: toToolCallId("c"), toolName: "search", content, isError: false }],
});
const messages: readonly Message[] = [
  said("user", "Port the harbour to the new tide table."),
  said("assistant", "We decided to keep the ledger. It turned out that the tide file has two headers."),
  result("nothing was found"),
  said("user", "Continue."),
  result("three places were found"),
  said("assistant", "Done."),
];
const of = (name: string, before: string | null = null): string =>
  summaryByRules(name, { before, messages, budgetTokens: 20_000 });

test("simple shows nothing of older messages but their number, and counts on", () => {
  expect(of("simple")).toBe("6 earlier messages are not shown any more.");
  expect(of("simple", of("simple"))).toBe("12 earlier messages are not shown any more.");
});

test("token_budget says how the conversation began, and of the rest a line each; once it was said it is not said again", () => {
  expect(of("token_budget")).toMatch(/^It began with:\n- User: Port the harbour[^]*In a line each:\n- You: Done\.$/);
  expect(of("token_budget", "It began long ago.")).toMatch(/^It began long ago\.\nEarlier messages are not shown/);
});

test("intelligent says what was decided, what was found out, and what each tool said last", () => {
  const text = of("intelligent");
  expect(text).toContain("Decided:\n- We decided to keep the ledger.");
  expect(text).toContain("Found out:\n- It turned out that the tide file has two headers.");
  expect(text).toContain("- search, 2 times: three places were found");
});

test.each(ownCompactors)("what %s leaves is bounded by the model's budget, whatever it is given", (name) => {
  const long = Array.from({ length: 3000 }, (_, at) =>
    said("user", `We decided on ${at}, because it failed. ${"x ".repeat(200)}`),
  );
  for (const budgetTokens of [500, 4000, 1_000_000])
    expect(summaryByRules(name, { before: "before ".repeat(2000), messages: long, budgetTokens }).length).toBeLessThan(
      200 + Math.min(6400, Math.max(700, budgetTokens * 0.5)),
    );
});
