/** Each invariant is broken once, in a copy of the tree: the test that owns it must fail. `npm run promises` runs this alone. */
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TreeCopy } from "../../scripts/mutants/tree-copy.ts";
import { invariants } from "./invariants.ts";
import type { OwnedPromise } from "./promise.ts";

const root = join(import.meta.dirname, "..", "..");
/** Far above any of these tests on a quiet machine. */
const limitMs = 240_000;

let copy: TreeCopy;
beforeAll(() => {
  copy = new TreeCopy(root);
});
afterAll(() => copy.remove());

async function failsWith({ owner }: OwnedPromise): Promise<boolean> {
  const only = ["-t", owner.title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)];
  const { code, output } = await copy.run(
    "vitest",
    ["run", owner.file, ...only, "--config", "scripts/mutants/near.config.ts", "--maxWorkers=1", "--no-color"],
    { limitMs, env: { CAPSTAN_TEST_FOLDERS: dirname(owner.file), CAPSTAN_TEST_TIER: undefined } },
  );
  expect(output).toMatch(/Tests +(?:1 failed|1 passed|\d+ (?:failed|passed))/);
  return code !== 0;
}

test.for(invariants)("the owner notices a fault: $says", { timeout: 2 * limitMs }, async (invariant) => {
  const { file, from, to } = invariant.fault;
  const source = copy.read(file);
  expect(source.split(from)).toHaveLength(2);
  expect(await failsWith(invariant)).toBe(false);
  expect(
    await copy.with(
      file,
      source.replace(from, () => to),
      async () => await failsWith(invariant),
    ),
  ).toBe(true);
});
