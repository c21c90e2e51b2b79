import type { FileChange } from "@capstan/protocol";
import { expect, test } from "vitest";
import { Workshop } from "../workshop.ts";

async function describeChange(shop: Workshop, change: () => void): Promise<readonly FileChange[]> {
  const checkpoint = await shop.keep();
  change();
  return await shop.checkpoints.describe(shop.workspace, await shop.since(checkpoint), shop.signal);
}

test("effects are reported with kinds, counted lines and diffs", async () => {
  const shop = new Workshop();
  shop.write("changed", "1\n2\n3\n");
  shop.write("deleted", "1\n");
  shop.write("script", "1\n");
  shop.write("binary", Buffer.from([0, 1]));
  shop.link("link", "old");
  const changes = await describeChange(shop, () => {
    shop.write("changed", "1\ntwo\n3\n4\n");
    shop.remove("deleted");
    shop.write("script", "1\n", 0o755);
    shop.write("binary", Buffer.from([0, 2]));
    shop.remove("link");
    shop.link("link", "new");
    shop.write("created/new\nline", "1\n");
  });
  expect(changes).toEqual([
    { path: "binary", kind: "modified", addedLines: 0, removedLines: 0 },
    {
      path: "changed",
      kind: "modified",
      addedLines: 2,
      removedLines: 1,
      diff: "--- a/changed\n+++ b/changed\n@@ -1,3 +1,4 @@\n 1\n-2\n+two\n 3\n+4\n",
    },
    {
      path: "created/new\nline",
      kind: "created",
      addedLines: 1,
      removedLines: 0,
      diff: '--- /dev/null\n+++ "b/created/new\\nline"\n@@ -0,0 +1,1 @@\n+1\n',
    },
    {
      path: "deleted",
      kind: "deleted",
      addedLines: 0,
      removedLines: 1,
      diff: "--- a/deleted\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-1\n",
    },
    {
      path: "link",
      kind: "modified",
      addedLines: 1,
      removedLines: 1,
      diff: "--- a/link\n+++ b/link\n@@ -1,1 +1,1 @@\n-old\n\\ No newline at end of file\n+new\n\\ No newline at end of file\n",
    },
    { path: "script", kind: "modified", addedLines: 0, removedLines: 0, diff: "old mode 100644\nnew mode 100755\n" },
  ]);
});

test("a long diff is cut and says so, and all of them together stay within a limit", async () => {
  const shop = new Workshop();
  const changes = await describeChange(shop, () => {
    for (let number = 0; number < 40; number += 1) shop.write(`n${number}`, `${number} of many\n`.repeat(4000));
  });
  const diffs = changes.flatMap(({ diff }) => diff ?? []);
  expect(changes.map(({ addedLines }) => addedLines)).toEqual(Array.from({ length: 40 }, () => 4000));
  expect(diffs.every((diff) => /\[diff cut: \d+ more lines\]\n$/.test(diff))).toBe(true);
  expect(diffs.reduce((sum, diff) => sum + diff.length, 0)).toBeLessThan(600_000);
});

test("paths outside of the working directory are absolute", async () => {
  const shop = new Workshop();
  const checkpoint = await shop.keep();
  shop.write("sub/a", "1");
  shop.write("b", "1");
  const workspace = { cwd: shop.path("sub"), roots: [shop.root] };
  const changes = await shop.checkpoints.describe(workspace, await shop.since(checkpoint), shop.signal);
  expect(changes.map(({ path }) => path)).toEqual([shop.path("b"), "a"]);
});
