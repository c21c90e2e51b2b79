import { keptWords, type Said } from "@capstan/context";
import * as fc from "fast-check";
import { expect, test } from "vitest";

const user = (text: string): Said => ({ by: "user", text });
const model = (text: string): Said => ({ by: "model", text });
const from = (...said: readonly Said[]): ReturnType<typeof keptWords> =>
  keptWords({ before: [], said, request: null, budgetTokens: 30_000 });

test.each([
  ["Never touch the vendored folder.", "constraint"],
  ["Under no circumstances may the schema change.", "constraint"],
  ["Leave the old endpoints as they are.", "constraint"],
  ["The build has to stay below two minutes.", "constraint"],
  ["Bitte ändere nie die Dateien unter legacy.", "constraint"],
  ["3 retries are the most, and never more.", "constraint"],
  ["**Never** rebase a shared branch.", "constraint"],
  ["Nous avons décidé de garder SQLite.", "decision"],
  ["We will use Postgres for the queue.", "decision"],
  ["Let's go with the second design.", "decision"],
  ["I tried to inline it, and that did not work.", "failed"],
])("%s is kept as a %s", (text, kind) => {
  expect(from(user("Begin."), user(text))).toContainEqual({ kind, text });
});

test("the marks of a list are no part of a rule, and the numbers in it are", () => {
  expect(
    from(user("Begin."), user("- Never push.\n2. Keep 4 spaces.\n> 10 files at most.")).map(({ text }) => text),
  ).toEqual(["Begin.", "Never push.", "Keep 4 spaces.", "10 files at most."]);
});

test("small talk is not kept, and what the model says binds nobody", () => {
  expect(from(user("Please begin."), user("Thanks, that looks good."), model("You must restart the server."))).toEqual([
    { kind: "first-request", text: "Please begin." },
  ]);
});

test("what was kept is kept again, once, and code is no rule", () => {
  const before = from(user("Begin."), user("Never push to main."));
  const next = keptWords({
    before,
    said: [user("never push  to main."), user("```\nnever_push();\nmust not run\n```")],
    request: "Now write the changelog.",
    budgetTokens: 30_000,
  });
  expect(next).toEqual([...before, { kind: "request", text: "Now write the changelog." }]);
  const later = keptWords({ before: next, said: [], request: null, budgetTokens: 30_000 });
  expect(later).toEqual(before);
});

test("an early rule outlives a thousand later ones, and so does the newest; all of it fits its part of the budget", () => {
  const many = Array.from({ length: 1000 }, (_, index) =>
    user(`You must keep value number ${index} below ${index * 7}.`),
  );
  const kept = keptWords({ before: [], said: [user("Begin."), ...many], request: null, budgetTokens: 20_000 });
  const texts = kept.map(({ text }) => text);
  expect(texts).toContain("You must keep value number 0 below 0.");
  expect(texts).toContain("You must keep value number 999 below 6993.");
  expect(texts.join("").length).toBeLessThanOrEqual(8000);
});

test("for any words, what is kept is bounded, whole and in the order in which it was said", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 3000 })),
      fc.integer({ min: 0, max: 1_000_000 }),
      (texts, budgetTokens) => {
        const kept = keptWords({ before: [], said: texts.map(user), request: texts[0] ?? null, budgetTokens });
        const length = kept.filter(({ kind }) => kind !== "request").reduce((sum, { text }) => sum + text.length, 0);
        expect(length).toBeLessThanOrEqual(24_000);
        expect(new Set(kept).size).toBe(kept.length);
      },
    ),
  );
});
