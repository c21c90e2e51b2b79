import { mkdtempSync, readdirSync, readFileSync, rmSync, type Stats, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { coarseRacyMs, maxRememberedRoots, racyMs } from "../../src/limits.ts";
import { isStill, type SeenFile, StatCache, toSeenFile } from "../../src/walk/stat-cache.ts";

const blob = "0123456789abcdef0123456789abcdef01234567";
const seen: SeenFile = { blob, sizeBytes: 3, modifiedMs: 10, changedMs: 20, inode: 7 };

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "capstan-seen-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** Of a real file, with other numbers. */
function statsOf(path: string, { sizeBytes, modifiedMs, changedMs, inode }: Omit<SeenFile, "blob">): Stats {
  return Object.assign(statSync(path), { size: sizeBytes, mtimeMs: modifiedMs, ctimeMs: changedMs, ino: inode });
}

test("a file is still what was seen while its kind, size, inode and both times are, to two microseconds", () => {
  const path = join(folder(), "file");
  writeFileSync(path, "abc");
  const still = (other: Partial<SeenFile>): boolean => isStill(seen, statsOf(path, { ...seen, ...other }));
  expect([still({}), still({ modifiedMs: 10.0015 }), still({ changedMs: 19.9985 })]).toEqual([true, true, true]);
  expect([{ sizeBytes: 4 }, { inode: 8 }, { modifiedMs: 10.003 }, { changedMs: 19.997 }].map(still)).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(isStill(seen, statsOf(tmpdir(), seen))).toBe(false);
});

test("a file that changed just before it was read is not remembered; where times are whole seconds, for longer", () => {
  const path = join(folder(), "file");
  writeFileSync(path, "abc");
  const at = (modified: bigint, changed: bigint, beforeMs: number): SeenFile | undefined =>
    toSeenFile(
      blob,
      Object.assign(statSync(path, { bigint: true }), { mtimeNs: modified, ctimeNs: changed }),
      beforeMs,
    );
  const second = 1_000_000_000n;
  const fine = 5n * second + 1_000_000n;
  expect([racyMs - 1, racyMs].map((later) => at(fine, 1n, 5001 + later) !== undefined)).toEqual([false, true]);
  expect([racyMs - 1, racyMs].map((later) => at(1n, fine, 5001 + later) !== undefined)).toEqual([false, true]);
  expect([coarseRacyMs - 1, coarseRacyMs].map((later) => at(5n * second, second, 5000 + later) !== undefined)).toEqual([
    false,
    true,
  ]);
  // One fine time says that the file system has them.
  expect(at(5n * second, second + 1n, 5000 + racyMs)).toMatchObject({ blob, modifiedMs: 5000, sizeBytes: 3 });
});

test("what one process saw is there for the next, each root by itself; a root that did not change is not written", async () => {
  const place = folder();
  const files = new Map([["a/b", seen]]);
  await new StatCache(place).save("/one", files, true);
  await new StatCache(place).save("/two", files, false);
  const next = new StatCache(place);
  expect([await next.load("/one"), await next.load("/two")]).toEqual([files, new Map()]);
});

test("rows that are not whole are left out, and a file of another version is none", async () => {
  const place = folder();
  const cache = new StatCache(place);
  await cache.save("/one", new Map([["whole", seen]]), true);
  const [name = ""] = readdirSync(place);
  const path = join(place, name);
  const [version, row]: unknown[] = JSON.parse(readFileSync(path, "utf8"));
  if (!Array.isArray(row)) throw new Error("no row");
  const broken = row.map((_, at) => row.map((value: unknown, index) => (index === at ? null : value)));
  const load = async (content: unknown): Promise<readonly string[]> => {
    writeFileSync(path, JSON.stringify(content));
    return [...(await new StatCache(place).load("/one")).keys()];
  };
  expect(await load([version, ...broken, ["odd", "not-an-id", ...row.slice(2)], row, "text"])).toEqual(["whole"]);
  expect([await load(["older", row]), await load({}), await load([])]).toEqual([[], [], []]);
  writeFileSync(path, "[");
  expect(await new StatCache(place).load("/one")).toEqual(new Map());
});

test("beyond so many roots the one that was not used for longest is forgotten", async () => {
  const cache = new StatCache(folder());
  const roots = Array.from({ length: maxRememberedRoots + 1 }, (_, at) => `/root-${at}`);
  for (const root of roots.slice(0, -1)) await cache.save(root, new Map([[root, seen]]), false);
  await cache.save("/root-0", new Map([["again", seen]]), false);
  await cache.save(roots.at(-1) ?? "", new Map([["last", seen]]), false);
  const sizes = await Promise.all(roots.map(async (root) => (await cache.load(root)).size));
  expect(sizes).toEqual(roots.map((_, at) => (at === 1 ? 0 : 1)));
});
