import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ReceivedLine } from "../../src/index.ts";
import { LineSplitter } from "../../src/channel/line-splitter.ts";

function split(bytes: Uint8Array, cuts: readonly number[], maxLineBytes: number): readonly ReceivedLine[] {
  const splitter = new LineSplitter(maxLineBytes);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  const pieces = places.slice(1).map((end, at) => bytes.subarray(places[at], end));
  return [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.end()];
}

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc
    .array(fc.oneof(fc.string({ unit: "binary", maxLength: 30 }), fc.constantFrom("\n", "\r\n", "", "表🙂")))
    .map((parts) => new TextEncoder().encode(parts.join("\n"))),
);

test("any bytes, cut anywhere, give the same lines as in one piece", () => {
  fc.assert(
    fc.property(bytes, fc.array(fc.nat()), fc.integer({ min: 1, max: 60 }), (all, cuts, max) => {
      expect(split(all, cuts, max)).toEqual(split(all, [], max));
    }),
  );
});

test("a line is whole, or refused because it is too long or no UTF-8; empty ones are skipped", () => {
  const text = new TextEncoder().encode('{"a":1}\n\n \r\n123456789\nüß\n');
  const broken = Uint8Array.from([...text, 0xff, 0x0a, ...new TextEncoder().encode("end")]);
  expect(split(broken, [], 8)).toEqual([
    { type: "line", text: '{"a":1}' },
    { type: "refused", reason: "the line has more than 8 bytes" },
    { type: "line", text: "üß" },
    { type: "refused", reason: "the line is not valid UTF-8" },
    { type: "line", text: "end" },
  ]);
});

test("nothing is kept of a line that is too long, however long it is", () => {
  const splitter = new LineSplitter(1024);
  const piece = new Uint8Array(1_000_000).fill(0x61);
  for (let round = 0; round < 200; round += 1) expect(splitter.push(piece)).toEqual([]);
  expect(splitter.push(Uint8Array.of(0x0a, 0x62, 0x0a))).toEqual([
    { type: "refused", reason: "the line has more than 1024 bytes" },
    { type: "line", text: "b" },
  ]);
});
