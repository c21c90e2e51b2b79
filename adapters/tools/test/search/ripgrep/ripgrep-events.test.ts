import * as fc from "fast-check";
import { expect, test } from "vitest";
import { RipgrepEvents, type SearchedFile } from "../../../src/search/ripgrep/ripgrep-events.ts";

function read(pieces: readonly Buffer[]): readonly (readonly [string, SearchedFile])[] {
  const files: (readonly [string, SearchedFile])[] = [];
  const events = new RipgrepEvents((name, found) => {
    files.push([name, found]);
    return "continue";
  });
  for (const piece of pieces) events.push(piece);
  return files;
}

function file(path: string, line: string, binaryOffset: number | null): string {
  const submatches = [{ match: { text: "x" }, start: Buffer.byteLength(line) - 1, end: Buffer.byteLength(line) }];
  return [
    { type: "begin", data: { path: { text: path } } },
    {
      type: "match",
      data: { path: { text: path }, lines: { text: `${line}\r\n` }, line_number: 7, absolute_offset: 0, submatches },
    },
    { type: "end", data: { path: { text: path }, binary_offset: binaryOffset, stats: {} } },
  ]
    .map((event) => `${JSON.stringify(event)}\n`)
    .join("");
}

const stream = Buffer.from(
  file("./a/ü.txt", "😀ä x", null) +
    file("./b.bin", "x", 12) +
    "not json\n" +
    file("./c.txt", '"},"line_number":9 "submatches":[{ x', null),
);
const expected = [
  ["./a/ü.txt", { matches: [{ line: 7, column: 4, text: "😀ä x" }], isBinary: false }],
  ["./b.bin", { matches: [{ line: 7, column: 0, text: "x" }], isBinary: true }],
  ["./c.txt", { matches: [{ line: 7, column: 35, text: '"},"line_number":9 "submatches":[{ x' }], isBinary: false }],
];

test("what ripgrep says is understood however it is cut into pieces", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(stream.length), { maxLength: 20 }), (cuts) => {
      const marks = [0, ...cuts.toSorted((a, b) => a - b), stream.length];
      expect(read(marks.slice(1).map((mark, index) => stream.subarray(marks[index], mark)))).toEqual(expected);
    }),
  );
});

test("a line with a million matches is understood by its first", () => {
  const one = { match: { text: "a" }, start: 1, end: 2 };
  const data = {
    path: { text: "./f" },
    lines: { text: `b${"a".repeat(400_000)}\n` },
    line_number: 3,
    absolute_offset: 0,
    submatches: Array.from({ length: 400_000 }, () => one),
  };
  const text = `${JSON.stringify({ type: "begin", data: {} })}\n${JSON.stringify({ type: "match", data })}\n${JSON.stringify({ type: "end", data: { path: data.path, binary_offset: null } })}\n`;
  expect(read([Buffer.from(text)])).toEqual([
    ["./f", { matches: [{ line: 3, column: 1, text: `b${"a".repeat(3999)}` }], isBinary: false }],
  ]);
});
