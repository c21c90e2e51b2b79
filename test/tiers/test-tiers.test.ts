import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { filesToRun, testFiles, tierOf } from "./test-tiers.ts";

const root = join(import.meta.dirname, "..", "..");

test("every test file belongs to exactly one tier, and that tier runs it", () => {
  const all = testFiles(root);
  const [fast, slow] = [filesToRun(root, "fast"), filesToRun(root, "slow")];
  const own = slow.filter((path) => tierOf(path) === "slow");
  expect([...fast, ...own].toSorted()).toEqual(all.toSorted());
  expect(fast.filter((path) => own.includes(path))).toEqual([]);
  expect([fast.length > own.length, own.length > 0]).toEqual([true, true]);
});

test("every test file lies in a folder of tests", () => {
  expect(testFiles(root).filter((path) => !/(^|\/)test\//.test(path))).toEqual([]);
});

test("the slow tier runs its own files, and of the fast one those that only sample there", () => {
  const folder = mkdtempSync(join(tmpdir(), "capstan-tiers-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "test", "node_modules"), { recursive: true });
  const files = {
    "plain.test.ts": "fc.sample(words); overruns(3);",
    "sampled.test.ts": "fc.assert(words, { numRuns: runs(100) });",
    "stories.test.ts": 'slowTest.for(cases)("%s", play); const { slowTest } = kit;',
    "named.test.ts": "// No slowTest here.",
    "wires.test.ts": 'overWires("over %s", () => undefined);',
    "torture.slow.test.ts": "",
    "stage.ts": "",
    "node_modules/other.test.ts": "",
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, "test", path), text);
  expect(filesToRun(folder, "fast")).toEqual([
    "test/named.test.ts",
    "test/plain.test.ts",
    "test/sampled.test.ts",
    "test/stories.test.ts",
    "test/wires.test.ts",
  ]);
  expect(filesToRun(folder, "slow")).toEqual([
    "test/sampled.test.ts",
    "test/stories.test.ts",
    "test/torture.slow.test.ts",
    "test/wires.test.ts",
  ]);
});
