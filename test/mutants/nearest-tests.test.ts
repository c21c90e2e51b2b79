import { expect, test } from "vitest";
import { NearestTests } from "../../scripts/mutants/nearest-tests.ts";

const files = [
  { path: "low/src/index.ts", text: 'export { add } from "./add.ts";\nexport { type Sum, take } from "./take.ts";\n' },
  { path: "low/src/add.ts", text: "export const add = 1;\n" },
  { path: "low/src/take.ts", text: 'import { shared } from "./shared.ts";\nexport const take = shared;\n' },
  { path: "low/src/shared.ts", text: "export const shared = 1;\n" },
  { path: "low/test/take.test.ts", text: 'import { take } from "../src/take.ts";\n' },
  { path: "low/test/index.test.ts", text: 'const all = await import("../src/index.ts");\n' },
  { path: "high/src/index.ts", text: 'import { take as taken } from "@capstan/low";\nexport const high = taken;\n' },
  {
    path: "low/test/type.test.ts",
    text: 'import type { Sum } from "../src/take.ts";\nimport { type Sum } from "@capstan/low";\n',
  },
  { path: "high/src/thread.ts", text: 'start(new URL("worker.ts", import.meta.url));\n' },
  { path: "high/src/worker.ts", text: "go();\n" },
  { path: "high/test/thread.test.ts", text: 'import "../src/thread.ts";\n' },
  { path: "high/src/whole.ts", text: 'export const later = () => import("@capstan/low").then(({ add }) => add);\n' },
  { path: "high/test/whole.test.ts", text: 'import { later } from "../src/whole.ts";\n' },
  { path: "high/test/high.test.ts", text: 'import { high } from "@capstan/high";\n' },
  { path: "high/test/lazy.test.ts", text: 'const { add } = await import("@capstan/low");\n' },
];
const tests = files.map(({ path }) => path).filter((path) => path.endsWith(".test.ts"));
const nearest = new NearestTests(
  files,
  tests,
  new Map([
    ["low", "low"],
    ["high", "high"],
  ]),
);

test("the tests that load a file come the nearest first, through packages by the names that are taken of them", () => {
  expect(nearest.of("low/src/shared.ts")).toEqual([
    "low/test/take.test.ts",
    "low/test/index.test.ts",
    "high/test/high.test.ts",
    "high/test/whole.test.ts",
  ]);
  expect(nearest.of("low/src/add.ts")).toEqual([
    "high/test/lazy.test.ts",
    "low/test/index.test.ts",
    "high/test/whole.test.ts",
  ]);
});

test("a file that is named, as a thread or a program is, counts as loaded", () => {
  expect(nearest.of("high/src/worker.ts")).toEqual(["high/test/thread.test.ts"]);
});

test("a file that nothing loads has no tests, each time it is asked for", () => {
  expect(nearest.of("low/src/other.ts")).toEqual([]);
  expect(nearest.of("low/src/other.ts")).toEqual([]);
});
