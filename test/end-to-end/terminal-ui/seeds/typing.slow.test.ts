/** What the seeds want of typing and deciding; what each test shows at length is promised by the fast tests of its part. */
import { expect, test } from "vitest";
import { lastUserText } from "../../stage/read-request.ts";
import { leave, typed, useSeedStage, writing } from "./use-seed-stage.ts";

const seeds = useSeedStage();
const { place } = seeds.inbox;

test("F01 normal, insert and command mode, and the choice of a model, by the keys of vim", async () => {
  seeds.configure("[tui]\nvim = true\n");
  const { terminal, stage } = await seeds.open([{ text: "One." }, { text: "Two." }]);
  await typed(terminal, "one two three", /› one two three\nINSERT/);
  await typed(terminal, "\u001b", /NORMAL/);
  await typed(terminal, "0dw$", /› two three\nNORMAL/);
  await typed(terminal, "\r", /One\.[^]*— done[^]*› \nNORMAL/);
  await typed(terminal, ":model anthropic/other\r", /anthropic\/other · default/);
  await typed(terminal, "four", /› four\nINSERT/);
  await typed(terminal, "\u001b", /› four\nNORMAL/);
  await typed(terminal, "\r", /Two\.[^]*— done[^]*› \nNORMAL/);
  const asked = stage.exchanges.filter(({ body }) => body !== undefined && body !== null);
  expect(asked.map(({ body }) => Reflect.get(Object(body), "model"))).toEqual(["rehearsal", "other"]);
  terminal.type("q");
  expect(await terminal.ended).toBe(0);
});

test("F02 a draft of several lines is edited by letters as people see them, words and lines", async () => {
  const { terminal, stage } = await seeds.open([{ text: "One." }]);
  await typed(terminal, "a👩‍👩‍👧‍👦\u007fé漢字e\u0301\u007f x", /› aé漢字 x\n/);
  await typed(terminal, "\u0017y", /› aé漢字 y\n/);
  await typed(terminal, "\u000asecond line\u0001\u000b", /› aé漢字 y\n {2}\n/);
  await typed(terminal, "third\u001b[A\u0005!", /› aé漢字 y!\n {2}third\n/);
  await typed(terminal, "\r", /One\.[^]*— done/);
  expect(lastUserText(stage.exchanges[0])).toContain("aé漢字 y!\nthird");
  await leave(terminal);
});

test("F04 /model and /provider open a list of models, with windows and prices, of which one is chosen", async () => {
  seeds.configure('[models."anthropic/rehearsal"]\ncontext_window = 200000\nprice_input = 3\nprice_output = 15\n');
  const { terminal, stage } = await seeds.open([{ text: "One." }]);
  await typed(terminal, "/model\r", /Models that your keys reach/);
  await typed(terminal, "rehearsal", /filter: rehearsal/);
  await terminal.screenShows(/anthropic\/rehearsal {2}now · 200k tokens · \$3 in, \$15 out per million/);
  await typed(terminal, "\u001b", /› \n/);
  await typed(terminal, "/provider nobody\r", /No provider with models is called nobody/);
  await typed(terminal, "/provider anthropic\r", /Models that your keys reach/);
  await typed(terminal, "\r", /The model is anthropic\//);
  await typed(terminal, "hello\r", /One\.[^]*— done/);
  expect(stage.unused()).toBe(0);
  await leave(terminal);
});

test("F10 several calls are one card: looked at one by one, taken out, approved together, and denied by d twice", async () => {
  const calls = ["a.txt", "b.txt", "c.txt"].map((path) => writing(path));
  const others = ["d.txt", "e.txt"].map((path) => writing(path));
  const { terminal } = await seeds.open([{ tool_calls: calls }, { tool_calls: others }, { text: "As you say." }]);
  await typed(terminal, "write\r", /a\.txt[^]*b\.txt[^]*c\.txt[^]*space selects/);
  await typed(terminal, "v", /What is asked[^]*a\.txt/);
  await typed(terminal, "q", /space selects/);
  terminal.type("\u001b[B \u001b[B");
  await typed(terminal, "1", /approved once: Create c\.txt[^]*▌ Create b\.txt[^]*a number answers/);
  await typed(terminal, "5", /Why not/);
  await typed(terminal, "not b\r", /d\.txt[^]*e\.txt[^]*space selects/);
  expect(["a.txt", "b.txt", "c.txt"].map((path) => place.has(path))).toEqual([true, false, true]);
  await typed(terminal, "d", /d again denies all of them/);
  await typed(terminal, "d", /As you say\.[^]*— /);
  expect(["d.txt", "e.txt"].map((path) => place.has(path))).toEqual([false, false]);
  await leave(terminal);
});

test("F37 nothing but ASCII is sent, in high contrast, and nothing moves, where the settings say so", async () => {
  seeds.configure("[app]\nascii_only = true\nhigh_contrast = true\nreduced_motion = true\n");
  const { terminal } = await seeds.open([
    { text: "Done — “whole” → ✓", tool_calls: [writing("a.txt")] },
    { text: "Two." },
  ]);
  await typed(terminal, "begin\r", /a number answers/);
  await typed(terminal, "1", /Two\.[^]*done/);
  await leave(terminal);
  // Every other letter takes more bytes.
  expect(Buffer.byteLength(terminal.text())).toBe(terminal.text().length);
});
