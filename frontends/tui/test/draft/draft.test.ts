import { runs } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Draft,
  draftOf,
  draftText,
  emptyDraft,
  expandDraft,
  insertImage,
  insertPaste,
  insertText,
  isEmptyDraft,
} from "../../src/draft/draft.ts";
import { draftRows, isAtEdge } from "../../src/draft/draft-rows.ts";
import { type EditAction, editDraft } from "../../src/draft/edit-draft.ts";
import { draftOfStored, storedDraft } from "../../src/draft/stored-draft.ts";

const columns = 20;
const limits = { lines: 10, characters: 1000 };

/** `|` is the caret. */
function marked(text: string): Draft {
  const [before = "", after = ""] = text.split("|");
  let draft = draftOf(before + after);
  for (const letter of new Intl.Segmenter("en").segment(after)) {
    if (letter.segment !== "") draft = editDraft(draft, "left", columns);
  }
  return draft;
}

function show({ lines, caret }: Draft): string {
  return lines
    .map((line, at) => {
      const letters = line.map((item) => (typeof item === "string" ? item : "#"));
      return at === caret.line
        ? [...letters.slice(0, caret.at), "|", ...letters.slice(caret.at)].join("")
        : letters.join("");
    })
    .join("\n");
}

const edits: readonly (readonly [before: string, actions: readonly EditAction[], after: string])[] = [
  ["abc|", ["left"], "ab|c"],
  ["a\n|b", ["left"], "a|\nb"],
  ["a|\nb", ["right"], "a\n|b"],
  ["|", ["left", "right"], "|"],
  ["one two|", ["word-left"], "one |two"],
  ["one  two|", ["word-left", "word-left"], "|one  two"],
  ["|one, two", ["word-right"], "one|, two"],
  ["one\n|two", ["word-left"], "|one\ntwo"],
  ["ab|cd", ["line-start"], "|abcd"],
  ["ab|cd", ["line-end"], "abcd|"],
  ["a\nb|\nc", ["draft-start"], "|a\nb\nc"],
  ["a\nb|\nc", ["draft-end"], "a\nb\nc|"],
  ["ab|c", ["delete-left"], "a|c"],
  ["a\n|b", ["delete-left"], "a|b"],
  ["a|bc", ["delete-right"], "a|c"],
  ["a|\nb", ["delete-right"], "a|b"],
  ["ab|", ["delete-right"], "ab|"],
  ["one two|", ["kill-word-left", "yank", "yank"], "one twotwo|"],
  ["|one two", ["kill-word-right"], "| two"],
  ["one| two", ["kill-line-end"], "one|"],
  ["one|\ntwo", ["kill-line-end"], "one|two"],
  ["one |two", ["kill-line-start", "yank"], "one |two"],
  ["a\n|b", ["kill-line-start"], "a|b"],
  ["ab|", ["newline"], "ab\n|"],
  ["abc|", ["delete-left", "undo"], "abc|"],
  ["abc|", ["delete-left", "undo", "redo"], "ab|"],
  ["abc|", ["clear"], "|"],
  ["abc|", ["clear", "undo"], "abc|"],
  ["e\u0301漢🙂|", ["delete-left", "delete-left"], "e\u0301|"],
  ["one\ntwo|", ["up"], "one|\ntwo"],
  ["longer\nab|", ["up"], "lo|nger\nab"],
  ["longer|\nab\nlonger", ["down", "down"], "longer\nab\nlonger|"],
];

test.each(edits)("%j, %j: %j", (before, actions, after) => {
  expect(show(actions.reduce((draft, action) => editDraft(draft, action, columns), marked(before)))).toBe(after);
});

test("what is typed letter by letter is undone word by word", () => {
  const typed = Array.from("one two").reduce((draft, letter) => insertText(draft, letter), emptyDraft);
  expect(draftText(editDraft(typed, "undo", columns))).toBe("one ");
  expect(isEmptyDraft(editDraft(editDraft(editDraft(typed, "undo", columns), "undo", columns), "undo", columns))).toBe(
    true,
  );
});

test("a mark that is typed after a letter is one letter with it", () => {
  const typed = insertText(insertText(emptyDraft, "e"), "\u0301");
  expect(typed.lines[0]).toEqual(["e\u0301"]);
  expect(isEmptyDraft(editDraft(typed, "delete-left", columns))).toBe(true);
});

