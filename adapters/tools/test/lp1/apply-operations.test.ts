import * as fc from "fast-check";
import { runs } from "@capstan/testkit";
import { describe, expect, test } from "vitest";
import { applyOperations } from "../../src/lp1/apply-operations.ts";
import { emitFileModel, readFileModel } from "../../src/lp1/file-model.ts";
import { describeNearestLines } from "../../src/lp1/nearest-lines.ts";
import { parsePatch } from "../../src/lp1/parse-patch.ts";
import type { MatchOperation, Operation } from "../../src/lp1/patch.ts";

/** Text after the operations, or `failed: N problem` with the advice on the next line. */
function patched(before: string, body: readonly string[]): string {
  const { sections } = parsePatch(["LP1", "F f", ...body, "END"].join("\n"));
  return applied(
    before,
    sections.flatMap((section) => section.operations),
  );
}

function applied(before: string, operations: readonly Operation[]): string {
  const read = readFileModel(Buffer.from(before));
  if (read.type === "not-text") throw new Error(read.problem);
  const result = applyOperations(read.model, operations);
  if (result.type === "failed") return `failed: ${result.operation} ${result.problem}\n${result.advice}`;
  return emitFileModel(result.model);
}

function check(before: string, body: readonly string[], after: string): void {
  expect(patched(before, body)).toBe(after);
}

function checkFails(before: string, body: readonly string[], problem: string): void {
  expect(patched(before, body)).toContain(`failed: ${problem}`);
}

describe("each operation", () => {
  test("R replaces", () => check("a\nb\nc\n", ["R", "b", ".", "x", "y", "."], "a\nx\ny\nc\n"));
  test("R replaces several lines with fewer", () => check("a\nb\nc\n", ["R", "a", "b", ".", "x", "."], "x\nc\n"));
  test("R with an empty block deletes", () => check("a\nb\n", ["R", "a", ".", "."], "b\n"));
  test("I inserts after", () => check("a\nb\n", ["I", "a", ".", "x", "."], "a\nx\nb\n"));
  test("P inserts before", () => check("a\nb\n", ["P", "b", ".", "x", "."], "a\nx\nb\n"));
  test("E deletes", () => check("a\nb\nc\n", ["E", "b", "."], "a\nc\n"));
  test("T appends", () => check("a\n", ["T", "x", "."], "a\nx\n"));
  test("B prepends", () => check("a\n", ["B", "x", "."], "x\na\n"));
  test("N + adds the final newline", () => check("a", ["N +"], "a\n"));
  test("N - removes one final newline", () => check("a\n", ["N -"], "a"));
  test("the first and the last line can be matched", () => {
    check("a\nb\nc", ["R", "a", ".", "x", ".", "R", "c", ".", "z", "."], "x\nb\nz");
  });
  test("operations see what the one before left", () =>
    check("a\n", ["R", "a", ".", "b", ".", "I", "b", ".", "c", "."], "b\nc\n"));
  test("empty lines match empty lines", () => check("a\n\nb\n", ["R", "a", "", ".", "x", "."], "x\nb\n"));
  test("a dot line is matched and written", () => check("a\n.\n", ["R", "..", ".", "..x", "."], "a\n.x\n"));
  test("dollar signs are plain text", () => check("a\n", ["R", "a", ".", "$& $1 $$", "."], "$& $1 $$\n"));
  test("unicode is compared exactly, not by normal form", () => {
    check("é 😀\n", ["R", "é 😀", ".", "ok", "."], "ok\n");
    checkFails("e\u0301\n", ["R", "\u00e9", ".", "x", "."], "1 Match not found");
  });
});

describe("line ends and the final newline", () => {
  test("CRLF files stay CRLF", () => check("a\r\nb\r\n", ["R", "a", ".", "x", "y", "."], "x\r\ny\r\nb\r\n"));
  test("a file without final newline stays so", () => check("a\nb", ["R", "b", ".", "x", "."], "a\nx"));
  test("a file without any line end gets LF", () => check("a", ["T", "b", "."], "a\nb"));
  test("mixed ends are made uniform by any operation", () =>
    check("a\r\nb\r\nc\n", ["R", "c", ".", "x", "."], "a\r\nb\r\nx\r\n"));
  test("a byte order mark stays first", () =>
    check("\uFEFFa\n", ["B", "x", ".", "R", "a", ".", "b", "."], "\uFEFFx\nb\n"));
  test("T alone on an empty file leaves no final newline", () => check("", ["T", "a", "."], "a"));
  test("T and N + end with a newline", () => check("", ["T", "a", ".", "N +"], "a\n"));
  test("the last N wins", () => check("a", ["N +", "N -"], "a"));
  test("N counts whatever comes after it", () => check("a", ["N +", "T", "b", "."], "a\nb\n"));
  test("deleting everything leaves an empty file", () => check("a\n", ["E", "a", "."], ""));
  test("the pre-image's newline counts when lines come back", () =>
    check("a\n", ["E", "a", ".", "T", "b", "."], "b\n"));
  test("N + on an empty file is one empty line", () => check("", ["N +"], "\n"));
  test("N - on exactly that is an empty file again", () => check("\n", ["N -"], ""));
  test("N - on an emptied file changes nothing", () => check("a\n", ["E", "a", ".", "N -"], ""));
});

