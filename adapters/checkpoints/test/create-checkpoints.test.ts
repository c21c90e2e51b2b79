import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { reversed, Workshop } from "./workshop.ts";
import { asNobody, unprivileged } from "./unprivileged.ts";

test("what a command did to a tree is reported, undone, and the undo is undone", async () => {
  const shop = new Workshop();
  shop.write("src/a.ts", "one\n");
  shop.write("src/b.ts", "two\n", 0o755);
  shop.link("here", "src/a.ts");
  const before = shop.files();
  const checkpoint = await shop.keep();
  shop.write("src/a.ts", "ONE\n");
  shop.remove("src/b.ts");
  shop.remove("here");
  shop.link("here", "src/c.ts");
  shop.write("new/deep/c.ts", "three\n", 0o755);
  const after = shop.files();
  shop.reopen();
  const effects = await shop.since(checkpoint);
  expect(effects.map(({ path, before: old, after: now }) => [path, old?.mode ?? null, now?.mode ?? null])).toEqual([
    [shop.path("here"), "120000", "120000"],
    [shop.path("new/deep/c.ts"), null, "100755"],
    [shop.path("src/a.ts"), "100644", "100644"],
    [shop.path("src/b.ts"), "100755", null],
  ]);
  expect(await shop.apply(reversed(effects))).toEqual(["done", "done", "done", "done"]);
  expect(shop.files()).toEqual(before);
  expect(await shop.since(checkpoint)).toEqual([]);
  expect(await shop.apply(reversed(effects))).toEqual(["done", "done", "done", "done"]);
  expect(await shop.apply(effects)).toEqual(["done", "done", "done", "done"]);
  expect(shop.files()).toEqual(after);
});

test("named files are kept even when they are ignored, and Git can read them", async () => {
  const shop = new Workshop();
  shop.write(".gitignore", "*.env\n");
  shop.write("secret.env", "A=1\n");
  const checkpoint = await shop.keep(["secret.env", "missing"]);
  const blob = createHash("sha1").update("blob 4\0A=1\n").digest("hex");
  expect(checkpoint).toEqual({
    kept: {
      type: "files",
      files: [
        { path: shop.path("secret.env"), version: { blob, mode: "100644" } },
        { path: shop.path("missing"), version: null },
      ],
    },
    left: [],
  });
  expect(shop.git("cat-file", "-p", blob)).toBe("A=1\n");
  shop.write("secret.env", "A=2\n");
  shop.write("missing", "x");
  const effects = await shop.since(checkpoint);
  expect(effects.map(({ path, before }) => [path, before?.blob ?? null])).toEqual([
    [shop.path("missing"), null],
    [shop.path("secret.env"), blob],
  ]);
  expect(await shop.apply(reversed(effects))).toEqual(["done", "done"]);
  expect(shop.files()).toEqual({ ".gitignore": "644 *.env\n", "secret.env": "644 A=1\n" });
});

test("Git finds nothing wrong with the store, and the same tree as it would make itself", async () => {
  const shop = new Workshop();
  for (let number = 0; number < 40; number += 1)
    shop.write(`f${number % 3}/n${number}`, `content ${number}\n`.repeat(number));
  shop.write("f1.x", "sorted before the folder f1\n");
  shop.write("ümläut/€", "names that are not ASCII");
  shop.write("large", Buffer.alloc(300_000, "abc"));
  shop.link("f2/link", "n1");
  const { kept } = await shop.keep();
  const tree = kept.type === "trees" ? kept.trees[0]?.tree : undefined;
  shop.userGit("init", "-q");
  shop.userGit("add", "-A");
  expect(tree).toBe(shop.userGit("write-tree").trim());
  expect(shop.git("fsck", "--full", "--strict", "--no-dangling", "--unreachable").includes("error")).toBe(false);
});

test("folders of the store are for their owner only, and so are its files", async () => {
  const shop = new Workshop();
  for (let number = 0; number < 40; number += 1) shop.write(`n${number}`, `${number}`);
  await shop.keep();
  shop.write("one", "more");
  await shop.keep(["one"]);
  const odd = execFileSync("find", [
    shop.store,
    "(",
    "-type",
    "d",
    "!",
    "-perm",
    "700",
    ")",
    "-o",
    "(",
    "-type",
    "f",
    "!",
    "-perm",
    "600",
    ")",
  ]);
  expect(odd.toString()).toBe("");
});

