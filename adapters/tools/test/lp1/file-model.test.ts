import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emitFileModel, type FileModel, readFileModel } from "../../src/lp1/file-model.ts";

function read(content: string | Uint8Array): FileModel {
  const result = readFileModel(typeof content === "string" ? Buffer.from(content) : content);
  if (result.type === "not-text") throw new Error(result.problem);
  return result.model;
}

function check(content: string, expected: Partial<FileModel>): void {
  expect(read(content)).toEqual({ eol: null, finalNewline: false, mixedEol: false, byteOrderMark: false, ...expected });
}

describe("reading", () => {
  test("an empty file has no lines", () => check("", { lines: [] }));
  test("a line without end", () => check("a", { lines: ["a"] }));
  test("a line with an end", () => check("a\n", { lines: ["a"], finalNewline: true, eol: "\n" }));
  test("a newline alone is one empty line", () => check("\n", { lines: [""], finalNewline: true, eol: "\n" }));
  test("two lines, the last without end", () => check("a\nb", { lines: ["a", "b"], eol: "\n" }));
  test("empty last line", () => check("a\n\n", { lines: ["a", ""], finalNewline: true, eol: "\n" }));
  test("CRLF", () => check("a\r\nb\r\n", { lines: ["a", "b"], finalNewline: true, eol: "\r\n" }));
  test("CRLF alone", () => check("\r\n", { lines: [""], finalNewline: true, eol: "\r\n" }));
  test("a byte order mark is no part of line 1", () =>
    check("\uFEFFa\n", { lines: ["a"], finalNewline: true, eol: "\n", byteOrderMark: true }));
  test("mixed ends: the more frequent one wins", () => {
    check("a\r\nb\r\nc\n", { lines: ["a", "b", "c"], finalNewline: true, eol: "\r\n", mixedEol: true });
    check("a\nb\nc\r\nd", { lines: ["a", "b", "c", "d"], eol: "\n", mixedEol: true });
  });
  test("mixed ends: LF wins a tie", () =>
    check("a\r\nb\n", { lines: ["a", "b"], finalNewline: true, eol: "\n", mixedEol: true }));
  test("other separators are text", () =>
    check("a\u2028b\u0085c\vd\n", { lines: ["a\u2028b\u0085c\vd"], finalNewline: true, eol: "\n" }));
});

describe("what is not text", () => {
  test.each([
    [Buffer.from("a\nb\rc\n"), "Bare CR in file (line 2)"],
    [Buffer.from("a\r"), "Bare CR in file (line 1)"],
    [Buffer.from("a\r\r\n"), "Bare CR in file (line 1)"],
    [Buffer.from([0x61, 0x0a, 0xff, 0x0a]), "Invalid UTF-8 in file (line 2)"],
    [Buffer.from([0xc3]), "Invalid UTF-8 in file (line 1)"],
    [Buffer.from([0x61, 0x0a, 0x62, 0x0a, 0xed, 0xa0, 0x80]), "Invalid UTF-8 in file (line 3)"],
  ])("%j is named with its line", (bytes, problem) => {
    expect(readFileModel(bytes)).toEqual({ type: "not-text", problem });
  });
});

test("emission of a model gives back the text, for any text with one kind of line end", () => {
  const piece = fc.string({ unit: "grapheme", maxLength: 8 }).map((text) => text.replaceAll(/[\r\n]/g, ""));
  const texts = fc
    .tuple(fc.array(piece, { maxLength: 6 }), fc.constantFrom("\n", "\r\n"), fc.constantFrom("", "\uFEFF"))
    .map(([pieces, eol, mark]) => mark + pieces.join(eol));
  fc.assert(
    fc.property(texts, (text) => {
      expect(emitFileModel(read(text))).toBe(text);
    }),
  );
});

test("mixed ends are written as the winner, all of them", () => {
  expect(emitFileModel(read("a\r\nb\r\nc\n"))).toBe("a\r\nb\r\nc\r\n");
});
