import { slowTest } from "@capstan/testkit";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gitPlace, type GitPlace } from "./git-place.ts";

function commit(place: GitPlace, file: string, content: string): void {
  place.write(file, content);
  place.git("add", "--all");
  place.git("commit", "--quiet", "-m", `${file} is ${content.trim()}`);
}

test("a result has git's own answer in the fields that programs of other agents know", async () => {
  const place = gitPlace();
  commit(place, "a.txt", "one\n");
  expect((await place.call("git_status")).details).toEqual({
    content: "## main",
    isError: false,
    git_bin: "git",
    args: ["status", "--ignore-submodules=dirty", "--porcelain=v1", "--branch", "--untracked-files=normal"],
    working_dir: ".",
    exit_code: 0,
    timed_out: false,
    truncated_stdout: false,
    truncated_stderr: false,
    stdout: "## main\n",
    stderr: "",
    extras: { clean: true },
  });
  place.write("a.txt", "two\n");
  expect((await place.call("git_status")).details).toMatchObject({ extras: { clean: false } });
  await place.call("git_add", { update: true });
  const made = await place.call("git_commit", { type: "feat", scope: "core", message: "second\n\nWith a body." });
  expect(made.details).toMatchObject({
    isError: false,
    exit_code: 0,
    extras: { commit_hash: place.git("rev-parse", "HEAD").trim() },
  });
  expect(place.git("log", "-1", "--format=%B")).toBe("feat(core): second\n\nWith a body.\n\n");
  const again = await place.call("git_commit", { type: "feat", message: "nothing" });
  expect(again).toMatchObject({ code: "tool.failed", details: { isError: true, exit_code: 1, extras: {} } });
});

slowTest("where git says nothing, a word does", async () => {
  const place = gitPlace();
  expect((await place.call("git_status", { branch: false })).text).toBe("clean");
  commit(place, "a.txt", "one\n");
  expect((await place.call("git_diff")).text).toBe("no diff");
  expect((await place.call("git_log", { grep: "never said" })).text).toBe("no commits");
  expect((await place.call("git_stash", { action: "list" })).text).toBe("no stashes");
  place.write("b.txt", "b\n");
  expect((await place.call("git_add", { all: true })).text).toBe("ok");
});

test("each argument means what git means by it", async () => {
  const place = gitPlace();
  commit(place, "a.txt", "one\n2\n3\n4\n5\n6\n7\n8\n9\n");
  commit(place, "b.txt", "b\n");
  place.write("a.txt", "ONE\n2\n3\n4\n5\n6\n7\n8\n9\n");
  const text = async (tool: string, args: Parameters<GitPlace["call"]>[1]): Promise<string> =>
    (await place.call(tool, args)).text;
  expect(await text("git_diff", { name_only: true })).toBe("a.txt");
  expect(await text("git_diff", { stat: true })).toContain("1 insertion");
  expect(await text("git_diff", { unified: 0 })).not.toContain(" 2\n");
  expect(await text("git_diff", { paths: ["b.txt"] })).toBe("no diff");
  expect(await text("git_log", { oneline: true, max_count: 1 })).toMatch(/^[0-9a-f]{7,} b\.txt is b$/);
  expect(await text("git_log", { format: "%s", path: "a.txt" })).toMatch(/^a\.txt is one/);
  expect(await text("git_show", { commit: "HEAD", name_only: true, format: "%s" })).toBe("b.txt is b\n\nb.txt");
  expect((await text("git_blame", { path: "a.txt", start_line: 2, end_line: 3 })).split("\n").length).toBe(2);
  await text("git_stash", { action: "push", message: "aside" });
  expect(await text("git_stash", { action: "list" })).toContain("aside");
  expect(await text("git_stash", { action: "show", index: 0 })).toContain("a.txt");
  await text("git_stash", { action: "pop" });
  await text("git_restore", { paths: ["a.txt"] });
  expect(await text("git_status", { branch: false })).toBe("clean");
  await text("git_branch", { create: "side" });
  await text("git_checkout", { branch: "side" });
  expect(await text("git_branch", {})).toMatch(/^ {2}main\n\* side$/);
  expect((await place.call("git_branch", { create: "x", delete: "side" })).code).toBe("tool.bad-arguments");
  expect((await place.call("git_commit", { message: "no type" })).code).toBe("tool.bad-arguments");
  expect((await place.call("git_restore", { paths: [] })).code).toBe("tool.bad-arguments");
});

test("a folder without a repository is said to be none; so is a commit that is not there", async () => {
  const place = gitPlace();
  execFileSync("rm", ["-r", join(place.root, ".git")]);
  expect(await place.call("git_status")).toMatchObject({
    code: "tool.failed",
    text: expect.stringContaining("not a git repository"),
  });
  const other = gitPlace();
  commit(other, "a.txt", "one\n");
  expect(await other.call("git_show", { commit: "nowhere" })).toMatchObject({ code: "tool.failed" });
});