test("a long paste is one token, which is taken out whole and sent as its text; a short one is text", () => {
  const long = Array.from({ length: 24 }, (_, at) => `line ${at}`).join("\n");
  const draft = insertText(insertPaste(insertText(emptyDraft, "see "), long, limits), " there");
  expect(draftText(draft)).toBe("see [Paste #1 24 lines] there");
  expect(expandDraft(draft)).toEqual([{ type: "text", text: `see ${long} there` }]);
  const second = insertPaste(draft, "x".repeat(1001), limits);
  expect(draftText(second)).toContain("[Paste #2 1001 characters]");
  expect(draftText(editDraft(second, "delete-left", columns))).toBe(draftText(draft));
  expect(draftText(insertPaste(emptyDraft, "a\nb", limits))).toBe("a\nb");
});

test("an image stands between texts and is sent between them", () => {
  const image = { mediaType: "image/png", data: "AAAA", name: "a.png" };
  const draft = insertText(insertImage(insertText(emptyDraft, "look "), image), " closely");
  expect(expandDraft(draft)).toEqual([
    { type: "text", text: "look " },
    { type: "media", ...image },
    { type: "text", text: " closely" },
  ]);
});

const pieces = fc.array(
  fc.oneof(
    fc.string({ unit: "grapheme" }).map((text) => ({ type: "text" as const, text })),
    fc.constant({ type: "paste" as const, text: "p\n".repeat(20) }),
    fc.constant({ type: "image" as const }),
  ),
  { maxLength: 6 },
);
const written = pieces.map((all) =>
  all.reduce((draft, piece) => {
    if (piece.type === "text") return insertText(draft, piece.text);
    if (piece.type === "paste") return insertPaste(draft, piece.text, limits);
    return insertImage(draft, { mediaType: "image/png", data: "AAAA" });
  }, emptyDraft),
);
const actions = fc.array(
  fc.constantFrom<EditAction>(
    "left",
    "right",
    "up",
    "down",
    "word-left",
    "word-right",
    "line-start",
    "line-end",
    "delete-left",
    "delete-right",
    "kill-word-left",
    "kill-line-end",
    "yank",
    "newline",
    "undo",
    "redo",
  ),
  { maxLength: 20 },
);

test("whatever is done, the caret stands in the draft, and rows show all of it within their width", () => {
  fc.assert(
    fc.property(written, actions, fc.integer({ min: 28, max: 60 }), (draft, done, width) => {
      const end = done.reduce((before, action) => editDraft(before, action, width), draft);
      const line = end.lines[end.caret.line];
      expect(line).toBeDefined();
      expect(end.caret.at).toBeLessThanOrEqual(line?.length ?? -1);
      const { rows, caret } = draftRows(end, width);
      expect(rows.join("").replaceAll("\t", "")).toBe(draftText(end).replaceAll(/[\n\t]/g, ""));
      expect(caret.row).toBeLessThan(rows.length);
    }),
    { numRuns: runs(500) },
  );
});

test("what is stored is the draft, tokens included; any text is a draft", () => {
  fc.assert(
    fc.property(written, fc.string(), (draft, text) => {
      const stored = storedDraft(draft);
      expect(stored === null ? "" : draftText(draftOfStored(stored))).toBe(draftText(draft));
      expect(expandDraft(draftOfStored(stored ?? ""))).toEqual(expandDraft(draft));
      expect(() => draftOfStored(text)).not.toThrow();
      expect(() => draftOfStored(`{"draft":${text}`)).not.toThrow();
    }),
    { numRuns: runs(300) },
  );
});

test("undone and done once more, everything is as it was", () => {
  fc.assert(
    fc.property(written, actions, (draft, done) => {
      const end = done
        .filter((action) => action !== "undo" && action !== "redo")
        .reduce((before, action) => editDraft(before, action, columns), draft);
      let undone = end;
      while (undone.past.length > 0) undone = editDraft(undone, "undo", columns);
      expect(isEmptyDraft(undone)).toBe(true);
      let redone = undone;
      while (redone.future.length > 0) redone = editDraft(redone, "redo", columns);
      expect(draftText(redone)).toBe(draftText(end));
    }),
    { numRuns: runs(300) },
  );
});

test("the first and the last row lead out of the draft", () => {
  expect(isAtEdge(marked("one\ntwo|"), 1, columns)).toBe(true);
  expect(isAtEdge(marked("one\ntwo|"), -1, columns)).toBe(false);
  expect(isAtEdge(marked("|"), -1, columns)).toBe(true);
});
