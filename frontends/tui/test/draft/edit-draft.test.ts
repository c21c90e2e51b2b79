import { isSlowTier } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Draft,
  draftOf,
  draftText,
  emptyDraft,
  insertImage,
  insertPaste,
  insertText,
} from "../../src/draft/draft.ts";
import { type EditAction, editDraft } from "../../src/draft/edit-draft.ts";
import { draftOfMarked, markedText } from "./marked-draft.ts";

const wide = 80;

const edits: readonly (readonly [before: string, actions: string, after: string])[] = [
  ["ab|c", "left", "a|bc"],
  ["|abc", "left", "|abc"],
  ["a\n|b", "left", "a|\nb"],
  ["a|\nb", "right", "a\n|b"],
  ["ab|", "right", "ab|"],
  ["one two|", "word-left", "one |two"],
  ["one two,  |", "word-left", "one |two,  "],
  ["one\n|two", "word-left", "|one\ntwo"],
  ["|one two", "word-right", "one| two"],
  ["one|\n two", "word-right", "one\n two|"],
  ["größe| x", "word-left", "|größe x"],
  ["a b|c\nd", "line-start", "|a bc\nd"],
  ["a |bc\nd", "line-end", "a bc|\nd"],
  ["a\nb|\nc", "draft-start", "|a\nb\nc"],
  ["a\nb|\nc", "draft-end", "a\nb\nc|"],
  ["ab|cd", "newline", "ab\n|cd"],
  ["ab|c", "delete-left", "a|c"],
  ["a\n|b", "delete-left", "a|b"],
  ["|a", "delete-left", "|a"],
  ["a|bc", "delete-right", "a|c"],
  ["a|\nb", "delete-right", "a|b"],
  ["👩‍💻|x", "delete-left", "|x"],
  ["e\u0301|x", "delete-left", "|x"],
  ["one two|", "kill-word-left", "one |"],
  ["|one two", "kill-word-right", "| two"],
  ["one| two", "kill-line-start", "| two"],
  ["a\n|b", "kill-line-start", "a|b"],
  ["on|e\ntwo", "kill-line-end", "on|\ntwo"],
  ["one|\ntwo", "kill-line-end", "one|two"],
  ["one| two", "kill-line-end yank yank", "one two two|"],
  ["one two|", "kill-word-left yank yank", "one twotwo|"],
  ["a\nb|", "kill-line-start kill-line-start yank", "a\n|"],
  ["one|", "kill-line-start undo", "one|"],
  ["one|", "kill-line-start undo redo", "|"],
  ["one|", "kill-line-start newline undo undo", "one|"],
  ["a|\nb", "clear", "|"],
  ["a|\nb", "clear undo", "a|\nb"],
  ["|", "clear undo", "|"],
  ["ab|c", "undo redo", "ab|c"],
  ["abc|\nx\nabcd", "down", "abc\nx|\nabcd"],
  ["abc|\nx\nabcd", "down down", "abc\nx\nabc|d"],
  ["abc\nx\nab|cd", "up up", "ab|c\nx\nabcd"],
  ["ab|c", "up", "ab|c"],
  ["漢字|\nabcdef", "down", "漢字\nabcd|ef"],
];

test.each(edits)("%j: %s gives %j", (before, actions, after) => {
  let draft = draftOfMarked(before);
  for (const action of actionsOf(actions)) draft = editDraft(draft, action, wide);
  expect(markedText(draft)).toBe(after);
});

test("a word that was typed is undone at once, and one before it after that", () => {
  let draft = emptyDraft;
  for (const letter of "one two") draft = insertText(draft, letter);
  draft = editDraft(draft, "undo", wide);
  expect(draftText(draft)).toBe("one ");
  expect(draftText(editDraft(draft, "undo", wide))).toBe("");
  expect(draftText(editDraft(draft, "redo", wide))).toBe("one two");
});

test("letters that a terminal draws as one are one, also when they are typed one by one", () => {
  let draft = emptyDraft;
  for (const part of ["e", "\u0301", "x", "👩", "\u200d", "💻"]) draft = insertText(draft, part);
  expect(draft.lines).toEqual([["e\u0301", "x", "👩‍💻"]]);
  expect(draft.caret).toEqual({ line: 0, at: 3 });
});

test("a long paste and an image go as one letter each", () => {
  const pasted = insertPaste(draftOf("a "), "1\n2\n3", { lines: 2, characters: 100 });
  const draft = insertImage(pasted, { mediaType: "image/png", data: "AAAA" });
  expect(draftText(draft)).toBe("a [Paste #1 3 lines][Image #2]");
  const once = editDraft(draft, "delete-left", wide);
  expect(draftText(once)).toBe("a [Paste #1 3 lines]");
  expect(draftText(editDraft(once, "delete-left", wide))).toBe("a ");
  expect(draftText(editDraft(once, "kill-word-left", wide))).toBe("a ");
  expect(draftText(editDraft(draft, "undo", wide))).toBe("a [Paste #1 3 lines]");
});

