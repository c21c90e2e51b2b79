import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { FileEffect } from "@capstan/protocol";
import { describe, expect, test } from "vitest";
import { reversed, Workshop } from "../workshop.ts";

/** Lets `change` happen between a checkpoint and the look at it. @returns what takes it back */
async function undoOf(shop: Workshop, change: () => void): Promise<readonly FileEffect[]> {
  const checkpoint = await shop.keep();
  change();
  return reversed(await shop.since(checkpoint));
}

describe("what somebody else did since is left as it is, with a reason:", () => {
  test("changed, deleted, created, made executable, made a folder", async () => {
    const shop = new Workshop();
    for (const name of ["changed", "gone", "mode", "folder"]) shop.write(name, "1");
    const undo = await undoOf(shop, () => {
      for (const name of ["changed", "gone", "mode", "folder"]) shop.write(name, "2");
      shop.write("created", "2");
    });
    const redo = reversed(undo);
    shop.write("changed", "3");
    shop.remove("gone");
    chmodSync(shop.path("mode"), 0o755);
    shop.remove("folder");
    shop.write("folder/inner", "3");
    shop.write("created", "3");
    const before = shop.files();
    expect(Object.fromEntries(undo.map(({ path }, at) => [path.slice(shop.root.length + 1), at]))).toEqual({
      changed: 0,
      created: 1,
      folder: 2,
      gone: 3,
      mode: 4,
    });
    expect(await shop.apply(undo)).toEqual([
      "somebody changed it since",
      "somebody changed it since",
      "it is a folder now",
      "somebody deleted it since",
      "somebody changed since whether it is executable, or a link",
    ]);
    expect(await shop.apply(redo.filter(({ before: old }) => old === null))).toEqual(["somebody created it since"]);
    expect(shop.files()).toEqual(before);
  });

  test("a folder on the way that became a link leads nowhere", async () => {
    const shop = new Workshop();
    mkdirSync(join(shop.base, "outside/deep"), { recursive: true });
    writeFileSync(join(shop.base, "outside/deep/a"), "2");
    shop.write("folder/deep/a", "1");
    const undo = await undoOf(shop, () => shop.write("folder/deep/a", "2"));
    renameSync(shop.path("folder"), shop.path("moved"));
    symlinkSync(join(shop.base, "outside"), shop.path("folder"));
    expect(await shop.apply(undo)).toEqual(["a folder on the way to it is a file or a link now"]);
    expect(readFileSync(join(shop.base, "outside/deep/a"), "utf8")).toBe("2");
  });

  test("what lies outside of the workspace, or is written in an odd way", async () => {
    const shop = new Workshop();
    shop.write("a", "1");
    const [effect] = await undoOf(shop, () => shop.write("a", "2"));
    if (effect === undefined) throw new Error("no effect");
    const paths = [
      join(shop.base, "other"),
      shop.root,
      "a",
      `${shop.root}/../x`,
      `${shop.root}/a/`,
      `${shop.root}/a\0`,
    ];
    const odd = "is not a plain absolute path";
    const outside = "lies outside of the workspace";
    expect(await shop.apply(paths.map((path) => ({ ...effect, path })))).toEqual([
      outside,
      outside,
      odd,
      odd,
      odd,
      odd,
    ]);
  });

  test("content that the store has not", async () => {
    const shop = new Workshop();
    shop.write("a", "1");
    const [effect] = await undoOf(shop, () => shop.write("a", "2"));
    if (effect === undefined) throw new Error("no effect");
    const unknown = { ...effect, after: { blob: "1".repeat(40), mode: "100644" } };
    expect(await shop.apply([unknown])).toEqual(["what it should become is not in the checkpoint store"]);
    expect(shop.files()).toEqual({ a: "644 2" });
  });
});

