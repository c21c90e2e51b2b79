/** Each invariant is broken once, in a copy of the tree: the test that owns it must fail. `npm run promises` runs this alone. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TreeCopy } from "../../scripts/mutants/tree-copy.ts";
import { WarmTests } from "../../scripts/mutants/warm-tests.ts";
import { invariants } from "./invariants.ts";
import type { OwnedPromise } from "./promise.ts";

const root = join(import.meta.dirname, "..", "..");
/** Far above any of these tests on a quiet machine. */
const limitMs = 240_000;

let copy: TreeCopy;
let tests: WarmTests;
beforeAll(() => {
  copy = new TreeCopy(root);
  tests = new WarmTests(copy, limitMs, { CAPSTAN_TEST_TIER: undefined });
});
afterAll(() => {
  tests.close();
  copy.remove();
});

/** Runs the owners of these promises, and says whether one of them fails. */
async function fails(...promises: readonly OwnedPromise[]): Promise<boolean> {
  const owners = promises.map(({ owner }) => owner);
  const titles = new Set(owners.map(({ title }) => title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)));
  const ran = await tests.run([...new Set(owners.map(({ file }) => file))], { titles: [...titles].join("|") });
  if (ran === "late") return true;
  expect(ran.count).toBeGreaterThanOrEqual(titles.size);
  return ran.failed.length > 0;
}

test("without a fault every owner passes", { timeout: 2 * limitMs }, async () => {
  expect(await fails(...invariants)).toBe(false);
});

test.for(invariants)("the owner notices a fault: $says", { timeout: 2 * limitMs }, async (invariant) => {
  const { file, from, to } = invariant.fault;
  const source = copy.read(file);
  expect(source.split(from)).toHaveLength(2);
  expect(
    await tests.with(
      file,
      source.replace(from, () => to),
      async () => await fails(invariant),
    ),
  ).toBe(true);
});

test("with its own text again every owner passes", { timeout: 2 * limitMs }, async () => {
  expect(await fails(...invariants)).toBe(false);
});
