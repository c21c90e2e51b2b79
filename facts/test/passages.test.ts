import { array, assert, constantFrom, oneof, property, string } from "fast-check";
import { expect, test } from "vitest";
import { maxPassagesPerRecord, passageCharacters } from "../src/limits.ts";
import { piecesOf } from "../src/read-passages.ts";

test("pieces have every word of a text in its order, none torn, and none is too long", () => {
  const texts = array(oneof(string({ unit: "grapheme", maxLength: 900 }), constantFrom("\n", ". ", "🌍".repeat(700))), {
    maxLength: 60,
  }).map((parts) => parts.join(" "));
  assert(
    property(texts, (text) => {
      const pieces = piecesOf(text);
      expect(pieces.length).toBeLessThanOrEqual(maxPassagesPerRecord);
      for (const piece of pieces) {
        expect(piece.length).toBeLessThanOrEqual(passageCharacters);
        expect(piece.isWellFormed() || !text.isWellFormed()).toBe(true);
      }
      expect(words(text).startsWith(words(pieces.join("")))).toBe(true);
    }),
    { numRuns: 300 },
  );
});

function words(from: string): string {
  return from.replaceAll(/\s+/g, "");
}
