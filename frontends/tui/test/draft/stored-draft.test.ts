import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  draftOf,
  draftText,
  emptyDraft,
  expandDraft,
  insertImage,
  insertPaste,
  insertText,
} from "../../src/draft/draft.ts";
import { draftOfStored, storedDraft } from "../../src/draft/stored-draft.ts";

const limits = { lines: 2, characters: 20 };

test("a draft with pastes and images comes back whole, and its next token has the next number", () => {
  let draft = insertPaste(draftOf("see "), "1\n2\n3", limits);
  draft = insertImage(insertText(draft, " and\n"), { mediaType: "image/png", data: "AAAA", name: "a.png" });
  const back = draftOfStored(storedDraft(draft) ?? "");
  expect(back.lines).toEqual(draft.lines);
  expect(draftText(insertPaste(back, "4\n5\n6", limits))).toContain("[Paste #3 3 lines]");
});

test("plain text is kept as itself, and nothing of an empty draft", () => {
  expect(storedDraft(draftOf("two\nlines"))).toBe("two\nlines");
  expect(storedDraft(emptyDraft)).toBeNull();
});

test("every text comes back as it was, also one that looks like a stored draft", () => {
  const parts = fc.constantFrom('{"draft":', '{"draft":[["a"]]}', "[", "]", '"', "a", "\n", "漢", "}");
  fc.assert(
    fc.property(fc.array(parts, { minLength: 1, maxLength: 8 }), (all) => {
      const draft = draftOf(all.join(""));
      expect(draftOfStored(storedDraft(draft) ?? "").lines).toEqual(draft.lines);
    }),
  );
});

test.each(['{"draft":', '{"draft":[]}', '{"draft":7}', '{"draft":[[{"type":"paste"}], 3]}', "\u001b[31m"])(
  "what is no stored draft is a draft all the same: %j",
  (stored) => {
    expect(draftOfStored(stored).lines.length).toBeGreaterThan(0);
    expect(draftText(draftOfStored(stored))).not.toContain("\u001b");
  },
);

test("sent are texts of pastes in their places, and images as they are", () => {
  let draft = insertPaste(draftOf("fix "), "1\n2\n3", limits);
  draft = insertText(draft, " now\n");
  expect(expandDraft(draft)).toEqual([{ type: "text", text: "fix 1\n2\n3 now\n" }]);
  draft = insertText(insertImage(draft, { mediaType: "image/png", data: "AAAA" }), " here");
  expect(expandDraft(draft)).toEqual([
    { type: "text", text: "fix 1\n2\n3 now\n" },
    { type: "media", mediaType: "image/png", data: "AAAA" },
    { type: "text", text: " here" },
  ]);
  expect(expandDraft(draftOf(" \n "))).toEqual([]);
});
