import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createCheckpoints } from "../src/index.ts";
import { reversed, Workshop } from "./workshop.ts";

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

describe("the user's repository", () => {
  test("is neither changed nor read: status, staged changes, index, refs and configuration stay as they are", async () => {
    const shop = new Workshop();
    shop.userGit("init", "-q");
    shop.write("a", "1\n");
    shop.write("b", "1\n");
    shop.userGit("add", "a", "b");
    shop.userGit("commit", "-qm", "first");
    shop.write("a", "2\n");
    shop.userGit("add", "a");
    shop.write("b", "3\n");
    const look = (): readonly string[] => [
      shop.userGit("diff", "--cached"),
      shop.userGit("for-each-ref"),
      shop.userGit("--no-optional-locks", "status", "--porcelain"),
    ];
    const said = look();
    const repository = shop.files(shop.path(".git"));
    const changed = statSync(shop.path(".git/index"), { bigint: true });
    const checkpoint = await shop.keep();
    shop.write("c", "x");
    shop.write("b", "4\n");
    const effects = await shop.since(checkpoint);
    await shop.checkpoints.describe(shop.workspace, effects, shop.signal);
    expect(await shop.apply(reversed(effects))).toEqual(["done", "done"]);
    expect(shop.files(shop.path(".git"))).toEqual(repository);
    expect(statSync(shop.path(".git/index"), { bigint: true }).mtimeNs).toBe(changed.mtimeNs);
    expect(look()).toEqual(said);
    expect(effects.map(({ path }) => path)).toEqual([shop.path("b"), shop.path("c")]);
  });

  test("runs nothing: no hook, filter, monitor or helper of a hostile repository", async () => {
    const shop = new Workshop();
    const marker = join(shop.base, "marker");
    shop.userGit("init", "-q");
    const command = `touch ${marker}`;
    for (const key of [
      "core.fsmonitor",
      "filter.x.clean",
      "filter.x.smudge",
      "filter.x.process",
      "diff.x.textconv",
      "core.sshCommand",
      "credential.helper",
    ]) {
      shop.userGit("config", key, command);
    }
    shop.userGit("config", "core.autocrlf", "true");
    for (const hook of ["post-index-change", "post-checkout", "pre-commit", "reference-transaction"]) {
      shop.write(`.git/hooks/${hook}`, `#!/bin/sh\n${command}\n`, 0o755);
    }
    const attributes = "* filter=x diff=x ident eol=crlf text working-tree-encoding=UTF-16LE\n";
    shop.write(".gitattributes", attributes);
    shop.write(".git/info/attributes", attributes);
    const content = Buffer.from("$Id$ a\r\nb\nc\r\0\xff", "latin1");
    shop.write("file", content);
    const checkpoint = await shop.keep();
    shop.write("file", "other");
    const effects = await shop.since(checkpoint);
    await shop.checkpoints.describe(shop.workspace, effects, shop.signal);
    expect(await shop.apply(reversed(effects))).toEqual(["done"]);
    expect(readFileSync(shop.path("file"))).toEqual(content);
    expect(statSync(marker, { throwIfNoEntry: false })).toBeUndefined();
  });

  test("nested ones, worktrees and submodules are kept as files, without what is Git's own", async () => {
    const shop = new Workshop();
    shop.write(".gitignore", "*.log\n");
    shop.write("nested/.git/HEAD", "ref: refs/heads/main\n");
    shop.write("nested/.git/config", "x");
    shop.write("nested/a", "1");
    shop.write("nested/b.log", "a nested repository has rules of its own");
    shop.write("worktree/.git", "gitdir: /elsewhere\n");
    shop.write("worktree/a", "1");
    shop.write("c.log", "ignored");
    const checkpoint = await shop.keep();
    for (const name of ["nested/a", "nested/b.log", "worktree/a", "nested/.git/config", "worktree/.git", "c.log"]) {
      shop.write(name, "2");
    }
    const effects = await shop.since(checkpoint);
    expect(effects.map(({ path }) => path)).toEqual(
      ["nested/a", "nested/b.log", "worktree/a"].map((name) => shop.path(name)),
    );
    const named = await shop.keep(["nested/.git/config"]);
    expect(named.left).toEqual([`"${shop.path("nested/.git/config")}": belongs to a Git repository`]);
    const [effect] = effects;
    if (effect === undefined) throw new Error("no effect");
    expect(await shop.apply([{ ...effect, path: shop.path("nested/.git/config") }])).toEqual([
      "belongs to a Git repository",
    ]);
  });
});

