/** `docs/reference/crash-matrix.md` has every cell that can be lived through, once, and every test it names is there. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { type MatrixFault, type MatrixTest, matrixOutcomes, shown } from "../../scripts/reference/crash-matrix-cell.ts";
import { matrixFaults } from "../../scripts/reference/crash-matrix-rows.ts";
import { fastTests, readTestFile, titlesIn } from "./stage/test-titles.ts";

const root = join(import.meta.dirname, "..", "..");
const faults = Object.values(matrixFaults).flat();
const all = "P1 P2 P3 P4 P5 P6 P7 P8 P9 P10 P11 P12";

/** The live cells, said once more, row by row: a row or a cell that goes missing in the data is missed here. */
const live: Readonly<Record<string, string>> = {
  SIGKILL: all,
  "The power fails": all,
  "SIGKILL again": all,
  "The process ends by itself": all,
  SIGTERM: all,
  "No space": all,
  "EIO on write": all,
  "The database is locked": all,
  "The database is removed": all,
  "A disk made read-only": all,
  "A second process": all,
  "The clock jumps": all,
  "A reset": "P1 P2 P3 P10",
  Silence: "P1 P2 P3 P10",
  "429, 5xx": "P1 P2 P3 P10",
  "No such host": "P1 P2 P3 P10",
  "Events twice": "P1 P2 P3 P4 P10",
  "Characters split": "P2 P3 P10",
  "Arguments that are huge": "P3 P4",
  "Events, blocks or tools": "P2 P3 P4 P10",
  "A command that never ends": "P7",
  "A command that leaves daemons": "P7",
  "Output without end": "P7 P8",
  "A command that removes": "P7 P8 P9",
  "A client goes away": all,
  "A chat service": "P1 P2 P3 P4 P5 P6 P7 P8 P9 P10 P11",
};
const cellsInAll = 204;

/** What is wrong with the cells of these faults, in words. */
function wrongCells(rows: readonly MatrixFault[]): readonly string[] {
  const names = Object.keys(live);
  const nameOf = ({ fault }: MatrixFault): string =>
    names.filter((name) => fault === name || fault.startsWith(`${name},`) || fault.startsWith(`${name} `)).at(-1) ??
    names.filter((name) => fault.startsWith(name)).at(-1) ??
    fault;
  const found = rows.map((row) => [nameOf(row), Object.keys(row.cells).join(" ")] as const);
  return [
    ...names.flatMap((name) => {
      const times = found.filter(([other]) => other === name).length;
      return times === 1 ? [] : [`${name}: ${times} times`];
    }),
    ...found.flatMap(([name, cells]) =>
      live[name] === cells ? [] : [`${name}: ${cells}, not ${live[name] ?? "known"}`],
    ),
  ];
}

/** What is wrong with the tests that are named, in words. */
function wrongTests(rows: readonly MatrixFault[]): readonly string[] {
  const named = rows.flatMap(({ fault, cells }) =>
    Object.entries(cells).flatMap(([phase, cell]) => {
      if (cell.type === "not-built") return cell.missing === "" ? [`${fault} ${phase}: nothing is said`] : [];
      const codes = cell.outcome.split(/[+/]/);
      const problems = cell.tests.flatMap((one) => wrongTest(one));
      return [
        ...codes
          .filter((code) => !Object.hasOwn(matrixOutcomes, code))
          .map((code) => `${fault} ${phase}: code ${code}`),
        ...(cell.tests.length === 0 ? [`${fault} ${phase}: no test`] : []),
        ...problems.map((problem) => `${fault} ${phase}: ${problem}`),
      ];
    }),
  );
  return [...new Set(named)];
}

const files = new Map<string, ReturnType<typeof readTestFile> | null>();

function wrongTest({ file, title, of = [] }: MatrixTest): readonly string[] {
  const held = files.get(file) ?? readIfThere(file);
  files.set(file, held);
  if (held === null) return [`there is no ${file}`];
  if (!held.titles.includes(title)) return [`${file} has no test "${title}"`];
  return of.flatMap((one) => (holds(held.text, one) ? [] : [`${file} has no case ${one} for "${title}"`]));
}

function readIfThere(file: string): ReturnType<typeof readTestFile> | null {
  try {
    return readTestFile(root, file);
  } catch {
    return null;
  }
}

/** Cases stand in their file as texts of their own, or as whole words of one. */
function holds(text: string, one: string): boolean {
  const places = text.split(one);
  return places.slice(1).some((after, index) => !/^[\w-]/.test(after) && !/[\w-]$/.test(places[index] ?? ""));
}

test("every live cell is there once", () => {
  expect(wrongCells(faults)).toEqual([]);
  expect(faults.flatMap(({ cells }) => Object.keys(cells))).toHaveLength(cellsInAll);
});

test("every test that a cell names is in its file, with its cases, and every code is explained", () => {
  expect(wrongTests(faults)).toEqual([]);
});

test("a missing, a doubled and an unknown row are noticed, and so is a missing cell", () => {
  const [first, ...rest] = faults;
  const row = first ?? { fault: "", cells: {} };
  const { P1: _, ...fewer } = row.cells;
  expect(wrongCells(rest)).toEqual(["SIGKILL: 0 times"]);
  expect(wrongCells([row, ...faults])).toEqual(["SIGKILL: 2 times"]);
  expect(wrongCells([{ ...row, cells: fewer }, ...rest])[0]).toBe(`SIGKILL: ${all.slice(3)}, not ${all}`);
  expect(wrongCells([...faults, { fault: "Moonlight", cells: {} }])[0]).toContain("Moonlight");
});

test.for<[string, MatrixTest, string]>([
  ["a file", { file: "test/none.test.ts", title: "x" }, "there is no test/none.test.ts"],
  ["a title", { file: "test/docs.test.ts", title: "no such promise" }, 'has no test "no such promise"'],
  ["a case", { file: "test/crash-matrix/dies.test.ts", title: deathTitle(), of: ["P99"] }, "has no case P99"],
])("%s that does not exist is noticed", ([, named, problem]) => {
  expect(wrongTests([{ fault: "x", cells: { P1: shown("a", named) } }])).toEqual([expect.stringContaining(problem)]);
});

test("a code that nobody explains, and a cell without a test, are noticed", () => {
  expect(wrongTests([{ fault: "x", cells: { P1: shown("a+zz") } }])).toEqual(["x P1: code zz", "x P1: no test"]);
});

test("titles are found however a test is written, and only titles", () => {
  const source = [
    'test("plain", () => { run("not this") });',
    "  test.each<[string, Map<string, number>]>([[`a) \\` (`, 1]])('with %s', () => {});",
    'it.skipIf(no("way"))(\n  "over \\"lines\\"",\n  slow,\n);',
    'describe("not this", () => {});',
    'const test = "nor this";',
    'test.for(rows.filter((row) => row !== ")"))("$id: $vendor", async () => {});',
    'slowTest("and slow", () => {});',
  ].join("\n");
  const fast = ["plain", "with %s", 'over "lines"', "$id: $vendor"];
  expect(titlesIn(source)).toEqual([...fast, "and slow"]);
  expect(titlesIn(source, fastTests)).toEqual(fast);
});

function deathTitle(): string {
  return "the process ends: the next one continues as promised, and nothing happens twice";
}
