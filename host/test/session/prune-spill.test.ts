import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { pruneSpill } from "../../src/session/prune-spill.ts";

const dayMs = 24 * 3_600_000;
const nowMs = Date.UTC(2026, 0, 20);

function newSpill(agesInDays: Readonly<Record<string, number>>): string {
  const folder = mkdtempSync(join(tmpdir(), "capstan-spill-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, days] of Object.entries(agesInDays)) {
    writeFileSync(join(folder, name), name);
    const at = new Date(nowMs - days * dayMs);
    utimesSync(join(folder, name), at, at);
  }
  return folder;
}

test("output older than a week goes, the rest stays", async () => {
  const spill = newSpill({ new: 0, recent: 6.99, old: 7.01, ancient: 400, future: -1 });
  await pruneSpill(spill, nowMs);
  expect(readdirSync(spill).toSorted()).toEqual(["future", "new", "recent"]);
});

function age(path: string, days: number): void {
  const at = new Date(nowMs - days * dayMs);
  utimesSync(path, at, at);
}

function oldFolder(spill: string, name: string): string {
  mkdirSync(join(spill, name));
  age(join(spill, name), 30);
  return join(spill, name);
}

test("of a session's folder the old output goes, and with the last of it the folder", async () => {
  const spill = newSpill({});
  oldFolder(spill, "empty");
  const [gone, kept] = ["gone", "kept"].map((name) => oldFolder(spill, name));
  writeFileSync(join(gone ?? "", "a.log"), "");
  age(join(gone ?? "", "a.log"), 8);
  writeFileSync(join(kept ?? "", "a.log"), "");
  writeFileSync(join(kept ?? "", "b.log"), "");
  age(join(kept ?? "", "a.log"), 8);
  age(join(kept ?? "", "b.log"), 6);
  for (const folder of [gone ?? "", kept ?? ""]) age(folder, 30);
  await pruneSpill(spill, nowMs);
  expect([readdirSync(spill), readdirSync(kept ?? "")]).toEqual([["kept"], ["b.log"]]);
});

test("what cannot be removed protects nothing else, and fails nothing", async () => {
  const spill = newSpill({ a: 8, z: 8, old: 9 });
  const folder = oldFolder(spill, "folder");
  mkdirSync(join(folder, "folder"));
  age(join(folder, "folder"), 30);
  age(folder, 30);
  symlinkSync("nowhere", join(spill, "broken"));
  await pruneSpill(spill, nowMs);
  expect(readdirSync(spill).toSorted()).toEqual(["broken", "folder"]);
});

test("a link is judged by its own age, and what it leads to is left alone", async () => {
  const outside = newSpill({ precious: 400 });
  const spill = newSpill({});
  symlinkSync(join(outside, "precious"), join(spill, "link"));
  await pruneSpill(spill, Date.now() + 8 * dayMs);
  expect([readdirSync(spill), readdirSync(outside)]).toEqual([[], ["precious"]]);
});

test("a folder that is not there is nobody's worry", async () => {
  await expect(pruneSpill(join(newSpill({}), "missing"), nowMs)).resolves.toBeUndefined();
});