test("a folder becomes a file and a file a folder, there and back", async () => {
  const shop = new Workshop();
  shop.write("a/b/c", "1");
  shop.write("d", "1");
  const before = shop.files();
  const undo = await undoOf(shop, () => {
    shop.remove("a");
    shop.write("a", "a file");
    shop.remove("d");
    shop.write("d/e", "a folder");
  });
  const after = shop.files();
  for (const [effects, wanted] of [
    [undo, before],
    [reversed(undo), after],
    [undo, before],
  ] as const) {
    expect(new Set(await shop.apply(effects))).toEqual(new Set(["done"]));
    expect(new Set(await shop.apply(effects))).toEqual(new Set(["done"]));
    expect(shop.files()).toEqual(wanted);
  }
});

test("folders that an undo leaves empty are removed; the root, the working directory and others' files stay", async () => {
  const shop = new Workshop();
  mkdirSync(shop.path("work/here"), { recursive: true });
  const undo = await undoOf(shop, () => {
    shop.write("made/deep/a", "1");
    shop.write("kept/deep/a", "1");
    shop.write("work/here/a", "1");
    shop.write("kept/other", "somebody's");
  });
  const workspace = { cwd: shop.path("work/here"), roots: [shop.root] };
  const ours = undo.filter(({ path }) => !path.endsWith("other"));
  await shop.checkpoints.apply(workspace, ours, shop.signal);
  expect(shop.files()).toEqual({ "kept/other": "644 somebody's" });
  expect(
    ["made", "kept/deep", "work/here"].map(
      (name) => statSync(shop.path(name), { throwIfNoEntry: false }) !== undefined,
    ),
  ).toEqual([false, false, true]);
});

test("an existing file keeps its rights; only the right to execute comes and goes", async () => {
  const shop = new Workshop();
  shop.write("private", "1", 0o600);
  shop.write("script", "1", 0o750);
  const undo = await undoOf(shop, () => {
    shop.write("private", "2", 0o600);
    shop.write("script", "2", 0o640);
  });
  expect(await shop.apply(undo)).toEqual(["done", "done"]);
  expect(shop.files()).toEqual({ private: "600 1", script: "750 1" });
});

test("a file with a second name is replaced, and the other name keeps what it had", async () => {
  const shop = new Workshop();
  shop.write("a", "1");
  const undo = await undoOf(shop, () => shop.write("a", "2"));
  linkSync(shop.path("a"), join(shop.base, "second"));
  expect(await shop.apply(undo)).toEqual(["done"]);
  expect(shop.files()).toEqual({ a: "644 1" });
  expect(readFileSync(join(shop.base, "second"), "utf8")).toBe("2");
});

test("leftovers of a killed process are swept, but for content that is nowhere else", async () => {
  const shop = new Workshop();
  shop.write("a", "1");
  const undo = await undoOf(shop, () => shop.write("a", "2"));
  shop.write(leftover("a", "new"), "half");
  shop.write(leftover("b", "old"), "2");
  shop.write(leftover("c", "old"), "only here");
  shop.write(leftover("e", "new").replace("2147483647", "4294967295"), "no process can have that number");
  shop.write(`.capstan-apply-${process.pid}-${"d".repeat(24)}.new`, "alive");
  await shop.apply(undo);
  expect(Object.values(shop.files()).toSorted()).toEqual(["644 1", "644 alive", "644 only here"]);
});

/** No process has so high a number. */
function leftover(letter: string, kind: string): string {
  return `.capstan-apply-2147483647-${letter.repeat(24)}.${kind}`;
}

test("what is deleted makes room, in whatever order the effects come", async () => {
  const shop = new Workshop();
  shop.write("a/b", "1");
  const undo = await undoOf(shop, () => {
    shop.remove("a");
    shop.write("a", "2");
  });
  for (const effects of [undo, undo.toReversed()]) {
    expect(await shop.apply(effects)).toEqual(["done", "done"]);
    expect(shop.files()).toEqual({ "a/b": "644 1" });
    expect(await shop.apply(reversed(effects))).toEqual(["done", "done"]);
    expect(shop.files()).toEqual({ a: "644 2" });
  }
});