describe("occurrences", () => {
  test("n-th match", () => check("a\nb\na\n", ["R 2", "a", ".", "x", "."], "a\nb\nx\n"));
  test("overlapping places count", () => check("a\na\na\n", ["R 2", "a", "a", ".", "x", "."], "a\nx\n"));
  test("1 is accepted for a unique match", () => check("a\nb\n", ["E 1", "b", "."], "a\n"));
  test("an empty block is a position", () => {
    check("a\nb\n", ["I 1", ".", "x", "."], "x\na\nb\n");
    check("a\nb\n", ["P 3", ".", "x", "."], "a\nb\nx\n");
    check("a\nb\n", ["R 2", ".", "x", "."], "a\nx\nb\n");
    check("", ["I 1", ".", "x", "."], "x");
    check("a\n", ["E 2", "."], "a\n");
  });
  test("several matches without a number are refused with their lines", () => {
    checkFails("a\nb\na\n", ["R", "a", ".", "x", "."], "1 Match is not unique\nIt occurs 2 times, at lines 1, 3;");
  });
  test("a number beyond the last match is refused", () => {
    checkFails(
      "a\nb\na\n",
      ["E 3", "a", "."],
      "1 Occurrence out of range\nAsked for 3, but it occurs at lines 1, 3 only.",
    );
  });
  test("a number for something absent is refused", () => checkFails("a\n", ["E 1", "b", "."], "1 Match not found"));
  test("an empty block without a number is refused", () =>
    checkFails("a\n", ["I", ".", "x", "."], "1 Empty match requires occurrence"));
  test("a position beyond the end is refused", () => {
    checkFails(
      "a\nb\n",
      ["I 4", ".", "x", "."],
      "1 Occurrence out of range\nThe file has 2 lines, so positions go from 1 to 3.",
    );
  });
});

describe("no match", () => {
  test("a block longer than the file is not found", () =>
    checkFails("a\n", ["R", "a", "b", "c", ".", "x", "."], "1 Match not found"));
  test("an empty file has no match", () =>
    checkFails("", ["R", "a", ".", "x", "."], "1 Match not found\nThe file is empty; use T or B."));
  test("the failing operation is numbered", () =>
    checkFails("a\n", ["T", "b", ".", "E", "c", "."], "2 Match not found"));
  test("white space counts, and the help says so", () => {
    checkFails(
      "if (x) {\n  go();\n}\n",
      ["R", "if (x) {", "    go();", "}", ".", "."],
      '1 Match not found\nLine 2 of the find block, "    go();", differs only in white space from line 2, "  go();".\n' +
        "The nearest lines of the file are:\n1\tif (x) {\n2\t  go();\n3\t}",
    );
  });
  test("a misremembered line is answered with the one most like it", () => {
    checkFails(
      "one\nconst total = sum(items);\nthree\n",
      ["R", "const total = sum(values);", ".", "x", "."],
      '1 Match not found\nLine 1 of the find block, "const total = sum(values);", differs from line 2.\n' +
        "The nearest lines of the file are:\n2\tconst total = sum(items);",
    );
  });
  test("a nearly right line says more than a brace in common", () =>
    checkFails(
      "}\nfunction total(items) {\n}\n",
      ["R", "function total(values) {", "}", ".", "x", "."],
      '1 Match not found\nLine 1 of the find block, "function total(values) {", differs from line 2.\n' +
        "The nearest lines of the file are:\n2\tfunction total(items) {\n3\t}",
    ));
  test("of a long block the first lines of its place are shown, and that there are more", () => {
    const lines = Array.from({ length: 20 }, (_, at) => `const value${at} = compute(${at});`);
    const rows = (count: number, from = 0): string =>
      lines
        .slice(from, from + count)
        .map((line, at) => `${from + at + 1}\t${line}`)
        .join("\n");
    const nearest = (block: readonly string[]): string =>
      describeNearestLines(lines, block).split("file are:\n")[1] ?? "";
    expect(nearest([...lines.slice(0, 14), "else"])).toBe(`${rows(12)}\n…`);
    expect(nearest([...lines.slice(0, 11), "else"])).toBe(rows(12));
    // What would lie behind the end of the file is no line of it.
    expect(nearest([...lines.slice(8), "else"])).toBe(rows(12, 8));
    expect(nearest([...lines.slice(7), "else"])).toBe(`${rows(12, 7)}\n…`);
    expect(nearest(["else", ...lines.slice(0, 2)])).toBe(rows(2));
  });
  test("line numbers copied from read_file are recognised", () =>
    checkFails("a\nb\n", ["R", "  1\ta", "  2\tb", ".", "x", "."], "1 Match not found\nLeave out the line numbers"));
  test("nothing alike is said plainly", () =>
    checkFails("aaaa\nbbbb\n", ["E", "xyzw", "."], "1 Match not found\nNothing in the file is like it"));
  test("blank lines and line ends do not hide a bug in a long block", () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
    const text = `${lines.join("\n")}\n`;
    const wanted = lines.slice(5, 35).with(20, "line changed");
    expect(patched(text, ["E", ...wanted, "."])).toContain(
      'Line 21 of the find block, "line changed", differs from line 26.',
    );
  });
});

