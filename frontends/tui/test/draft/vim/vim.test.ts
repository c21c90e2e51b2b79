import * as fc from "fast-check";
import { runs } from "@capstan/testkit";
import { expect, test } from "vitest";
import { type Draft, draftText, insertPaste, type Item, labelOf } from "../../../src/draft/draft.ts";
import { selectedIn } from "../../../src/draft/vim/selection.ts";
import { selectedRange, vimAtStart, vimKey } from "../../../src/draft/vim/vim.ts";
import { draftRows } from "../../../src/draft/draft-rows.ts";
import { markedText } from "../marked-draft.ts";
import { normal, typed } from "./keyboard.ts";

const limits = { lines: 1, characters: 5 };

/** `a `, a long paste, and ` b`, with the caret on the first letter. */
function withPaste(): Draft {
  const pasted = insertPaste(normal("a | b").draft, "one\ntwo\nthree", limits);
  return { ...pasted, caret: { line: 0, at: 0 } };
}

test("Esc leaves insert mode first, and in normal mode it is no key of the editor", () => {
  const { draft } = normal("ab|");
  const left = vimKey({ vim: vimAtStart, draft }, "escape");
  expect(left?.vim.mode).toBe("normal");
  expect(left === null ? null : vimKey(left, "escape")).toBeNull();
});

test("Esc ends a command that is not whole, and nothing else", () => {
  const begun = typed(normal("ab|c"), "2d");
  const ended = vimKey(begun, "escape");
  expect(ended?.vim.keys).toEqual([]);
  expect(ended === null ? null : vimKey(ended, "escape")).toBeNull();
});

test("Enter, arrows up and down, and Ctrl-P are no keys of the editor", () => {
  const step = normal("ab|c");
  for (const chord of ["enter", "up", "down", "ctrl+p", "tab"]) expect(vimKey(step, chord)).toBeNull();
});

test("a paste is one letter: it is moved over, taken and put back whole", () => {
  const label = "[Paste #1 3 lines]";
  const start = { vim: normal("").vim, draft: withPaste() };
  expect(markedText(typed(start, "w").draft)).toBe(`a |${label} b`);
  expect(draftText(typed(start, "wx").draft)).toBe("a  b");
  expect(draftText(typed(start, "wx$p").draft)).toBe(`a  b${label}`);
  expect(draftText(typed(start, "w~J").draft)).toBe(`a ${label} b`);
});

test("what was taken by keys of insert mode is put in by p as letters", () => {
  expect(markedText(typed(normal("|a\nb"), "yy").draft)).toBe("|a\nb");
  const step = typed(normal("|a\nb"), "yyjxP");
  expect(markedText(step.draft)).toBe("a\n|b");
});

test("the selection is marked row by row, an empty line by a blank", () => {
  const { vim, draft } = typed(normal("o|ne\n\ntwo"), "v2j");
  const range = selectedRange({ vim, draft });
  const { rows, places } = draftRows(draft, 20);
  expect(rows.map((text, at) => range && selectedIn(draft, range, text, places[at]))).toEqual([
    [
      { text: "o", roles: [] },
      { text: "ne", roles: ["selected"] },
    ],
    [{ text: " ", roles: ["selected"] }],
    [
      { text: "tw", roles: ["selected"] },
      { text: "o", roles: [] },
    ],
  ]);
});

const keys = fc.array(
  fc.constantFrom(..."hjklwbeWBE0^$fFtT;,gG{}%dcy><iaIAoOxXsSrRpPJ~u.DCYvV123\"'()p ".split(""), "<Esc>", "<C-r>"),
  { maxLength: 30 },
);

test("whatever keys come, the caret stands in the draft, and a paste stays whole", () => {
  fc.assert(
    fc.property(keys, (pressed) => {
      const { vim, draft } = typed({ vim: normal("").vim, draft: withPaste() }, pressed.join(""));
      const line = draft.lines[draft.caret.line];
      expect(line).toBeDefined();
      expect(draft.caret.at).toBeGreaterThanOrEqual(0);
      const last = line?.length ?? 0;
      expect(draft.caret.at).toBeLessThanOrEqual(vim.mode === "insert" ? last : Math.max(0, last - 1));
      const pastes = draft.lines.flat().filter((item) => typeof item !== "string");
      expect(pastes.map(pasteText)).toEqual(pastes.map(() => "one\ntwo\nthree"));
    }),
    { numRuns: runs(2000) },
  );
});

test("letters that are drawn as one stay one, whatever keys come", () => {
  const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
  const units = ["a", "b", " ", "\n", "漢", "\u0301", "👩", "\u200d", "💻", "🇩", "🇪", "(", "é"];
  const lettersKeys = fc.array(
    fc.oneof(
      keys.map((all) => all.join("")),
      fc.constantFrom("r🇪", "3r🇪", "i👩\u200d<Esc>", "X2P"),
    ),
    {
      maxLength: 5,
    },
  );
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...units), maxLength: 12 }), lettersKeys, (text, pressed) => {
      const { draft } = typed(normal(`|${text}`), pressed.join(""));
      const segmented = draft.lines.map((line) =>
        Array.from(segmenter.segment(line.map(labelOf).join("")), ({ segment }) => segment),
      );
      expect(draft.lines).toEqual(segmented);
    }),
    { numRuns: runs(2000) },
  );
});

test("what is put in twice is drawn as one letter where two make one", () => {
  const { draft } = typed(normal("|🇪a"), "EX2P");
  expect(draft.lines).toEqual([["🇪🇪", "a"]]);
});

test("u takes back whatever one command changed", () => {
  const command = fc.constantFrom(
    "x",
    "dw",
    "2dd",
    "cwX Y<Esc>",
    "ia b c<Esc>",
    "ox<Esc>",
    "J",
    "~",
    "yyp",
    ">>",
    "rX",
    "vjd",
  );
  const text = fc.constantFrom("|one two\nthree", "one t|wo\n\n  three", "a\n|b\nc", "|(a b) c");
  fc.assert(
    fc.property(text, command, (before, pressed) => {
      const start = normal(before);
      const changed = typed(start, pressed);
      const back = draftText(changed.draft) === draftText(start.draft) ? changed : typed(changed, "u");
      expect(draftText(back.draft)).toBe(draftText(start.draft));
    }),
  );
});

function pasteText(item: Item): string | null {
  return typeof item !== "string" && item.type === "paste" ? item.text : null;
}