test("hostile names are names like others", async () => {
  const shop = new Workshop();
  const names = [
    "-rf",
    "new\nline",
    'quote"',
    "back\\slash",
    " ",
    "tab\t",
    "\u001b[31mred",
    "*",
    "[a]",
    ":(top)x",
    "\u202Ertl",
  ];
  for (const name of names) shop.write(name, "1");
  const before = shop.files();
  const checkpoint = await shop.keep();
  for (const name of names) shop.remove(name);
  const effects = await shop.since(checkpoint);
  expect(effects).toHaveLength(names.length);
  expect(new Set(await shop.apply(reversed(effects)))).toEqual(new Set(["done"]));
  expect(shop.files()).toEqual(before);
});

test("links are kept as links and never followed", async () => {
  const shop = new Workshop();
  writeFileSync(join(shop.base, "outside"), "not ours");
  mkdirSync(join(shop.base, "folder"));
  writeFileSync(join(shop.base, "folder/inner"), "not ours");
  symlinkSync("../outside", shop.path("file-link"));
  symlinkSync("../folder", shop.path("folder-link"));
  symlinkSync("loop", shop.path("loop"));
  const checkpoint = await shop.keep();
  writeFileSync(join(shop.base, "folder/inner"), "changed");
  for (const name of ["file-link", "folder-link", "loop"]) unlinkSync(shop.path(name));
  shop.write("file-link", "a file now");
  shop.write("folder-link/inner", "a folder now");
  const effects = await shop.since(checkpoint);
  expect(new Set(await shop.apply(reversed(effects)))).toEqual(new Set(["done"]));
  expect(shop.files()).toEqual({
    "file-link": "link to ../outside",
    "folder-link": "link to ../folder",
    loop: "link to loop",
  });
});

test("a root that vanished holds nothing, and comes back file by file", async () => {
  const shop = new Workshop();
  shop.write("a/b", "1");
  const before = shop.files();
  const checkpoint = await shop.keep();
  shop.remove(".");
  const effects = await shop.since(checkpoint);
  expect(effects.map(({ after }) => after)).toEqual([null]);
  mkdirSync(shop.root);
  expect(await shop.apply(reversed(effects))).toEqual(["done"]);
  expect(shop.files()).toEqual(before);
});

test("a file that changed without a new size, within the same moment, is seen", async () => {
  const shop = new Workshop();
  const seen: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    shop.write("same", `${round % 2}`);
    const checkpoint = await shop.keep();
    shop.write("same", `${(round + 1) % 2}`);
    seen.push((await shop.since(checkpoint)).length);
  }
  expect(seen).toEqual(Array.from({ length: 20 }, () => 1));
});

test("a store that cannot be made is an error that names it, and so is a checkpoint that is gone", async () => {
  const shop = new Workshop();
  writeFileSync(shop.store, "a file in its place");
  await expect(shop.keep()).rejects.toMatchObject({ code: "storage.unavailable" });
  unlinkSync(shop.store);
  shop.write("a", "1");
  const checkpoint = await shop.keep();
  shop.write("a", "2");
  renameSync(shop.store, join(shop.base, "moved"));
  shop.reopen();
  await expect(shop.since(checkpoint)).rejects.toMatchObject({ code: "storage.corrupt" });
});

test("a cancelled call ends with the signal's reason", async () => {
  const shop = new Workshop();
  shop.write("a", "1");
  const signal = AbortSignal.abort(new Error("enough"));
  await expect(shop.checkpoints.keep(shop.workspace, "everything", signal)).rejects.toThrow("enough");
  await expect(shop.checkpoints.keep(shop.workspace, [shop.path("a")], signal)).rejects.toThrow("enough");
});

test("what may not be read or written is left out by itself", async () => {
  const shop = new Workshop();
  for (const name of ["closed/a", "secret", "open", "protected/a"]) shop.write(name, "1");
  if (asNobody !== undefined) execFileSync("chown", ["-R", String(asNobody), shop.base]);
  await unprivileged(async () => {
    const first = await shop.keep();
    shop.write("protected/a", "2");
    const effects = await shop.since(first);
    chmodSync(shop.path("closed"), 0);
    chmodSync(shop.path("secret"), 0);
    chmodSync(shop.path("protected"), 0o555);
    const checkpoint = await shop.keep();
    expect(checkpoint.left).toEqual(
      ["closed", "secret"].map((name) => `"${shop.path(name)}": cannot be read (EACCES)`),
    );
    expect(await shop.since(checkpoint)).toEqual([]);
    expect((await shop.since(first)).map(({ path }) => path)).toEqual([shop.path("protected/a")]);
    expect((await shop.keep(["secret", "closed/a"])).left).toHaveLength(2);
    expect(await shop.applyUnseen(reversed(effects))).toEqual(["it may not be written (EACCES)"]);
    chmodSync(shop.path("closed"), 0o755);
    chmodSync(shop.path("secret"), 0o644);
    expect(await shop.since(checkpoint)).toEqual([]);
  });
});
