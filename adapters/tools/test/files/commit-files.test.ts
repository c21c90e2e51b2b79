import { runs } from "@capstan/testkit";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { FileEdit } from "../../src/files/commit/file-edit.ts";
import { commitFiles } from "../../src/files/commit-files.ts";
import { sha, workspaceFixture, type WorkspaceFixture } from "../workspace-fixture.ts";

async function edit(
  { paths, workspace }: WorkspaceFixture,
  path: string,
  before: string | null,
  after: string | null,
): Promise<FileEdit> {
  return {
    resolved: await paths.resolve(workspace, path, after === null ? "delete" : "write"),
    before: before === null ? null : sha(before),
    content: after === null ? null : Buffer.from(after),
  };
}

test("creates, changes and deletes together, and leaves nothing else behind", async () => {
  const fixture = workspaceFixture();
  fixture.write("changed", "old");
  fixture.write("deleted", "gone soon");
  await commitFiles([
    await edit(fixture, "new/deep/file", null, "made"),
    await edit(fixture, "new/other", null, ""),
    await edit(fixture, "changed", "old", "new"),
    await edit(fixture, "deleted", "gone soon", null),
  ]);
  expect(treeOf(fixture.workspace.cwd)).toEqual({ "new/deep/file": "made", "new/other": "", changed: "new" });
});

test("nothing is changed when one of the files is not as expected", async () => {
  const fixture = workspaceFixture();
  for (const name of ["a", "b", "c"]) fixture.write(name, name);
  const edits = [
    await edit(fixture, "a", "a", "A"),
    await edit(fixture, "made/here", null, "x"),
    await edit(fixture, "b", "b", null),
    await edit(fixture, "c", "c", "C"),
  ];
  fixture.write("c", "changed by somebody");
  const before = treeOf(fixture.workspace.cwd);
  await expect(commitFiles(edits)).rejects.toMatchObject({ code: "file.stale", kind: "rejected" });
  expect(treeOf(fixture.workspace.cwd)).toEqual(before);
  expect(existsSync(join(fixture.workspace.cwd, "made"))).toBe(false);
});

test("a file that appeared or vanished in between is stale", async () => {
  const fixture = workspaceFixture();
  fixture.write("there", "x");
  const appeared = await edit(fixture, "new", null, "ours");
  const vanished = await edit(fixture, "there", "x", "y");
  fixture.write("new", "theirs");
  renameSync(join(fixture.workspace.cwd, "there"), join(fixture.workspace.cwd, "elsewhere"));
  await expect(commitFiles([appeared])).rejects.toMatchObject({ code: "file.stale" });
  await expect(commitFiles([vanished])).rejects.toMatchObject({ code: "file.stale" });
  expect(treeOf(fixture.workspace.cwd)).toEqual({ new: "theirs", elsewhere: "x" });
});

test("a failure in the middle takes back what was already renamed in", async () => {
  const fixture = workspaceFixture();
  fixture.write("a", "a");
  fixture.write("b", "b");
  // Two edits that cannot both hold: the first makes a file where the second needs a directory.
  const edits = [
    await edit(fixture, "a", "a", "A"),
    await edit(fixture, "b", "b", null),
    await edit(fixture, "x", null, "file"),
    await edit(fixture, "x/y", null, "below a file"),
  ];
  const before = treeOf(fixture.workspace.cwd);
  await expect(commitFiles(edits)).rejects.toMatchObject({ code: expect.stringMatching(/^(file\.stale|path\.)/) });
  expect(treeOf(fixture.workspace.cwd)).toEqual(before);
});

test("a commit that fails leaves none of the folders it made, however deep", async () => {
  const fixture = workspaceFixture();
  const place = fixture.write("z", "z");
  const edits = [
    await edit(fixture, "one/two/three/a", null, "a"),
    await edit(fixture, "one/two/b", null, "b"),
    await edit(fixture, "one/four/c", null, "c"),
    await edit(fixture, "z", "z", "Z"),
  ];
  writeFileSync(place, "theirs");
  await expect(commitFiles(edits)).rejects.toMatchObject({ code: "file.stale" });
  expect(readdirSync(fixture.workspace.cwd, { recursive: true })).toEqual(["z"]);
  expect(fixture.read("z")).toBe("theirs");
});

test("the mode is kept, and a new file gets the usual one", async () => {
  const fixture = workspaceFixture();
  const script = fixture.write("run.sh", "old");
  chmodSync(script, 0o750);
  await commitFiles([await edit(fixture, "run.sh", "old", "new"), await edit(fixture, "plain", null, "x")]);
  expect(statSync(script).mode & 0o7777).toBe(0o750);
  expect(statSync(join(fixture.workspace.cwd, "plain")).mode & 0o7777).toBe(0o666 & ~process.umask());
});

