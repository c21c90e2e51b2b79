import { toStepId } from "@capstan/protocol";
import { runs } from "@capstan/testkit";
import { type AnswerCell, type AnswerPart, type Row, rowText } from "@capstan/view";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { AnswerReader, answerRows } from "../../src/cells/answer-rows.ts";
import type { CellView } from "../../src/cells/cell-view.ts";

const view: CellView = { columns: 40, now: 0, user: undefined, isWhole: false };

function cell(parts: readonly AnswerPart[], state: AnswerCell["state"] = { type: "streaming" }): AnswerCell {
  const isFinal = state.type !== "streaming";
  return { type: "answer", at: 0, isFinal, stepId: toStepId("s"), model: "m/m", parts, sources: [], state };
}

const done = { type: "complete", reason: "stop" } as const;

function texts(rows: readonly Row[]): readonly string[] {
  return rows.map((row) => rowText(row).trimEnd());
}

const lines = fc.constantFrom(
  "word and more words that are longer than a row of the screen",
  "**strong** and `code`",
  "# Heading",
  "- item",
  "1. first",
  "> quoted",
  "```js",
  "```",
  "const a = 1;",
  "| a | b |",
  "| - | - |",
  "漢字 🙂",
  "",
  "",
);
const markdown = fc.array(lines, { maxLength: 14 }).map((all) => all.join("\n"));
const answers = fc.array(fc.record({ type: fc.constantFrom("text" as const, "thinking" as const), text: markdown }), {
  maxLength: 3,
});

test("however an answer comes in pieces, its rows are those of the whole, each handed out once", () => {
  fc.assert(
    fc.property(answers, fc.integer({ min: 1, max: 30 }), (parts, size) => {
      const reader = new AnswerReader();
      const rows: Row[] = [];
      const before: AnswerPart[] = [];
      for (const part of parts) {
        for (let to = 0; to <= part.text.length; to += size) {
          const now = cell([...before, { ...part, text: part.text.slice(0, to) }]);
          rows.push(...reader.take(now, view));
          reader.open(view);
        }
        before.push(part);
      }
      const whole = cell(before, done);
      expect(reader.continues(whole)).toBe(true);
      rows.push(...reader.take(whole, view));
      expect(reader.open(view)).toEqual([]);
      expect(texts(rows)).toEqual(texts(answerRows(whole, view)));
    }),
    { numRuns: runs(500) },
  );
});

test("of an answer that came at once, no more is read than is asked for, and nothing is lost or read again", () => {
  fc.assert(
    fc.property(answers, fc.integer({ min: 1, max: 30 }), (parts, characters) => {
      const whole = cell(parts, done);
      const reader = new AnswerReader();
      const rows: Row[] = [];
      do {
        const before = reader.characters;
        rows.push(...reader.take(whole, view, characters));
        // A letter of two units is not cut.
        expect(reader.characters - before).toBeLessThanOrEqual(characters + 1);
        reader.open(view);
      } while (reader.isBehind);
      expect(texts(rows)).toEqual(texts(answerRows(whole, view)));
    }),
    { numRuns: runs(500) },
  );
});

test("an answer that is longer than what is read at once is open to be continued while it is behind", () => {
  const reader = new AnswerReader();
  const text = "One paragraph.\n\nAnother one.\n\nA third.";
  expect(texts(reader.take(cell([{ type: "text", text }]), view, 20))).toEqual([]);
  expect(reader.isBehind).toBe(true);
  expect(texts(reader.open(view))).toEqual(["", "One paragraph."]);
  const longer = cell([{ type: "text", text: `${text} And more.` }], done);
  expect(reader.continues(longer)).toBe(true);
  expect(texts(reader.take(longer, view))).toEqual([
    "",
    "One paragraph.",
    "",
    "Another one.",
    "",
    "A third. And more.",
  ]);
  expect(reader.isBehind).toBe(false);
});

test("whole lines of code are handed out while the block is open", () => {
  const reader = new AnswerReader();
  expect(texts(reader.take(cell([{ type: "text", text: "```\none\ntwo\nthr" }]), view))).toEqual([
    "",
    "  one",
    "  two",
  ]);
  expect(texts(reader.open(view))).toEqual(["  thr"]);
});

test("a draft of a call is shown and never handed out", () => {
  const reader = new AnswerReader();
  const draft: AnswerPart = { type: "call-draft", index: 0, tool: "run_command", characters: 12 };
  expect(reader.take(cell([draft]), view)).toEqual([]);
  expect(texts(reader.open(view))).toEqual(["◌ writes a call of run_command (12 characters)"]);
  expect(texts(reader.take(cell([{ type: "text", text: "Done." }], done), view))).toEqual(["", "Done."]);
});

test("an answer that says something else does not continue what was read", () => {
  const reader = new AnswerReader();
  reader.take(cell([{ type: "text", text: "One two.\n\nThree" }]), view);
  expect(reader.continues(cell([{ type: "text", text: "Another" }], done))).toBe(false);
  expect(reader.take(cell([{ type: "text", text: "Another" }], done), view)).toEqual([]);
});

test("an empty answer says so, and one that was stopped says why", () => {
  expect(texts(answerRows(cell([], done), view))).toEqual(["· the answer is empty"]);
  expect(answerRows(cell([], { type: "complete", reason: "tool-calls" }), view)).toEqual([]);
  const stopped = cell([{ type: "text", text: "Half" }], { type: "abandoned", cause: "process-died" });
  expect(texts(answerRows(stopped, view)).join("\n")).toContain("the process died here");
});

test("a thought that is completed as another one does not continue what was shown of it", () => {
  const reader = new AnswerReader();
  const text = { type: "text", text: "ok\n" } as const;
  const shown = reader.take(cell([{ type: "thinking", text: "the first thought" }, text]), view);
  expect(texts(shown)).toContain("∴ the first thought");
  expect(reader.continues(cell([{ type: "thinking", text: "the first thought\n" }, text], done))).toBe(true);
  expect(reader.continues(cell([{ type: "thinking", text: "another thought" }, text], done))).toBe(false);
});
