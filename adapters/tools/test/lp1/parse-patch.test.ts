import * as fc from "fast-check";
import { ToolRefusal } from "@capstan/protocol";
import { describe, expect, test } from "vitest";
import { patchLimits } from "../../src/lp1/limits.ts";
import { parsePatch } from "../../src/lp1/parse-patch.ts";
import type { FileSection, Operation, Patch } from "../../src/lp1/patch.ts";
import { printPatch } from "./print-patch.ts";

function check(text: string, sections: readonly FileSection[]): void {
  expect(parsePatch(text)).toEqual({ sections });
}

/** Sections of a patch without their line numbers, which other tests look at. */
function operationsOf(body: readonly string[]): readonly unknown[] {
  const { sections } = parsePatch(["LP1", "F f", ...body, "END"].join("\n"));
  return sections.flatMap((section) => section.operations.map(({ line: _line, ...operation }) => operation));
}

function refusal(text: string): string {
  try {
    parsePatch(text);
  } catch (error) {
    if (error instanceof ToolRefusal && error.code === "patch.syntax" && error.kind === "rejected")
      return error.message;
    throw error;
  }
  throw new Error("the patch was accepted");
}

describe("envelope", () => {
  test("a patch without files is legal", () => check("LP1\nEND", []));
  test("blank lines and comments may stand before the header", () => check("\n  # note\n\n LP1 \n# x\n\n END \n", []));
  test("what follows END is ignored", () => check("LP1\nEND\nF nothing\nZ\n", []));
  test("a CRLF patch reads like an LF patch", () => {
    expect(parsePatch("LP1\r\nF f\r\nR\r\na\r\n.\r\nb\r\n. \r\nEND\r\n")).toEqual(
      parsePatch("LP1\nF f\nR\na\n.\nb\n. \nEND\n"),
    );
  });
  test("one enclosing fence is accepted and line numbers stay", () => {
    check("```lp1\nLP1\nF f\nN +\nEND\n```\n", [
      { path: "f", line: 3, operations: [{ type: "final-newline", line: 4, present: true }] },
    ]);
    check("~~~\nLP1\nEND\n~~~", []);
  });
  test.each([
    ["", "Patch line 1: Missing LP1 header."],
    ["# only a comment", "Patch line 1: Missing LP1 header."],
    ["LP2\nEND", "Patch line 1: Invalid LP1 header."],
    ["lp1\nEND", "Patch line 1: Invalid LP1 header."],
    ["Here is the patch:\nLP1\nEND", "Patch line 1: Invalid LP1 header."],
    ["diff --git a/x b/x\n", "This is a unified diff; this tool expects LP1."],
    ["--- a/x\n+++ b/x\n", "This is a unified diff; this tool expects LP1."],
    ["```diff\n--- a/x\n+++ b/x\n```", "This is a unified diff; this tool expects LP1."],
    ["<<<<<<< SEARCH\n", "search/replace markers"],
    ["LP1", "Patch line 1: Missing END footer."],
    ["LP1\nF f\n", "Missing END footer."],
    ["LP1\nF f\nT\na\n.\n", "Missing END footer."],
    ["LP1\nR\na\n.\nb\n.\nEND", "Patch line 2: Expected file section (F <path>)."],
  ])("%j is refused", (text, problem) => {
    expect(refusal(text)).toContain(problem);
  });
  test("a header error shows the shape of a patch", () => {
    expect(refusal("*** Begin Patch")).toContain("LP1\nF path/to/file\nR\nold line\n.\nnew line\n.\nEND");
  });
});

describe("file section", () => {
  test.each([
    ["F a.txt", "a.txt"],
    ["  F   dir/a.txt  ", "dir/a.txt"],
    ["F\ta.txt", "a.txt"],
    ["F a.txt and more", "a.txt"],
    ["Foo", "oo"],
    ['F "a b.txt"', "a b.txt"],
    ['F"a b.txt"  ', "a b.txt"],
    [String.raw`F "a\"b\\c"`, String.raw`a"b\c`],
    ["F ünï/日本.txt", "ünï/日本.txt"],
    ['F a"b', 'a"b'],
  ])("%j names %j", (line, path) => expect(parsePatch(`LP1\n${line}\nEND`).sections[0]?.path).toBe(path));
  test.each([
    ["F", "Missing file path"],
    ["F   ", "Missing file path"],
    ['F ""', "Missing file path"],
    ['F "a', "Unterminated quoted path"],
    ['F "a\\', "Unterminated quoted path"],
    [String.raw`F "a\n"`, "Invalid escape in quoted path"],
    ['F "a"b', "Unexpected text after quoted path"],
    ['F "a" b', "Unexpected text after quoted path"],
  ])("%j is refused", (line, problem) => {
    expect(refusal(`LP1\n${line}\nEND`)).toContain(`Patch line 2: ${problem}.`);
  });
  test("sections follow each other, the same file may come again, and a section may be empty", () => {
    check("LP1\nF a\nF b\nN -\n\nF a\nEND", [
      { path: "a", line: 2, operations: [] },
      { path: "b", line: 3, operations: [{ type: "final-newline", line: 4, present: false }] },
      { path: "a", line: 6, operations: [] },
    ]);
  });
});

