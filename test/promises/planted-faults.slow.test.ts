/** Each invariant is broken once, in a copy of the tree: the test that owns it must fail. `npm run promises` runs this alone. */
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TreeCopy } from "../../scripts/mutants/tree-copy.ts";
import { invariants } from "./invariants.ts";
import type { OwnedPromise } from "./promise.ts";

const root = join(import.meta.dirname, "..", "..");
/** Far above any of these tests on a quiet machine. */
const limitMs = 240_000;
const nearConfig = "scripts/mutants/near.config.ts";

let copy: TreeCopy;
beforeAll(() => {
  copy = new TreeCopy(root);
});
afterAll(() => copy.remove());

/** Runs the owners of these promises, and says whether one of them fails. */
async function fails(...promises: readonly OwnedPromise[]): Promise<boolean> {
  const owners = promises.map(({ owner }) => owner);
  const titles = owners.map(({ title }) => title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const files = [...new Set(owners.map(({ file }) => file))];
  const { code, output } = await copy.run(
    "vitest",
    ["run", ...files, "-t", titles.join("|"), "--config", nearConfig, "--maxWorkers=1", "--no-color"],
    { limitMs, env: { CAPSTAN_TEST_FOLDERS: files.map(dirname).join(","), CAPSTAN_TEST_TIER: undefined } },
  );
  const [, summary = ""] = /^ *Tests +(.*)/m.exec(output) ?? [];
  const counts = [...summary.matchAll(/(\d+) (?:failed|passed)/g)].map(([, count]) => Number(count));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(new Set(titles).size);
  return code !== 0;
}

test("without a fault every owner passes", { timeout: 2 * limitMs }, async () => {
  expect(await fails(...invariants)).toBe(false);
});

test.for(invariants)("the owner notices a fault: $says", { timeout: 2 * limitMs }, async (invariant) => {
  const { file, from, to } = invariant.fault;
  const source = copy.read(file);
  expect(source.split(from)).toHaveLength(2);
  expect(
    await copy.with(
      file,
      source.replace(from, () => to),
      async () => await fails(invariant),
    ),
  ).toBe(true);
});
