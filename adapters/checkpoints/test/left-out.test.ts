import { execFileSync } from "node:child_process";
import { truncateSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createCheckpoints } from "../src/index.ts";
import { reversed, Workshop } from "./workshop.ts";

describe("what cannot be kept is reported, and is never taken for created or deleted:", () => {
  test("pipes, sockets, unreadable files and folders", async () => {
    const shop = new Workshop();
    execFileSync("mkfifo", [shop.path("pipe")]);
    const server = createServer();
    await new Promise<void>((done) => server.listen(shop.path("socket"), done));
    shop.write("good", "1");
    const checkpoint = await shop.keep();
    const named = await shop.keep(["pipe", "socket", "../outside", "nowhere/deep"]);
    shop.remove("pipe");
    await new Promise((done) => server.close(done));
    expect(checkpoint.left.toSorted()).toEqual([
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
      shop.checkpoints = createCheckpoints({
        folder: shop.store,
        copies: `${shop.store}-copies`,
        snapshotLimits: { files, bytes },
      });
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
    const checkpoints = createCheckpoints({
      folder: shop.path("home/store"),
      copies: shop.path("home/copies"),
      excluded: [shop.path("home")],
    });
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
