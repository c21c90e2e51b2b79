import { inertStream } from "../src/inert-stream.ts";
import { inertLine, inertText } from "../src/inert-text.ts";
import * as fc from "fast-check";
import { expect, test } from "vitest";

const esc = "\u001b";

const hostile: readonly (readonly [name: string, text: string, shown: string])[] = [
  ["plain text", "Grüße, 世界 😀\n\tindented", "Grüße, 世界 😀\n\tindented"],
  ["colours", `${esc}[31mred${esc}[0m`, "red"],
  ["cursor movement", `a${esc}[2J${esc}[1;1Hb`, "ab"],
  ["private modes", `${esc}[?1049hx${esc}[?25l`, "x"],
  ["intermediate bytes", `${esc}[!px${esc}[0 q`, "x"],
  ["a window title, ended by BEL", `${esc}]0;owned\u0007x`, "x"],
  ["a hyperlink, ended by ST", `${esc}]8;;http://evil${esc}\\click${esc}]8;;${esc}\\`, "click"],
  ["the clipboard", `${esc}]52;c;ZXZpbA==\u0007x`, "x"],
  ["a string without an end", `a${esc}]0;never ends`, "a"],
  ["device control", `${esc}P1$r0m${esc}\\x`, "x"],
  ["privacy and application messages", `${esc}^pm${esc}\\x${esc}_apc${esc}\\y${esc}Xsos${esc}\\z`, "xyz"],
  ["8-bit CSI", "\u009b31mx", "x"],
  ["8-bit OSC, ended by 8-bit ST", "\u009d0;t\u009cx", "x"],
  ["8-bit DCS", "\u0090q\u009cx", "x"],
  ["two characters", `${esc}cx${esc}7${esc}8`, "x"],
  ["a character set", `${esc}(0x`, "x"],
  ["a lone escape", `x${esc}`, "x"],
  ["nested escapes", `${esc}${esc}[31mx`, "x"],
  ["overwriting by carriage return", "safe\rrm -rf", "saferm -rf"],
  ["Windows line ends", "a\r\nb", "a\nb"],
  ["backspaces and bells", "a\bb\u0007c\u0000d\u007fe", "abcde"],
  ["C1 controls", "a\u0085b\u008dc", "abc"],
  ["bidi controls", "a\u202eb\u2066c\u200fd\u061ce", "abcde"],
];

test.each(hostile)("%s", (_name, text, shown) => {
  expect(inertText(text)).toBe(shown);
});

test.each(hostile)("%s, cut anywhere, shows the same", (_name, text, shown) => {
  for (let first = 0; first <= text.length; first += 1) {
    for (let second = first; second <= text.length; second += 1) {
      expect(streamed([text.slice(0, first), text.slice(first, second), text.slice(second)])).toBe(shown);
    }
  }
});

const pieces = fc.string({
  unit: fc.constantFrom(
    "a",
    "m",
    "[",
    "]",
    ";",
    "1",
    "?",
    " ",
    "\\",
    "\r",
    "\n",
    esc,
    "\u0007",
    "\u009b",
    "\u009d",
    "\u009c",
    "\u0090",
    "P",
    "\u202e",
    "\b",
  ),
});

test("no text, cut anywhere, leaves anything that does more than show", () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 6 }), (parts) => {
      // oxlint-disable-next-line no-control-regex -- control characters are what this is about
      const harmful = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/;
      expect(inertText(parts.join(""))).not.toMatch(harmful);
      expect(streamed(parts)).not.toMatch(harmful);
    }),
    { numRuns: 1000 },
  );
});

test("a streamed text shows what the whole text shows, whatever the cuts", () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 6 }), (parts) => {
      expect(streamed(parts)).toBe(inertText(parts.join("")));
    }),
    { numRuns: 3000 },
  );
});

test("inert text is inert already", () => {
  fc.assert(
    fc.property(pieces, (text) => {
      expect(inertText(inertText(text))).toBe(inertText(text));
    }),
    { numRuns: 1000 },
  );
});

test("a sequence that never ends is not held forever", () => {
  const stream = inertStream();
  expect(stream.push(`${esc}]0;`)).toBe("");
  for (let count = 0; count < 100; count += 1) stream.push("x".repeat(100));
  stream.push("\u0007");
  expect(stream.push("seen again")).toBe("seen again");
});

test.each<[string, number, string]>([
  ["one\n  two\nthree", 80, "one ⏎ two ⏎ three"],
  ["  padded \n", 80, "padded"],
  ["abcdef", 6, "abcdef"],
  ["abcdefg", 6, "abcde…"],
  ["abc😀d", 5, "abc\ufffd…"],
  [`${esc}[31mred${esc}[0m`, 3, "red"],
])("as one line: %j within %i is %j", (text, limit, expected) => {
  expect(inertLine(text, limit)).toBe(expected);
});

function streamed(parts: readonly string[]): string {
  const stream = inertStream();
  return parts.map((part) => stream.push(part)).join("") + stream.end();
}

test.each<[string, string, string]>([
  ["a zero-width space", "a\u200bb", "ab"],
  ["tags", "a\u{e0068}\u{e0069}b", "ab"],
  ["a soft hyphen", "a\u00adb", "ab"],
  ["an interlinear mark", "a\ufff9b", "ab"],
  ["a byte order mark", "\ufeffa", "a"],
  ["separators", "a\u2028b", "ab"],
  ["a flood of marks", `a${"\u0301".repeat(100)}b`, `a${"\u0301".repeat(8)}b`],
  ["a family of emoji", "👨‍👩‍👧 ❤️", "👨‍👩‍👧 ❤️"],
  ["joiners of a script", "می‌خواهم क्‍ष", "می‌خواهم क्‍ष"],
])("in prose, %s", (_name, text, shown) => {
  expect(inertText(text)).toBe(shown);
});

test("a line of ten million characters is cut, and says so", () => {
  expect(inertLine(`${" ".repeat(1_000_000)}${"x".repeat(10_000_000)}`, 20)).toBe(`${"x".repeat(19)}…`);
  expect(inertLine(`a${"\u200b".repeat(2_000_000)}`, 20)).toBe("a…");
});

test("no letter is shown otherwise for the letters around it being plain or not", () => {
  const slow = `${esc}[0m`;
  for (let code = 0xa0; code <= 0xff_ff; code += 1) {
    const letter = String.fromCharCode(code);
    expect(inertText(letter)).toBe(inertText(`${letter}${slow}`));
  }
});
