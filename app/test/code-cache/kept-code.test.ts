import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "capstan-kept-"));
const home = join(folder, "home");
const kept = join(home, "cache", "code");
const built = inject("capstanEntry");

/** A binary as it comes to somebody with another Node than its build's: without code that this one takes. */
beforeAll(() => {
  const scripts = join(folder, "cli");
  cpSync(dirname(built), scripts, { recursive: true, filter: (path) => path !== join(dirname(built), "code") });
  const modules = join(dirname(built), "..", "..", "node_modules");
  if (existsSync(modules)) symlinkSync(modules, join(folder, "node_modules"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function capstan(entry: string): { readonly status: number | null; readonly stdout: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [entry, "policy", "list"], {
    encoding: "utf8",
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: home, CAPSTAN_HOME: home },
  });
  if (status !== 0) throw new Error(stderr);
  return { status, stdout };
}

/** Name and time of every kept file. */
function files(): readonly string[] {
  return readdirSync(kept, { recursive: true, encoding: "utf8" })
    .map((path) => ({ path, stat: statSync(join(kept, path)) }))
    .filter(({ stat }) => stat.isFile())
    .map(({ path, stat }) => `${path} ${String(stat.mode & 0o777)} ${stat.mtimeMs}`)
    .toSorted();
}

test("another Node's first start keeps its code in the data directory, once there is one; the second uses it", () => {
  const entry = join(folder, "cli", basename(built));
  const first = capstan(entry);
  expect(existsSync(home)).toBe(false);

  mkdirSync(home, { mode: 0o700 });
  expect(capstan(entry)).toEqual(first);
  const made = files();
  expect(made.length).toBeGreaterThan(0);
  expect(made.filter((file) => !file.includes(` ${String(0o600)} `))).toEqual([]);
  expect(statSync(kept).mode & 0o777).toBe(0o700);

  expect(capstan(entry)).toEqual(first);
  expect(files()).toEqual(made);

  for (const file of made) writeFileSync(join(kept, file.split(" ")[0] ?? ""), "damaged");
  expect(capstan(entry)).toEqual(first);
  expect(files().map((file) => file.split(" ")[0])).toEqual(made.map((file) => file.split(" ")[0]));
});

test("the build's own Node finds its code beside the scripts and writes none", () => {
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { mode: 0o700 });
  expect(existsSync(join(dirname(built), "code"))).toBe(true);
  capstan(built);
  expect(existsSync(kept)).toBe(false);
});
