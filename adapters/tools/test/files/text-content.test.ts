import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decodeText, encodeText, splitLines, withoutCutCharacter } from "../../src/files/text-content.ts";

test("what was decoded is encoded to the same bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.boolean(), (bytes, mark) => {
      const content = Buffer.concat([Buffer.from(mark ? [0xef, 0xbb, 0xbf] : []), Buffer.from(bytes)]);
      const decoded = decodeText(content);
      expect(decoded === undefined ? content : encodeText(decoded)).toEqual(content);
    }),
  );
});

test("a text cut at any byte keeps every whole character and nothing else", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 20 }), fc.nat(80), (text, cut) => {
      const kept = withoutCutCharacter(Buffer.from(text).subarray(0, cut));
      expect(text.startsWith(kept.toString())).toBe(true);
      expect(Math.min(cut, Buffer.byteLength(text)) - kept.length).toBeLessThanOrEqual(3);
    }),
  );
});

const lines: readonly (readonly [text: string, expected: readonly string[]])[] = [
  ["", []],
  ["a", ["a"]],
  ["a\n", ["a"]],
  ["\n", [""]],
  ["a\r\nb\n\n", ["a", "b", ""]],
  ["a\rb", ["a\rb"]],
];
test.each(lines)("lines of %j", (text, expected) => {
  expect(splitLines(text)).toEqual(expected);
});
