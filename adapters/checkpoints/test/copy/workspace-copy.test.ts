import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WorkspaceCopy } from "@capstan/ports";
import type { FileEffect } from "@capstan/protocol";
import { expect, test } from "vitest";
import { Workshop } from "../workshop.ts";

const copies = (shop: Workshop): string => `${shop.store}-copies`;

async function copyOf(
  shop: Workshop,
  over: readonly FileEffect[] = [],
): Promise<{ copy: WorkspaceCopy; root: string }> {
  const copy = await shop.checkpoints.copy(shop.workspace, over, shop.signal);
  return { copy, root: copy.folders[0]?.copy ?? "" };
}

test("what changes in a copy is no change of the workspace, until it is applied there", async () => {
  const shop = new Workshop();
  shop.write("kept.txt", "kept");
  shop.write("run.sh", "echo", 0o755);
  shop.write("sub/old.txt", "old");
  shop.link("link", "kept.txt");
  const before = shop.files();
  const { copy, root } = await copyOf(shop);
  expect(shop.files(root)).toEqual(before);
  const inside = new Workshop();
  Object.assign(inside, { root });
  inside.write("made.txt", "made");
  inside.remove("sub/old.txt");
  inside.remove("link");
  inside.link("link", "made.txt");
  const after = shop.files(root);
  const { effects, left } = await copy.changes(shop.signal);
  await copy.remove();
  expect([shop.files(), left, readdirSync(copies(shop))]).toEqual([before, [], []]);
  shop.reopen();
  expect(new Set(await shop.apply(effects))).toEqual(new Set(["done"]));
  expect(shop.files()).toEqual(after);
  expect(await shop.apply(effects)).toEqual(effects.map(() => "done"));
});

test("a copy has what was proposed before, and only what came then is its change", async () => {
  const shop = new Workshop();
  shop.write("a.txt", "one");
  const proposed = await shop.checkpoints.propose(
    [
      { path: shop.path("a.txt"), before: sha256("one"), after: Buffer.from("two") },
      { path: shop.path("b.txt"), before: null, after: Buffer.from("new"), mode: 0o755 },
    ],
    [],
  );
  if (proposed.type !== "kept") throw new Error(`not proposed: ${proposed.path}`);
  const { copy, root } = await copyOf(shop, proposed.effects);
  expect(shop.files(root)).toEqual({ "a.txt": "644 two", "b.txt": "755 new" });
  writeFileSync(join(root, "a.txt"), "three");
  const { effects } = await copy.changes(shop.signal);
  expect(effects).toMatchObject([{ path: shop.path("a.txt"), before: proposed.effects[0]?.after }]);
  await copy.remove();
  expect(shop.files()).toEqual({ "a.txt": "644 one" });
  expect(await shop.apply(proposed.effects.slice(0, 1))).toEqual(["done"]);
  expect(await shop.apply(effects)).toEqual(["done"]);
  expect(shop.files()["a.txt"]).toBe("644 three");
});

test("what no longer is what a change was worked out from is not proposed", async () => {
  const shop = new Workshop();
  shop.write("a.txt", "somebody else's");
  const change = { path: shop.path("a.txt"), before: sha256("one"), after: Buffer.from("two") };
  expect(await shop.checkpoints.propose([change], [])).toEqual({ type: "changed", path: shop.path("a.txt") });
  expect(await shop.checkpoints.propose([{ ...change, before: null }], [])).toMatchObject({ type: "changed" });
});

test("what is too large to be kept is said, and not proposed", async () => {
  const shop = new Workshop();
  const { copy, root } = await copyOf(shop);
  writeFileSync(join(root, "large.bin"), Buffer.alloc(6 * 1024 * 1024, 1));
  expect(await copy.changes(shop.signal)).toEqual({ effects: [], left: [shop.path("large.bin")] });
  await copy.remove();
});

test("copies of killed processes are removed, those of living ones stay; a shut folder does not keep one", async () => {
  const shop = new Workshop();
  const long = new Date(Date.now() - 24 * 60 * 60 * 1000);
  // No process has such a number here: they end at 4,194,304.
  for (const name of ["999999999-lost", `${process.pid}-living`]) {
    mkdirSync(join(copies(shop), name, "shut"), { recursive: true });
    mkdirSync(join(copies(shop), name, "shut", "inner"), { mode: 0o000 });
    utimesSync(join(copies(shop), name), long, long);
  }
  const { copy } = await copyOf(shop);
  await copy.remove();
  expect(readdirSync(copies(shop))).toEqual([`${process.pid}-living`]);
});

test("a stopped copy leaves nothing", async () => {
  const shop = new Workshop();
  shop.write("a.txt", "one");
  const stopped = AbortSignal.abort(new Error("stopped"));
  await expect(shop.checkpoints.copy(shop.workspace, [], stopped)).rejects.toThrow("stopped");
  expect(existsSync(copies(shop)) ? readdirSync(copies(shop)) : []).toEqual([]);
});

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

test("a file can be proposed to go, also one that was proposed before, and one that went to come back", async () => {
  const shop = new Workshop();
  shop.write("script", "one", 0o755);
  let over: readonly FileEffect[] = [];
  const propose = async (name: string, before: string | null, after: string | null): Promise<string> => {
    const planned = {
      path: shop.path(name),
      before: before === null ? null : sha256(before),
      after: after === null ? null : Buffer.from(after),
    };
    const proposed = await shop.checkpoints.propose([planned], over);
    if (proposed.type === "kept") over = oneForEach([...over, ...proposed.effects]);
    return proposed.type;
  };
  const inCopy = async (): Promise<unknown> => {
    const { copy, root } = await copyOf(shop, over);
    const files = shop.files(root);
    await copy.remove();
    return files;
  };
  // Who changes a script keeps it executable.
  expect([await propose("script", "one", "two"), await propose("new", null, "made")]).toEqual(["kept", "kept"]);
  expect(await inCopy()).toEqual({ new: "644 made", script: "755 two" });
  expect([await propose("script", "two", null), await propose("new", "made", null)]).toEqual(["kept", "kept"]);
  expect(await inCopy()).toEqual({});
  expect([await propose("script", "two", "three"), await propose("script", null, "three")]).toEqual([
    "changed",
    "kept",
  ]);
  expect(await inCopy()).toEqual({ script: "644 three" });
  expect(shop.files()).toEqual({ script: "755 one" });
});

/** As proposals are handed on: one effect for each file. */
function oneForEach(effects: readonly FileEffect[]): readonly FileEffect[] {
  const paths = [...new Set(effects.map(({ path }) => path))];
  return paths.map((path) => {
    const of = effects.filter((effect) => effect.path === path);
    return { path, before: of[0]?.before ?? null, after: of.at(-1)?.after ?? null };
  });
}
