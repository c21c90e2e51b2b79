import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { reversed, Workshop } from "../workshop.ts";

const folder = mkdtempSync(join(tmpdir(), "capstan-crash-"));
const program = join(folder, "crash.mjs");
/** More changes than any of these runs makes. */
const never = 100_000;

beforeAll(async () => {
  const entry = join(import.meta.dirname, "crash-process.ts");
  await build({
    entryPoints: [entry],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["source"],
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** @returns whether it was killed; else it came to its end */
async function runUntil(change: number, shop: Workshop, work: object): Promise<boolean> {
  const text = JSON.stringify({ workspace: shop.workspace, ...work });
  const child = spawn(process.execPath, [program, shop.store, text, String(change)], { stdio: "inherit" });
  await once(child, "close");
  if (child.signalCode === "SIGKILL") return true;
  expect(child.exitCode).toBe(0);
  return false;
}

test("killed before any change that `apply` makes, every file is whole, and the same call again finishes it", async () => {
  const shop = new Workshop();
  shop.write("changed", "old\n");
  shop.link("link", "old");
  shop.write("kind", "a file");
  const before = shop.files();
  const checkpoint = await shop.keep();
  shop.write("changed", "new\n", 0o755);
  shop.remove("link");
  shop.link("link", "new");
  shop.remove("kind");
  shop.write("kind/of/folder", "new\n");
  const after = shop.files();
  const redo = await shop.since(checkpoint);
  for (const [effects, from, to] of [
    [reversed(redo), after, before],
    [redo, before, after],
  ] as const) {
    let change = 0;
    for (; await runUntil(change, shop, { effects }); change += 1) {
      const odd = Object.entries(shop.files()).filter(
        ([path, file]) => !path.includes(".capstan-apply-") && file !== from[path] && file !== to[path],
      );
      expect({ change, odd }).toEqual({ change, odd: [] });
      // What is half done is finished, and looks like somebody else's before that.
      expect(new Set(await shop.applyUnseen(effects))).toEqual(new Set(["done"]));
      expect({ change, files: shop.files() }).toEqual({ change, files: to });
      expect(new Set(await shop.apply(reversed(effects)))).toEqual(new Set(["done"]));
      expect({ change, files: shop.files() }).toEqual({ change, files: from });
    }
    expect(change).toBeGreaterThan(15);
  }
}, 120_000);

test("killed before any change that `keep` makes, the next one on the same store keeps everything", async () => {
  const scopes = ["everything", ["n1", "n2", "n3"]] as const;
  const counts: number[] = [];
  const said: string[] = [];
  for (const scope of scopes) {
    for (let change = 0, killed = true; killed; change += 1) {
      const shop = new Workshop();
      for (let number = 0; number < 20; number += 1) shop.write(`n${number}`, `${number}\n`);
      const named = scope === "everything" ? scope : scope.map((name) => shop.path(name));
      // A new store is made in the first round only.
      if (scope !== "everything") await shop.keep(["n0"]);
      killed = await runUntil(change, shop, { scope: named });
      const checkpoint = await shop.keep(scope);
      const before = shop.files();
      for (const name of ["n1", "n2", "n3"]) shop.remove(name);
      expect(await shop.apply(reversed(await shop.since(checkpoint)))).toEqual(["done", "done", "done"]);
      expect(shop.files()).toEqual(before);
      if (!killed) said.push(shop.git("fsck", "--full", "--strict", "--no-dangling").trim());
      counts.push(change);
    }
  }
  expect(said).toEqual(["", ""]);
  expect(counts.length).toBeGreaterThan(20);
}, 120_000);

test("processes that keep the same tree at the same time do not disturb each other", async () => {
  const shop = new Workshop();
  for (let number = 0; number < 200; number += 1) shop.write(`f${number % 9}/n${number}`, `${number}\n`.repeat(100));
  const others = [1, 2, 3].map(async () => await runUntil(never, shop, { scope: "everything" }));
  const [own, ...killed] = await Promise.all([shop.keep(), ...others]);
  expect(killed).toEqual([false, false, false]);
  shop.reopen();
  expect(await shop.keep()).toEqual(own);
  expect(shop.git("fsck", "--full", "--strict", "--no-dangling").trim()).toBe("");
});

test("processes that apply the same effects at the same time end with the same files", async () => {
  const shop = new Workshop();
  for (let number = 0; number < 30; number += 1) shop.write(`f${number % 3}/n${number}`, `${number}\n`);
  const before = shop.files();
  const checkpoint = await shop.keep();
  for (let number = 0; number < 30; number += 1) shop.write(`f${number % 3}/n${number}`, `new\n`);
  shop.write("made/a", "1");
  const effects = reversed(await shop.since(checkpoint));
  await Promise.all([1, 2].map(async () => await runUntil(never, shop, { effects })));
  expect(new Set(await shop.apply(effects))).toEqual(new Set(["done"]));
  expect(shop.files()).toEqual(before);
});