describe("what cannot be kept is reported, and is never taken for created or deleted:", () => {
  test("pipes, sockets, unreadable files and folders, names that are not UTF-8", async () => {
    const shop = new Workshop();
    execFileSync("mkfifo", [shop.path("pipe")]);
    const server = createServer();
    await new Promise<void>((done) => server.listen(shop.path("socket"), done));
    writeFileSync(Buffer.concat([Buffer.from(`${shop.root}/`), Buffer.from([0x61, 0xff])]), "not UTF-8");
    shop.write("good", "1");
    const checkpoint = await shop.keep();
    const named = await shop.keep(["pipe", "socket", "../outside", "nowhere/deep"]);
    shop.remove("pipe");
    await new Promise((done) => server.close(done));
    expect(checkpoint.left.toSorted()).toEqual([
      `"${shop.path("a\uFFFD")}": its name is not UTF-8`,
      `"${shop.path("pipe")}": is a pipe, socket or device`,
      `"${shop.path("socket")}": is a pipe, socket or device`,
    ]);
    expect(named.left).toHaveLength(3);
    expect(await shop.since(checkpoint)).toEqual([]);
  });

  test("large files: their change is reported, but not undone", async () => {
    const shop = new Workshop();
    shop.write("was-large", "");
    truncateSync(shop.path("was-large"), 6 * 1024 * 1024);
    shop.write("grows", "small");
    const checkpoint = await shop.keep();
    expect(checkpoint.left).toEqual([`"${shop.path("was-large")}": is larger than 5 MB`]);
    shop.write("was-large", "now small");
    truncateSync(shop.path("grows"), 6 * 1024 * 1024);
    shop.write("made", "");
    truncateSync(shop.path("made"), 6 * 1024 * 1024);
    const effects = await shop.since(checkpoint);
    expect(effects.map(({ path }) => path)).toEqual([shop.path("grows"), shop.path("made")]);
    const reason = "its present content is too large to be kept and could not be brought back";
    expect(await shop.apply(reversed(effects))).toEqual([reason, reason]);
    expect(await shop.apply(effects)).toEqual(["done", "done"]);
  });

  test("files that became ignored, or no longer are", async () => {
    const shop = new Workshop();
    shop.write("build/a", "1");
    shop.write("build/b", "1");
    shop.write("hidden/user-file", "the user's own");
    shop.write(".gitignore", "hidden\n");
    const checkpoint = await shop.keep();
    shop.write(".gitignore", "build\n");
    shop.write("build/b", "2");
    const effects = await shop.since(checkpoint);
    expect(effects.map(({ path, after }) => [path, after === null])).toEqual([
      [shop.path(".gitignore"), false],
      [shop.path("build/b"), false],
    ]);
    expect(await shop.apply(reversed(effects))).toEqual(["done", "done"]);
    expect(shop.files()["hidden/user-file"]).toBe("644 the user's own");
  });

  test("more files, and more in them, than a snapshot may hold", async () => {
    const shop = new Workshop();
    const check = async (files: number, bytes: number): Promise<void> => {
      shop.checkpoints = createCheckpoints({ folder: shop.store, snapshotLimits: { files, bytes } });
      for (const name of ["b", "c/d", "c/e", "f/g"]) shop.write(name, "12345");
      const checkpoint = await shop.keep();
      expect(checkpoint.left).toHaveLength(2);
      // It comes first, and pushes others out that were in before.
      shop.write("a", "new");
      shop.write("c/d", "other");
      shop.write("f/g", "not kept");
      const effects = await shop.since(checkpoint);
      expect(effects.map(({ path, before }) => [path, before === null])).toEqual([
        [shop.path("a"), true],
        [shop.path("c/d"), false],
      ]);
      expect(await shop.apply(reversed(effects))).toEqual(["done", "done"]);
    };
    await check(2, 1000);
    await check(1000, 10);
  });

  test("what programs fill and fill again", async () => {
    const shop = new Workshop();
    const names = [
      "node_modules/a/index.js",
      "cache/CACHEDIR.TAG",
      "cache/x",
      "env/pyvenv.cfg",
      "env/lib",
      "target/debug",
      ".capstan-apply-1-x.new",
    ];
    for (const name of names) shop.write(name, "1");
    shop.write("Cargo.toml", "");
    shop.write("sub/target/kept", "1");
    const checkpoint = await shop.keep();
    for (const name of [...names, "sub/target/kept"]) shop.write(name, "2");
    expect((await shop.since(checkpoint)).map(({ path }) => path)).toEqual([shop.path("sub/target/kept")]);
  });

  test("the store itself, roots within roots, and folders the host excludes", async () => {
    const shop = new Workshop();
    const inner = shop.path("packages/inner");
    shop.write("packages/inner/a", "1");
    shop.write("home/config", "1");
    const checkpoints = createCheckpoints({ folder: shop.path("home/store"), excluded: [shop.path("home")] });
    const workspace = { cwd: shop.root, roots: [shop.root, inner] };
    const checkpoint = await checkpoints.keep(workspace, "everything", shop.signal);
    shop.write("packages/inner/a", "2");
    shop.write("home/config", "2");
    const effects = await checkpoints.since(checkpoint, shop.signal);
    expect(effects.map(({ path }) => path)).toEqual([join(inner, "a")]);
    const named = await checkpoints.keep(workspace, [shop.path("home/config")], shop.signal);
    expect(named.left).toEqual([`"${shop.path("home/config")}": belongs to Capstan`]);
  });
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
    expect(await shop.apply(reversed(effects))).toEqual(["it may not be written (EACCES)"]);
    chmodSync(shop.path("closed"), 0o755);
    chmodSync(shop.path("secret"), 0o644);
    expect(await shop.since(checkpoint)).toEqual([]);
  });
});

/** The superuser may read everything: there, the test is somebody else for a while. */
const asNobody = process.getuid?.() === 0 ? 65_534 : undefined;

async function unprivileged(run: () => Promise<void>): Promise<void> {
  if (asNobody !== undefined) process.seteuid?.(asNobody);
  try {
    await run();
  } finally {
    if (asNobody !== undefined) process.seteuid?.(0);
  }
}