test("work is bounded: blank lines against blank lines, and many operations on many lines", () => {
  const blank = Array.from({ length: 100_000 }, () => "");
  expect(patched(blank.join("\n"), ["E 1", ...blank.slice(0, 50_000), "x", "."])).toContain(
    "failed: 1 Match not found",
  );
  const many = Array.from({ length: 600 }, () => "N +");
  expect(patched(blank.join("\n"), many)).toContain("failed: 201 Too many operations for a file of this length");
});

const letters = fc.constantFrom("a", "b", "");
const lineLists = fc.array(letters, { maxLength: 8 });
const matchOperations: fc.Arbitrary<MatchOperation> = fc.record({
  type: fc.constantFrom("replace" as const, "insert-after" as const, "insert-before" as const),
  line: fc.constant(1),
  occurrence: fc.option(fc.integer({ min: 1, max: 6 })),
  find: fc.array(letters, { maxLength: 3 }),
  block: fc.array(fc.constantFrom("x", "a"), { maxLength: 2 }),
});

/** The plainest reading of the rules: try every position, then build the list again. */
function reference(lines: readonly string[], operation: MatchOperation): readonly string[] | undefined {
  const { find, occurrence } = operation;
  const starts = [...Array(lines.length + 1).keys()].filter((at) =>
    find.every((line, offset) => lines[at + offset] === line),
  );
  if (find.length === 0 && occurrence === null) return undefined;
  const at = occurrence === null && starts.length !== 1 ? undefined : starts[(occurrence ?? 1) - 1];
  if (at === undefined) return undefined;
  const matched = lines.slice(at, at + find.length);
  const block = operation.type === "erase" ? [] : operation.block;
  const middle = {
    replace: block,
    erase: [],
    "insert-after": [...matched, ...block],
    "insert-before": [...block, ...matched],
  }[operation.type];
  return [...lines.slice(0, at), ...middle, ...lines.slice(at + find.length)];
}

test("R, I, P and E do what a plain list implementation does", () => {
  const operations = fc.oneof(
    matchOperations,
    matchOperations.map((given) => ({
      type: "erase" as const,
      line: 1,
      occurrence: given.occurrence,
      find: given.find,
    })),
  );
  fc.assert(
    fc.property(lineLists, operations, (lines, operation) => {
      const model = {
        lines,
        finalNewline: lines.length > 0,
        eol: "\n" as const,
        mixedEol: false,
        byteOrderMark: false,
      };
      const result = applyOperations(model, [operation]);
      expect(result.type === "applied" ? result.model.lines : undefined).toEqual(reference(lines, operation));
    }),
    { numRuns: runs(1000) },
  );
});

test("N laws: N + ends every file with a newline, N - takes at most one away, and both twice are the same as once", () => {
  const texts = lineLists.chain((lines) =>
    fc.boolean().map((ended) => lines.join("\n") + (ended && lines.length > 0 ? "\n" : "")),
  );
  const plus: Operation = { type: "final-newline", line: 1, present: true };
  const minus: Operation = { type: "final-newline", line: 1, present: false };
  fc.assert(
    fc.property(texts, (text) => {
      expect(applied(text, [plus])).toBe(text.endsWith("\n") ? text : `${text}\n`);
      expect(applied(text, [minus])).toBe(text.endsWith("\n") ? text.slice(0, -1) : text);
      expect(applied(text, [plus, plus])).toBe(applied(text, [plus]));
      expect(applied(text, [minus, minus])).toBe(applied(text, [minus]));
      expect(applied(text, [])).toBe(text);
    }),
  );
});