describe("operations", () => {
  test("every operation is read with its blocks and its line", () => {
    const body = [
      "R",
      "a",
      ".",
      "b",
      ".",
      "I 2",
      "c",
      ".",
      "d",
      ".",
      "P",
      "e",
      ".",
      "f",
      ".",
      "E 3",
      "g",
      ".",
      "T",
      "h",
      ".",
      "B",
      "i",
      ".",
      "N +",
    ];
    check(["LP1", "F f", ...body, "END"].join("\n"), [
      {
        path: "f",
        line: 2,
        operations: [
          { type: "replace", line: 3, occurrence: null, find: ["a"], block: ["b"] },
          { type: "insert-after", line: 8, occurrence: 2, find: ["c"], block: ["d"] },
          { type: "insert-before", line: 13, occurrence: null, find: ["e"], block: ["f"] },
          { type: "erase", line: 18, occurrence: 3, find: ["g"] },
          { type: "append", line: 21, block: ["h"] },
          { type: "prepend", line: 24, block: ["i"] },
          { type: "final-newline", line: 27, present: true },
        ],
      },
    ]);
  });
  test("an occurrence may touch its letter, and letters may be indented", () => {
    expect(operationsOf(["  R2", "a", ".", "."])).toEqual([{ type: "replace", occurrence: 2, find: ["a"], block: [] }]);
    expect(operationsOf(["N-", "N   +  "])).toEqual([
      { type: "final-newline", present: false },
      { type: "final-newline", present: true },
    ]);
  });
  test("text after T and B is ignored", () => {
    expect(operationsOf(["T at the end", "a", ".", "Begin", "b", "."])).toEqual([
      { type: "append", block: ["a"] },
      { type: "prepend", block: ["b"] },
    ]);
  });
  test("blank lines and comments are skipped between operations only", () => {
    expect(operationsOf(["", "# note", "R", "# kept", "", ".", "", "  # kept too", ".", "# note", ""])).toEqual([
      { type: "replace", occurrence: null, find: ["# kept", ""], block: ["", "  # kept too"] },
    ]);
  });
  test("blocks may hold what looks like statements", () => {
    expect(operationsOf(["T", "END", "F x", "LP1", "."])).toEqual([{ type: "append", block: ["END", "F x", "LP1"] }]);
  });
  test("empty blocks are legal", () => {
    expect(operationsOf(["R 1", ".", ".", "T", "."])).toEqual([
      { type: "replace", occurrence: 1, find: [], block: [] },
      { type: "append", block: [] },
    ]);
  });
  test.each([
    ["R x", "Invalid occurrence"],
    ["R -1", "Invalid occurrence"],
    ["R 1.5", "Invalid occurrence"],
    ["R 1 2", "Invalid occurrence"],
    ["Replace", "Invalid occurrence"],
    ["E 99999999999999999999", "Invalid occurrence"],
    ["R 0", "Occurrence must be >= 1"],
    ["I 000", "Occurrence must be >= 1"],
    ["N", "Invalid N flag; expected + or -"],
    ["N *", "Invalid N flag; expected + or -"],
    ["N ++", "Invalid N flag; expected + or -"],
    ["X", "Unknown LP1 operation"],
    ["r", "Unknown LP1 operation"],
    ["+ line", "Unknown LP1 operation"],
    [".", "Unknown LP1 operation"],
    ["LP1", "Unknown LP1 operation"],
  ])("%j is refused", (statement, problem) => {
    expect(refusal(`LP1\nF f\n${statement}\na\n.\nb\n.\nEND`)).toContain(`Patch line 3: ${problem}`);
  });
});

