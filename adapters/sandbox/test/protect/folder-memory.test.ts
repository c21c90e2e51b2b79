import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SeededRandom } from "@capstan/testkit";
import { afterAll, expect, test } from "vitest";
import { maxRememberedTrees } from "../../src/limits.ts";
import { FolderMemory, TreeMemory } from "../../src/protect/folder-memory.ts";
import { type FolderSurvey, surveyTree } from "../../src/protect/survey.ts";
import { isRunLater } from "../../src/scan/runs-later.ts";

const root = mkdtempSync(join(tmpdir(), "capstan-folders-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;

function newFolder(): string {
  folders += 1;
  const path = join(root, `folder-${folders}`);
  mkdirSync(path);
  return path;
}

/** What is on the disk now counts as changed long ago: it is remembered from the first look on. */
const later = (): number => Date.now() + 60_000;

/** The clock of the file system counts in steps: what is changed after this has another time than what was changed before. */
function untilClockMoves(): void {
  const probe = join(root, "probe");
  writeFileSync(probe, "");
  const { ctimeNs } = statSync(probe, { bigint: true });
  while (statSync(probe, { bigint: true }).ctimeNs === ctimeNs) writeFileSync(probe, "");
}

/** @returns looks at a folder through a memory, and says whether it was read for it */
function looking(
  path: string,
  now?: () => number,
): () => { readonly names: readonly string[]; readonly isRead: boolean } {
  const memory = new FolderMemory<readonly string[]>(now);
  return () => {
    let isRead = false;
    const names = memory.of(path, () => {
      isRead = true;
      return readdirSync(path).toSorted();
    });
    return { names, isRead };
  };
}

test("a folder that is as it was is not read again, and one in which a name came or went is", () => {
  const path = newFolder();
  writeFileSync(join(path, "one"), "");
  untilClockMoves();
  const look = looking(path, later);
  expect(look()).toEqual({ names: ["one"], isRead: true });
  expect(look()).toEqual({ names: ["one"], isRead: false });
  writeFileSync(join(path, "one"), "other text");
  expect(look()).toEqual({ names: ["one"], isRead: false });
  writeFileSync(join(path, "two"), "");
  expect(look()).toEqual({ names: ["one", "two"], isRead: true });
  untilClockMoves();
  rmSync(join(path, "one"));
  expect(look()).toEqual({ names: ["two"], isRead: true });
});

test("a folder whose times were set back after a change is read again", () => {
  const path = newFolder();
  const { atime, mtime } = statSync(path);
  untilClockMoves();
  const look = looking(path, later);
  look();
  writeFileSync(join(path, "new"), "");
  utimesSync(path, atime, mtime);
  expect(look()).toEqual({ names: ["new"], isRead: true });
});

test("another folder in the place of one is read", () => {
  const [path, other] = [newFolder(), newFolder()];
  writeFileSync(join(other, "inside"), "");
  untilClockMoves();
  const look = looking(path, later);
  look();
  rmSync(path, { recursive: true });
  renameSync(other, path);
  expect(look()).toEqual({ names: ["inside"], isRead: true });
});

test("a folder that was changed just now is read every time", () => {
  const path = newFolder();
  writeFileSync(join(path, "new"), "");
  const look = looking(path);
  expect([look().isRead, look().isRead]).toEqual([true, true]);
});

test("a folder that is gone is read every time, and its next look finds what is there then", () => {
  const path = newFolder();
  untilClockMoves();
  const memory = new FolderMemory<boolean>(later);
  const look = (): boolean => memory.of(path, () => statSync(path, { throwIfNoEntry: false }) !== undefined);
  expect(look()).toBe(true);
  rmSync(path, { recursive: true });
  expect(look()).toBe(false);
  mkdirSync(path);
  expect(look()).toBe(true);
});

test("a tree that is changed at random is surveyed with a memory as without one", async () => {
  const tree = newFolder();
  const random = new SeededRandom(1123);
  const pick = (of: readonly string[]): string => of[random.below(of.length)] ?? "";
  const names = ["src", ".git", "AGENTS.md", "secret", "package.json", "HEAD", "objects", "refs", "node_modules", "a"];
  const targets = { isDenied: (path: string) => path.endsWith("secret"), isScript: isRunLater };
  const memory = new FolderMemory<FolderSurvey>(later);
  for (let round = 0; round < 60; round += 1) {
    const places = readdirSync(tree, { recursive: true, withFileTypes: true });
    const inside = [tree, ...places.filter((at) => at.isDirectory()).map((at) => join(at.parentPath, at.name))];
    const path = join(pick(inside), pick(names));
    untilClockMoves();
    const kind = random.below(4);
    if (kind === 0) rmSync(path, { recursive: true, force: true });
    else if (statSync(path, { throwIfNoEntry: false }) === undefined) {
      if (kind === 1) writeFileSync(path, "");
      else mkdirSync(path);
    } else if (kind === 3 && !`${path}/`.startsWith(`${tree}/moved/`)) {
      rmSync(join(tree, "moved"), { recursive: true, force: true });
      if (statSync(path, { throwIfNoEntry: false }) !== undefined) renameSync(path, join(tree, "moved"));
    }
    expect(await surveyTree(tree, targets, memory)).toEqual(await surveyTree(tree, targets));
  }
});

test("of trees, those that were used last are remembered", () => {
  const trees = new TreeMemory<null>();
  const all = Array.from({ length: maxRememberedTrees }, (_, at) => trees.of(at));
  expect(trees.of(0)).toBe(all[0]);
  trees.of("one more");
  expect([trees.of(0) === all[0], trees.of(1) === all[1]]).toEqual([true, false]);
});
