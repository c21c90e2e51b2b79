import { expect, test } from "vitest";
import { completionAt, replaceRange } from "../../src/draft/completion.ts";
import { draftText, insertPaste } from "../../src/draft/draft.ts";
import { draftOfMarked, markedText } from "./marked-draft.ts";

test.each([
  ["/mo|", "/", "mo"],
  ["/|", "/", ""],
  ["/mo|del x", "/", "mo"],
  ["see @src/ma|in.ts please", "@", "src/ma"],
  ["one\n@|", "@", ""],
  ["# always|", null, null],
  ["#alw|ays", "#", "alw"],
  ["/mode pl|", "/", "mode pl"],
  ["/mode |", "/", "mode "],
  ["/mode plan |", null, null],
  ["/review @sr|", "@", "sr"],
  ["a /mo|", null, null],
  ["a\n/mo|", null, null],
  ["|/mo", null, null],
  ["mail@host|", null, null],
  ["|", null, null],
])("%j asks for the names of %j with %j", (marked, sign, text) => {
  const found = completionAt(draftOfMarked(marked));
  expect([found?.sign ?? null, found?.text ?? null]).toEqual([sign, text]);
});

test("the whole word is replaced, and the caret stands behind what took its place", () => {
  const draft = draftOfMarked("see @src/ma|in please");
  const found = completionAt(draft);
  expect(found).not.toBeNull();
  const range = found?.range ?? { from: draft.caret, to: draft.caret };
  expect(markedText(replaceRange(draft, range, "@src/main.ts"))).toBe("see @src/main.ts| please");
});

test("a word ends at a paste", () => {
  const draft = insertPaste(draftOfMarked("@a|"), "1\n2", { lines: 1, characters: 1 });
  expect(draftText(draft)).toBe("@a[Paste #1 2 lines]");
  expect(completionAt(draft)).toBeNull();
  expect(completionAt({ ...draft, caret: { line: 0, at: 2 } })?.range.to).toEqual({ line: 0, at: 2 });
});
