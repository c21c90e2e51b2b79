/** Real repositories, made by git. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { buildFolderNames } from "@capstan/protocol";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { findBuildFolders } from "../../src/build/find-build-folders.ts";

let root = "";

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "capstan-build-")));
  const made = root;
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
});

function write(path: string, content = "x\n"): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

function git(...words: readonly string[]): void {
  const identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always"];
  execFileSync("git", [...identity, ...words], { cwd: root, stdio: "ignore" });
}

async function found(names: readonly string[] = buildFolderNames, from = "."): Promise<readonly string[]> {
  return (await findBuildFolders(join(root, from), names)).map((path) => relative(root, path)).toSorted();
}

describe("in a repository", () => {
  beforeEach(() => git("init", "--quiet"));

  test("ignored, untracked and named by the list are what may be changed; one of the three is not enough", async () => {
    write(".gitignore", "dist/\nprivate/\n*.tsbuildinfo\n/pkg/build\n");
    for (const path of ["dist/a.js", "build/a.js", "private/a", "pkg/build/a", "pkg/dist/a", "deep/build/a"])
      write(path);
    write("a.tsbuildinfo");
    expect(await found()).toEqual(["a.tsbuildinfo", "dist", "pkg/build", "pkg/dist"]);
    git("add", "--force", "dist/a.js");
    expect(await found()).toEqual(["a.tsbuildinfo", "pkg/build", "pkg/dist"]);
    // Committed or not: what the index names is tracked.
    git("commit", "--quiet", "-m", "one");
    git("add", "--force", "pkg/build/a");
    expect(await found()).toEqual(["a.tsbuildinfo", "pkg/dist"]);
  });

  test("a .gitignore of `*` opens nothing that the list does not name", async () => {
    write(".gitignore", "*\n");
    for (const path of ["src/a.ts", "notes/a", "node_modules/a/index.js", "src/dist/a.js"]) write(path);
    expect(await found()).toEqual(["node_modules", "src/dist"]);
  });

  test("a name with a star opens what begins and ends as it does, in this order, and nothing that has one half of it", async () => {
    write(".gitignore", "*\n");
    const fitting = ["cmake-build-debug", "a.egg-info", "x-1-y-2-z"];
    const others = ["cmake", "notes", "egg-info", "x-2-y-1-z", "x-1-y-2", "1-y-2-z", "x-z"];
    for (const name of [...fitting, ...others]) write(`${name}/file`);
    expect(await found(["cmake-build-*", "*.egg-info", "x-*1*2*-z"])).toEqual(fitting.toSorted());
  });

  test("what is not there is not opened, nor is what only looks like a folder", async () => {
    write(".gitignore", "*\n");
    write("src/a");
    symlinkSync(join(root, "src"), join(root, "dist"));
    symlinkSync("/", join(root, "node_modules"));
    write("coverage", "a file of that name is one all the same\n");
    expect(await found()).toEqual(["coverage"]);
  });

  test("a folder that ignores itself, as virtual environments do, counts; one that keeps something does not", async () => {
    write(".venv/.gitignore", "# made by venv\n*\n");
    write("venv/.gitignore", "*\n!mine\n");
    write(".pytest_cache/.gitignore", "# made by pytest\n*\n");
    expect(await found()).toEqual([".pytest_cache", ".venv"]);
  });

  test("info/exclude counts, weaker than a .gitignore", async () => {
    write(".git/info/exclude", "dist\nbuild\n");
    write(".gitignore", "!build\n");
    write("dist/a");
    write("build/a");
    expect(await found()).toEqual(["dist"]);
  });

  test("a workspace inside a repository is judged by the rules and the index above it", async () => {
    write(".gitignore", "packages/*/dist\n");
    write("packages/a/dist/x");
    write("packages/b/dist/x");
    git("add", "--force", "packages/b/dist/x");
    expect(await found(buildFolderNames, "packages/a")).toEqual(["packages/a/dist"]);
    expect(await found(buildFolderNames, "packages/b")).toEqual([]);
  });

  test("a repository around a repository: what either tracks is closed", async () => {
    write("lib/.gitignore", "dist\n");
    write("lib/dist/x");
    git("add", "--force", "lib/dist/x");
    execFileSync("git", ["init", "--quiet", "lib"], { cwd: root });
    expect(await found()).toEqual([]);
  });

  test("a linked worktree has its own index", async () => {
    write(".gitignore", "dist\n");
    git("add", ".gitignore");
    git("commit", "--quiet", "-m", "one");
    git("worktree", "add", "--quiet", "other");
    write("other/dist/x");
    expect(await found(buildFolderNames, "other")).toEqual(["other/dist"]);
    execFileSync("git", ["add", "--force", "dist/x"], { cwd: join(root, "other") });
    expect(await found(buildFolderNames, "other")).toEqual([]);
  });

  test("in a linked worktree info/exclude of the repository it belongs to counts", async () => {
    write("a");
    git("add", "a");
    git("commit", "--quiet", "-m", "one");
    git("worktree", "add", "--quiet", "other");
    write("other/dist/x");
    expect(await found(buildFolderNames, "other")).toEqual([]);
    write(".git/info/exclude", "dist\n");
    expect(await found(buildFolderNames, "other")).toEqual(["other/dist"]);
  });

  test.each([["2"], ["3"], ["4"]])("tracked is tracked in an index of version %s", async (version) => {
    write(".gitignore", "dist\n");
    const names = ["a", "dist.js", "dist/deep/x", "dist-other", "é", `${"long/".repeat(40)}x`, "b".repeat(128), "z"];
    for (const name of names) write(name);
    write("other/dist/x");
    git("add", "--force", ...names);
    git("update-index", "--index-version", version);
    // Version 3 is what an entry with further flags needs.
    if (version === "3") git("update-index", "--skip-worktree", "a");
    expect(await found()).toEqual(["other/dist"]);
    git("rm", "--quiet", "--cached", "dist/deep/x");
    expect(await found()).toEqual(["dist", "other/dist"]);
  });

  test("an index that cannot be read wholly closes everything", async () => {
    write(".gitignore", "dist\n");
    write("dist/x");
    write("a");
    git("add", "a");
    expect(await found()).toEqual(["dist"]);
    git("update-index", "--split-index");
    expect(await found()).toEqual([]);
    for (const damaged of ["", "DIRC", "DIRC\0\0\0\u0002\0\0\0\u0005", "something else".repeat(9)]) {
      write(".git/index", damaged);
      expect(await found()).toEqual([]);
    }
  });
});

test("without a repository the name alone counts, and the user's own names with it", async () => {
  for (const path of ["dist/a", "src/a", "lib/_build/a", "lib/a.cache", "deep/node_modules/b/dist/a"]) write(path);
  expect(await found()).toEqual(["deep/node_modules", "dist"]);
  expect(await found([...buildFolderNames, "_build", "*.cache"])).toEqual([
    "deep/node_modules",
    "dist",
    "lib/_build",
    "lib/a.cache",
  ]);
});

test("more of them than mounts are given are left read-only, the deepest first", async () => {
  for (let at = 0; at < 210; at += 1) write(`packages/p${at}/dist/a`);
  write("dist/a");
  const some = await found();
  expect(some).toHaveLength(200);
  expect(some).toContain("dist");
});