test("control characters never get into a draft", () => {
  expect(draftText(insertText(emptyDraft, "a\u001b[31mb\u0007\u0085\r\nc"))).toBe("a[31mb\nc");
});

const allActions: readonly EditAction[] = [
  ...(["left", "right", "word-left", "word-right", "line-start", "line-end", "draft-start", "draft-end"] as const),
  ...(["up", "down", "newline", "delete-left", "delete-right", "kill-word-left", "kill-word-right"] as const),
  ...(["kill-line-start", "kill-line-end", "yank", "undo", "redo", "clear"] as const),
];
const texts = fc.string({
  unit: fc.constantFrom("a", "b", " ", "\n", "\t", "漢", "\u0301", "👩", "\u200d", "💻", "🇩", "🇪", "[", "é"),
  maxLength: 8,
});
const steps = fc.array(
  fc.oneof(
    fc.constantFrom(...allActions).map((action) => (draft: Draft) => editDraft(draft, action, 7)),
    texts.map((text) => (draft: Draft) => insertText(draft, text)),
    texts.map((text) => (draft: Draft) => insertPaste(draft, text, { lines: 2, characters: 5 })),
  ),
  { maxLength: 30 },
);

const tries = isSlowTier ? 2000 : 300;

test("after whatever edits, the caret stands in the draft, and its letters are those of its text", () => {
  const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
  fc.assert(
    fc.property(texts, steps, (text, edited) => {
      let draft = draftOf(text);
      for (const edit of edited) draft = edit(draft);
      const line = draft.lines[draft.caret.line];
      expect(line).toBeDefined();
      expect(draft.caret.at).toBeGreaterThanOrEqual(0);
      expect(draft.caret.at).toBeLessThanOrEqual(line?.length ?? -1);
      for (const letters of runs(draft)) {
        const segments = Array.from(segmenter.segment(letters.join("")), ({ segment }) => segment);
        expect(letters).toEqual(segments);
      }
    }),
    { numRuns: tries },
  );
});

test("what is put in adds its letters and loses none; of what is taken out, yank puts all back", () => {
  const kills = fc.constantFrom<EditAction>("kill-word-left", "kill-word-right", "kill-line-start", "kill-line-end");
  fc.assert(
    fc.property(texts, steps, fc.tuple(texts, kills), (text, edited, [put, kill]) => {
      let draft = draftOf(text);
      for (const edit of edited) draft = edit(draft);
      const inserted = insertText(draft, put);
      expect(characters(draftText(inserted))).toBe(characters(draftText(draft) + draftText(draftOf(put))));
      const killed = editDraft(draft, kill, 7);
      const back = killed === draft ? draft : editDraft(killed, "yank", 7);
      expect(characters(draftText(back))).toBe(characters(draftText(draft)));
    }),
    { numRuns: tries },
  );
});

test("undo leads back to the beginning, and redo to the end again", () => {
  fc.assert(
    fc.property(texts, steps, (text, edited) => {
      const begun = draftOf(text);
      let draft = begun;
      for (const edit of edited) draft = edit(draft);
      let back = draft;
      for (let count = 0; back.past.length > 0 && count < 1000; count += 1) back = editDraft(back, "undo", 7);
      expect(draftText(back)).toBe(draftText(begun));
      let forth = back;
      for (let count = 0; forth.future.length > 0 && count < 1000; count += 1) forth = editDraft(forth, "redo", 7);
      expect(draftText(forth)).toBe(latest(draft));
    }),
    { numRuns: tries },
  );
});

/** What redo leads to: nothing was redone yet where undo came last. */
function characters(text: string): string {
  return text.split("").toSorted().join("");
}

function latest(draft: Draft): string {
  return draftText({ lines: draft.future[0]?.lines ?? draft.lines });
}

/** Letters between tokens, line by line. */
function runs({ lines }: Draft): readonly (readonly string[])[] {
  return lines.flatMap((line) => {
    const all: string[][] = [[]];
    for (const item of line)
      if (typeof item === "string") all.at(-1)?.push(item);
      else all.push([]);
    return all;
  });
}

function actionsOf(names: string): readonly EditAction[] {
  return names.split(" ").map((name) => {
    const action = allActions.find((known) => known === name);
    if (action === undefined) throw new Error(`${name} is no action.`);
    return action;
  });
}
