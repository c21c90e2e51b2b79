import { runs } from "@capstan/testkit";
import { type Row, rowText, rowWidth } from "@capstan/view";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { diffRows } from "../../src/cells/diff-rows.ts";

const diff = [
  "--- a/a.txt",
  "+++ b/a.txt",
  "@@ -1,4 +1,5 @@",
  " first",
  "-the old word here",
  "+the new word here",
  "+one more",
  " last",
].join("\n");

function texts(rows: readonly Row[]): readonly string[] {
  return rows.map((row) => rowText(row).trimEnd());
}

function halves(row: string): readonly string[] {
  return row.split("│").map((half) => half.trimEnd());
}

function marks(rows: readonly Row[]): readonly (readonly [string, string])[] {
  return rows.flatMap((row) =>
    row.flatMap(({ text, roles }) =>
      roles.filter((role) => role.endsWith("-mark")).map((role): readonly [string, string] => [text, role]),
    ),
  );
}

test("below 140 columns what was stands above what is", () => {
  expect(texts(diffRows(diff, 139, false))).toEqual([
    "    1   first",
    "    2 - the old word here",
    "    2 + the new word here",
    "    3 + one more",
    "    4   last",
  ]);
});

test("from 140 columns what was stands beside what is, with the numbers of each and the same marks on words", () => {
  const rows = diffRows(diff, 140, false);
  expect(texts(rows).map(halves)).toEqual([
    ["    1   first", "    1   first"],
    ["    2 - the old word here", "    2 + the new word here"],
    ["", "    3 + one more"],
    ["    3   last", "    4   last"],
  ]);
  expect(marks(rows)).toEqual(marks(diffRows(diff, 139, false)));
  expect(marks(rows).length).toBeGreaterThan(0);
});

test("a file that is new has one side only, however wide the screen is", () => {
  const created = ["--- /dev/null", "+++ b/a.txt", "@@ -0,0 +1,2 @@", "+one", "+two"].join("\n");
  expect(texts(diffRows(created, 200, false))).toEqual(["    1 + one", "    2 + two"]);
});

test("what is left out is counted in lines of the diff, in both forms", () => {
  const changed = Array.from({ length: 30 }, (_, at) => `-old ${at}`).concat(
    Array.from({ length: 30 }, (_, at) => `+new ${at}`),
  );
  const long = ["--- a/a", "+++ b/a", "@@ -1,30 +1,30 @@", ...changed].join("\n");
  expect(texts(diffRows(long, 100, false)).at(-1)).toBe("      … 36 more lines");
  expect(texts(diffRows(long, 160, false)).at(-1)).toBe("      … 12 more lines");
  expect(diffRows(long, 160, true)).toHaveLength(30);
});

test("whatever the lines are, no row is wider than the screen, and both forms show every line that has room", () => {
  const line = fc.tuple(fc.constantFrom(" ", "-", "+"), fc.constantFrom("a", "漢字", "\tx", "👩‍👩‍👧", "word ".repeat(60)));
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 140, max: 300 }),
      (lines, columns) => {
        const before = lines.filter(([sign]) => sign !== "+").length;
        const after = lines.filter(([sign]) => sign !== "-").length;
        const text = ["--- a/a", "+++ b/a", `@@ -1,${before} +1,${after} @@`, ...lines.map((parts) => parts.join(""))];
        const rows = diffRows(text.join("\n"), columns, true);
        for (const row of rows) expect(rowWidth(row)).toBeLessThanOrEqual(columns);
        const shown = texts(rows).join("\n");
        const count = (sign: string): number => lines.filter(([own]) => own === sign).length;
        expect(shown.match(/^ {3}[ \d]\d \+ |│ {3}[ \d]\d \+ /gm)?.length ?? 0).toBe(count("+"));
        expect(shown.match(/^ {3}[ \d]\d - /gm)?.length ?? 0).toBe(count("-"));
      },
    ),
    { numRuns: runs(200) },
  );
});