describe("blocks", () => {
  test("a doubled dot loses one, whatever follows", () => {
    expect(operationsOf(["T", "..", "...", "..gitignore", ".. ", " .", "a.", "."])).toEqual([
      { type: "append", block: [".", "..", ".gitignore", ". ", " .", "a."] },
    ]);
  });
  test("a terminator may be followed by spaces and tabs, and by nothing else", () => {
    expect(operationsOf(["T", "a", ". \t "])).toEqual([{ type: "append", block: ["a"] }]);
  });
  test.each([
    [
      ["T", ".x", "."],
      'Patch line 4: Dot-stuffed line must start with \'..\'. No file was changed. Write the line ".x" as "..x".',
    ],
    [["T", ". x", "."], "Patch line 4: Dot-stuffed line must start with '..'."],
    [["T", "a"], "Patch line 4: Unterminated LP1 block."],
    [["R", "a", ".", "b"], "Patch line 6: Unterminated LP1 block."],
    [["T", " .", ""], "Unterminated LP1 block."],
    [["T", "a\rb", "."], "Patch line 4: Bare CR in LP1 block."],
  ])("%j is refused", (body, problem) => {
    expect(refusal(["LP1", "F f", ...body, "END"].join("\n"))).toContain(problem);
  });
  test("white space inside blocks is kept, unicode too", () => {
    expect(operationsOf(["T", "\tx  ", "", "naïve 😀", "."])).toEqual([
      { type: "append", block: ["\tx  ", "", "naïve 😀"] },
    ]);
  });
});

describe("limits", () => {
  test("too many sections or operations are refused with the number", () => {
    const sections = `LP1\n${"F f\n".repeat(patchLimits.maxSections + 1)}END`;
    expect(refusal(sections)).toContain(`More than ${patchLimits.maxSections} file sections`);
    const operations = `LP1\nF f\n${"N +\n".repeat(patchLimits.maxOperations + 1)}END`;
    expect(refusal(operations)).toContain(`More than ${patchLimits.maxOperations} operations`);
  });
});

const line = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }).map((text) => text.replaceAll(/[\r\n]/g, "")),
  fc.constantFrom("", ".", "..", ".x", ". ", "END", "F x", "# y", "LP1", "😀"),
);
const block = fc.array(line, { maxLength: 4 });
const occurrence = fc.option(fc.integer({ min: 1, max: 9 }));
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({
    type: fc.constantFrom("replace" as const, "insert-after" as const, "insert-before" as const),
    line: fc.constant(0),
    occurrence,
    find: block,
    block,
  }),
  fc.record({ type: fc.constant("erase" as const), line: fc.constant(0), occurrence, find: block }),
  fc.record({ type: fc.constantFrom("append" as const, "prepend" as const), line: fc.constant(0), block }),
  fc.record({ type: fc.constant("final-newline" as const), line: fc.constant(0), present: fc.boolean() }),
);
const path = fc.string({ minLength: 1, maxLength: 12 });

test("any patch that is printed parses to itself", () => {
  const sections = fc.array(
    fc.record({ path, line: fc.constant(0), operations: fc.array(operation, { maxLength: 5 }) }),
    { maxLength: 4 },
  );
  fc.assert(
    fc.property(sections, (given) => {
      expect(unnumbered(parsePatch(printPatch({ sections: given })))).toEqual({ sections: given });
    }),
  );
});

test("any text is parsed or refused as patch.syntax", () => {
  const statements = fc.constantFrom(
    "LP1",
    "END",
    "F f",
    "R",
    "I 2",
    "E",
    "T",
    "B",
    "N +",
    ".",
    "..",
    "a",
    "",
    "#",
    '"',
    "\r",
  );
  const texts = fc.oneof(
    fc.string(),
    fc.array(statements, { maxLength: 20 }).map((lines) => ["LP1", ...lines].join("\n")),
  );
  fc.assert(
    fc.property(texts, (text) => {
      expect(["parsed", "refused"]).toContain(outcomeOf(text));
    }),
  );
});

function outcomeOf(text: string): string {
  try {
    parsePatch(text);
    return "parsed";
  } catch (error) {
    return error instanceof ToolRefusal && error.code === "patch.syntax" ? "refused" : String(error);
  }
}

function unnumbered(patch: Patch): unknown {
  return {
    sections: patch.sections.map((section) => ({
      ...section,
      line: 0,
      operations: section.operations.map((given) => ({ ...given, line: 0 })),
    })),
  };
}