test("a file marked read-only stays", async () => {
  const fixture = workspaceFixture();
  chmodSync(fixture.write("fixed", "old"), 0o444);
  await expect(commitFiles([await edit(fixture, "fixed", "old", "new")])).rejects.toMatchObject({
    code: "tool.failed",
  });
  expect(treeOf(fixture.workspace.cwd)).toEqual({ fixed: "old" });
});

test("other names of a hard-linked file keep the old content", async () => {
  const fixture = workspaceFixture();
  const outside = join(fixture.base, "outside");
  writeFileSync(outside, "old");
  linkSync(outside, join(fixture.workspace.cwd, "linked"));
  await commitFiles([await edit(fixture, "linked", "old", "new")]);
  expect([fixture.read("linked"), readFileSync(outside, "utf8")]).toEqual(["new", "old"]);
});

test("a write through a link changes its real target and keeps the link", async () => {
  const fixture = workspaceFixture();
  fixture.write("real", "old");
  symlinkSync("real", join(fixture.workspace.cwd, "link"));
  await commitFiles([await edit(fixture, "link", "old", "new")]);
  expect([fixture.read("real"), fixture.read("link")]).toEqual(["new", "new"]);
  expect(readdirSync(fixture.workspace.cwd).toSorted()).toEqual(["link", "real"]);
});

test("a parent that became a link after the check is not followed", async () => {
  const fixture = workspaceFixture();
  fixture.write("dir/a", "old");
  const edits = [await edit(fixture, "dir/a", "old", "new"), await edit(fixture, "dir/b", null, "new")];
  renameSync(join(fixture.workspace.cwd, "dir"), join(fixture.base, "moved"));
  symlinkSync(join(fixture.base, "moved"), join(fixture.workspace.cwd, "dir"));
  for (const one of edits) await expect(commitFiles([one])).rejects.toMatchObject({ code: "path.outside" });
  expect(treeOf(join(fixture.base, "moved"))).toEqual({ a: "old" });
});

test("a place that became a pipe or a directory is refused", async () => {
  const fixture = workspaceFixture();
  const place = fixture.write("a", "old");
  const change = await edit(fixture, "a", "old", "new");
  renameSync(place, `${place}.moved`);
  mkdirSync(place);
  await expect(commitFiles([change])).rejects.toMatchObject({ code: "path.not-a-file" });
});

test("what a killed process left behind is removed by the next commit; copies that may be the only ones stay", async () => {
  const fixture = workspaceFixture();
  const { pid } = spawnSync(process.execPath, ["--version"]);
  const [dead, living] = [pid, process.pid].map((maker) => `.capstan-${maker}-${"0".repeat(24)}`);
  fixture.write("f", "x");
  for (const name of [`${dead}.new`, `${living}.new`, `${dead}.old`, ".capstan-notes"]) fixture.write(name, name);
  linkSync(fixture.write("g", "y"), join(fixture.workspace.cwd, `.capstan-${pid}-${"1".repeat(24)}.old`));
  await commitFiles([await edit(fixture, "f", "x", "z")]);
  expect(readdirSync(fixture.workspace.cwd).toSorted()).toEqual(
    [`${dead}.old`, `${living}.new`, ".capstan-notes", "f", "g"].toSorted(),
  );
});

test("for random changes, of which one may be stale: all of them or none", async () => {
  const fixture = workspaceFixture();
  const names = ["a", "b", "d/c", "d/e/f"];
  const file = fc.record({
    before: fc.option(fc.string()),
    after: fc.option(fc.string()),
    stale: fc.integer({ min: 0, max: 5 }),
  });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.tuple(file, file, file, file), async (files) => {
      run += 1;
      const edits: FileEdit[] = [];
      const expected: Record<string, string> = {};
      const untouched: Record<string, string> = {};
      for (const [index, { before, after, stale }] of files.entries()) {
        if (before === null && after === null) continue;
        const name = `${run}/${names[index] ?? ""}`;
        if (before !== null) fixture.write(name, before);
        edits.push(await edit(fixture, name, stale === 0 && before !== null ? `${before}!` : before, after));
        if (before !== null) untouched[names[index] ?? ""] = before;
        if (after !== null) expected[names[index] ?? ""] = after;
      }
      const stale = files.some((one) => one.stale === 0 && one.before !== null);
      const failed = await commitFiles(edits).then(
        () => false,
        () => true,
      );
      expect(failed).toBe(stale);
      expect(treeOf(join(fixture.workspace.cwd, String(run)))).toEqual(stale ? untouched : expected);
    }),
    { numRuns: runs(60) },
  );
});

function treeOf(directory: string): Record<string, string> {
  if (!existsSync(directory)) return {};
  return Object.fromEntries(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(directory.length + 1), readFileSync(path, "utf8")]),
  );
}
