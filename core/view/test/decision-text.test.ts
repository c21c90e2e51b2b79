import { decisionLine, decisionText } from "@capstan/view";
import * as fc from "fast-check";
import { expect, test } from "vitest";

const options = { limitCharacters: 400 };

test.each<[string, string, string]>([
  ["plain text", "npm test -- --watch", "npm test -- --watch"],
  ["scripts of the world", "Grüße 世界 Привет שלום नमस्ते", "Grüße 世界 Привет שלום नमस्ते"],
  ["an escape sequence", "a\u001b[31mb", "a⟨U+001B⟩[31mb"],
  ["C1", "a\u009b31mb", "a⟨U+009B⟩31mb"],
  ["a direction", "a\u202eb", "a⟨U+202E⟩b"],
  ["zero width", "a\u200bb\u200d\ufeff", "a⟨U+200B⟩b⟨U+200D⟩⟨U+FEFF⟩"],
  ["tags", "a\u{e0041}", "a⟨U+E0041⟩"],
  ["a variation selector", "a\ufe0f\u{e0100}", "a⟨U+FE0F⟩⟨U+E0100⟩"],
  ["a soft hyphen", "a\u00adb", "a⟨U+00AD⟩b"],
  ["interlinear", "a\ufff9b", "a⟨U+FFF9⟩b"],
  ["private use", "a\ue000b\u{10ffff}", "a⟨U+E000⟩b⟨U+10FFFF⟩"],
  ["other blanks", "a\u00a0b\u3000c\u2800d\u3164", "a⟨U+00A0⟩b⟨U+3000⟩c⟨U+2800⟩d⟨U+3164⟩"],
  ["overwriting", "safe\rrm", "safe⟨U+000D⟩rm"],
  ["backspace", "ab\b\b", "ab⟨U+0008 ×2⟩"],
  ["a half of a pair", "a\ud800b", "a⟨U+D800⟩b"],
  ["line and paragraph separators", "a\u2028b\u2029", "a⟨U+2028⟩b⟨U+2029⟩"],
  ["a flood of one invisible character", `a${"\u200b".repeat(5000)}b`, "a⟨U+200B ×5000⟩b"],
  ["a flood of marks", `a${"\u0301".repeat(500)}b`, `a${"\u0301".repeat(4)}⟨496 more marks⟩b`],
  ["padding", `ls${" ".repeat(1998)}; rm -rf ~`, "ls⟨1,998 spaces⟩; rm -rf ~"],
  ["padding of tabs", `ls${"\t".repeat(50)}; rm`, "ls⟨50 blanks⟩; rm"],
  ["padding of other blanks", `ls${"\u3000".repeat(50)}; rm`, "ls⟨50 blanks⟩; rm"],
  ["empty lines", `ls\n${"\n".repeat(497)}rm -rf ~`, "ls\n⟨497 empty lines⟩\nrm -rf ~"],
  ["lines of blanks", `ls\n${"   \t\n".repeat(497)}rm -rf ~`, "ls\n⟨497 empty lines⟩\nrm -rf ~"],
  ["an indentation", "if x:\n            y()", "if x:\n            y()"],
  ["an indentation beyond all sense", `a\n${" ".repeat(300)}rm`, "a\n⟨300 spaces⟩rm"],
  ["Windows line ends", "a\r\nb", "a\nb"],
])("%s", (_name, text, shown) => {
  expect(decisionText(text, options)).toBe(shown);
});

test("a long text keeps its beginning and its end, says how much is left out, and how to see it", () => {
  const shown = decisionText(`begin${"x".repeat(10_000)}end`, {
    limitCharacters: 20,
    whole: "capstan interactions show t1.i1",
  });
  expect(shown).toBe(
    "beginxxxxx\n⟨9,988 characters not shown here; all of it: capstan interactions show t1.i1⟩\nxxxxxxxend",
  );
});

test("what is left out of the longest texts is counted too", () => {
  const shown = decisionText(`begin${"x".repeat(10_000_000)}end`, { limitCharacters: 100 });
  expect(shown.startsWith("beginx")).toBe(true);
  expect(shown.endsWith("xend")).toBe(true);
  expect(shown.length).toBeLessThan(300);
});

test.each<[string, string]>([
  ["blanks", " "],
  ["line ends", "\n"],
  ["blanks and line ends", " \n"],
  ["marks", "\u0301"],
  ["escapes", "\u001b]0;"],
  ["zero widths by turns", "\u200b\u200c"],
  ["letters", "x"],
])("ten million characters of %s hide no end, and are shown in few", (_name, filling) => {
  const shown = decisionText(`ls ${filling.repeat(10_000_000 / filling.length)}; rm -rf ~`, options);
  expect(shown.endsWith("; rm -rf ~")).toBe(true);
  expect(shown.length).toBeLessThan(2000);
});

test("on one line, line ends are shown", () => {
  expect(decisionLine("a\nb\n\n\n\nc", options)).toBe("a ⏎ b ⏎ ⟨3 empty lines⟩ ⏎ c");
});

test("whatever is shown can be seen", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 500 }),
      fc.integer({ min: 10, max: 500 }),
      (text, limitCharacters) => {
        const shown = decisionText(text, { limitCharacters });
        expect(shown).not.toMatch(/(?![ \t\n])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u);
      },
    ),
    { numRuns: 1000 },
  );
});

test("nothing of a short text without padding is lost", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[!-~]{0,100}$/), (text) => {
      expect(decisionText(text, options)).toBe(text);
    }),
  );
});
