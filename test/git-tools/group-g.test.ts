/** Group G of the attack catalogue, for every git tool; each row beside plain git. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@capstan/protocol";
import { isSlowTier } from "@capstan/testkit";
import { expect, test } from "vitest";
import { arm, gitPlace, type GitPlace } from "./git-place.ts";

/** A repository with a history of two commits. */
function history(place: GitPlace): void {
  place.write("a.txt", "one\n");
  place.git("add", "--all");
  place.git("commit", "--quiet", "-m", "first");
  place.write("a.txt", "two\n");
  place.git("commit", "--quiet", "--all", "-m", "second");
}

const everyCall: readonly (readonly [string, JsonObject])[] = [
  ["git_status", {}],
  ["git_status", { porcelain: false }],
  ["git_diff", {}],
  ["git_diff", { stat: true }],
  ["git_diff", { from_ref: "HEAD~1", to_ref: "HEAD" }],
  ["git_log", { format: "%H %G? %(trailers)" }],
  ["git_show", {}],
  ["git_blame", { path: "a.txt" }],
  ["git_branch", { list_all: true }],
  ["git_stash", { action: "push", message: "aside" }],
  ["git_stash", { action: "list" }],
  ["git_stash", { action: "show" }],
  ["git_stash", { action: "pop" }],
  ["git_add", { paths: ["a.txt"] }],
  ["git_diff", { cached: true }],
  ["git_commit", { type: "fix", scope: "a", message: "third" }],
  ["git_branch", { create: "other" }],
  ["git_checkout", { branch: "other" }],
  ["git_checkout", { commit: "HEAD~1", paths: ["a.txt"] }],
  ["git_restore", { paths: ["a.txt"], staged: true, worktree: true }],
  ["git_checkout", { branch: "main" }],
  ["git_branch", { rename: "other", new_name: "another" }],
  ["git_branch", { force_delete: "another" }],
  ["git_checkout", { create_branch: "last" }],
];

test("G1: no tool runs anything of a repository, and each of them works; plain git runs ten things and more", async () => {
  const place = gitPlace();
  history(place);
  arm(place);
  place.write("a.txt", "three\n");
  for (const [tool, args] of everyCall) {
    const called = await place.call(tool, args);
    expect([tool, args, called.code, called.text]).toEqual([tool, args, undefined, expect.any(String)]);
    expect([tool, args, place.marked()]).toEqual([tool, args, []]);
  }
  expect(place.git("log", "--format=%s", "-1", "main")).toBe("fix(a): third\n");
  // The same without the recipe.
  place.write("a.txt", "four\n");
  place.git("config", "--unset", "commit.gpgSign");
  const plain =
    "status|diff|log -p|show|blame a.txt|add a.txt|commit -m x|stash|stash pop|checkout -b y|checkout HEAD~1 -- a.txt|restore --staged --worktree a.txt";
  for (const line of plain.split("|")) place.tryGit(...line.split(" "));
  expect(place.marked().length).toBeGreaterThanOrEqual(10);
});

test("G2: a repository that leads elsewhere runs nothing there and changes nothing there", async () => {
  const place = gitPlace();
  history(place);
  const outside = join(place.markers, "..", "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "secret.txt"), "secret\n");
  const evil = join(place.markers, "..", "evil-config");
  const program = join(place.markers, "..", "evil");
  writeFileSync(program, `#!/bin/sh\ntouch '${join(place.markers, "ran")}'\n`);
  chmodSync(program, 0o755);
  writeFileSync(evil, `[core]\n\tfsmonitor = ${program}\n[filter "x"]\n\tclean = ${program}\n`);
  place.git("config", "include.path", evil);
  place.write(".gitattributes", "* filter=x\n");
  place.write("a.txt", "three\n");
  for (const [tool, args] of [
    ["git_status", {}],
    ["git_diff", {}],
    ["git_add", { all: true }],
  ] as const)
    expect([tool, (await place.call(tool, args)).code, place.marked()]).toEqual([tool, undefined, []]);
  // A working tree of somewhere else: only what lies here is shown.
  place.git("config", "core.worktree", outside);
  for (const [tool, args] of [
    ["git_status", {}],
    ["git_diff", {}],
    ["git_add", { all: true }],
    ["git_checkout", { paths: ["a.txt"] }],
  ] as const)
    expect([tool, (await place.call(tool, args)).code]).toEqual([tool, "path.outside"]);
  expect(readdirSync(outside)).toEqual(["secret.txt"]);
  place.git("config", "--unset", "core.worktree");
  // A bare repository inside of a folder of data is none.
  place.git("init", "--quiet", "--bare", "data");
  writeFileSync(
    join(place.root, "data", "config"),
    `[core]\n\tbare = true\n\tfsmonitor = ${program}\n\trepositoryformatversion = 0\n`,
  );
  expect((await place.call("git_log", { working_dir: "data" })).code).toBe("tool.failed");
  expect(place.marked()).toEqual([]);
  place.tryGit("-C", "data", "-c", "core.bare=false", "status");
  place.tryGit("status");
  expect(place.marked()).toEqual(["ran"]);
});

test("G2: a submodule's own settings are not asked", async () => {
  const place = gitPlace();
  history(place);
  place.git("init", "--quiet", "module");
  place.write("module/b.txt", "b\n");
  place.git("-C", "module", "add", "b.txt");
  place.git("-C", "module", "commit", "--quiet", "-m", "m");
  place.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "./module", "module");
  place.git("commit", "--quiet", "-m", "with a module");
  const program = join(place.markers, "..", "evil");
  writeFileSync(program, `#!/bin/sh\ntouch '${join(place.markers, "ran")}'\n`);
  chmodSync(program, 0o755);
  place.git("-C", "module", "config", "core.fsmonitor", program);
  place.git("-C", "module", "config", "filter.x.clean", program);
  place.write("module/.gitattributes", "* filter=x\n");
  place.write("module/b.txt", "changed\n");
  for (const [tool, args] of [
    ["git_status", {}],
    ["git_diff", {}],
    ["git_add", { all: true }],
    ["git_commit", { type: "fix", message: "x" }],
  ] as const)
    expect([tool, (await place.call(tool, args)).text.length > 0, place.marked()]).toEqual([tool, true, []]);
  place.tryGit("status");
  expect(place.marked()).toEqual(["ran"]);
});

test("G3: what begins with a line is a name or nothing: never an option", async () => {
  const place = gitPlace();
  history(place);
  place.write("--output=made", "odd\n");
  const made = join(place.root, "made");
  const rejected: readonly (readonly [string, JsonObject])[] = [
    ["git_diff", { from_ref: `--output=${made}` }],
    ["git_show", { commit: `--output=${made}` }],
    ["git_blame", { path: "a.txt", commit: "--contents=/etc/passwd" }],
    ["git_checkout", { branch: "--orphan=x" }],
    ["git_checkout", { commit: "-f" }],
    ["git_branch", { create: "--unset-upstream" }],
    ["git_branch", { rename: "main", new_name: "-D" }],
    ["git_commit", { type: "--amend", message: "x" }],
    ["git_show", { commit: "HEAD:.env" }],
    ["git_show", { commit: "a b" }],
  ];
  for (const [tool, args] of rejected)
    expect([tool, args, (await place.call(tool, args)).code]).toEqual([tool, args, "tool.bad-arguments"]);
  expect((await place.call("git_add", { paths: ["--output=made"] })).code).toBeUndefined();
  expect(
    (await place.call("git_log", { grep: `--output=${made}`, author: "-x", since: "--all" })).code,
  ).toBeUndefined();
  expect((await place.call("git_commit", { type: "fix", message: `--amend --file=${made}` })).code).toBeUndefined();
  expect(place.git("log", "-1", "--format=%s")).toBe(`fix: --amend --file=${made}\n`);
  expect((await place.call("git_log", { path: "--output=made" })).text).toContain("--amend");
  expect(existsSync(made)).toBe(false);
  // The same without care.
  place.git("diff", "HEAD~1", `--output=${made}`);
  expect(existsSync(made)).toBe(true);
});

test("G4: names that move or hide what is seen are shown by their numbers", async () => {
  const place = gitPlace();
  history(place);
  const names = ["x\u202ecod.exe", "esc\u001b[2Jape", "zero\u200bwidth"];
  for (const name of names) place.write(name, "x\n");
  place.git("-c", "core.quotePath=false", "add", "--all");
  place.git("commit", "--quiet", "-m", "a \u202e\u001b[31mred\u001b[0m subject");
  place.git("config", "core.quotePath", "false");
  for (const [tool, args] of [
    ["git_show", { stat: true }],
    ["git_log", {}],
  ] as const) {
    const { text } = await place.call(tool, args);
    expect(text).toContain("⟨U+202E⟩");
    // oxlint-disable-next-line no-control-regex -- control characters are what this is about
    expect(text).not.toMatch(/[\u001b\u202e\u200b]/);
  }
  expect(place.git("log", "-1")).toContain("\u202e");
});

test("G5: what a filter must do for a file to be stored is not done, and then nothing is stored", async () => {
  const place = gitPlace();
  history(place);
  const filter = join(place.markers, "..", "filter");
  writeFileSync(filter, `#!/bin/sh\ntouch '${join(place.markers, "filtered")}'\necho pointer\n`);
  chmodSync(filter, 0o755);
  place.git("config", "filter.lfs.clean", filter);
  place.git("config", "filter.lfs.required", "true");
  place.write(".gitattributes", "*.bin filter=lfs\n");
  place.write("large.bin", "large\n");
  expect((await place.call("git_add", { paths: ["large.bin"] })).code).toBe("tool.failed");
  expect([place.git("ls-files", "large.bin"), place.marked()]).toEqual(["", []]);
  // Reading is possible all the same.
  expect((await place.call("git_status")).text).toContain("?? large.bin");
  // A command that the user allows does it.
  const command = { command: "git add large.bin", writes: true };
  expect((await place.call("run_command", command)).code).toBeUndefined();
  expect([place.git("show", ":large.bin"), place.marked()]).toEqual(["pointer\n", ["filtered"]]);
});

test("G6: a lock that is held is an error and stays; a damaged index is an error; a shallow history is read", async () => {
  const place = gitPlace();
  history(place);
  const lock = join(place.root, ".git", "index.lock");
  writeFileSync(lock, "");
  place.write("b.txt", "b\n");
  for (const [tool, args] of [
    ["git_add", { all: true }],
    ["git_commit", { type: "fix", message: "x" }],
    ["git_restore", { paths: ["a.txt"] }],
    ["git_checkout", { create_branch: "x" }],
  ] as const) {
    const called = await place.call(tool, args);
    expect([tool, called.code, called.text]).toEqual([tool, "tool.failed", expect.stringContaining("index.lock")]);
    expect(existsSync(lock)).toBe(true);
  }
  // Reading needs no lock.
  expect((await place.call("git_status")).text).toContain("?? b.txt");
  rmSync(lock);
  expect((await place.call("git_add", { all: true })).code).toBeUndefined();
  writeFileSync(join(place.root, ".git", "index"), "no index");
  expect(await place.call("git_status")).toMatchObject({ code: "tool.failed", details: { isError: true } });
  rmSync(join(place.root, ".git", "index"));
  writeFileSync(join(place.root, ".git", "shallow"), place.git("rev-parse", "HEAD"));
  expect((await place.call("git_log", { oneline: true })).text.split("\n").length).toBe(1);
});

test("G6: git that takes too long is ended, and so is what writes too much", async () => {
  const place = gitPlace();
  history(place);
  place.write("large.txt", "a line of text\n".repeat(50_000));
  const cut = await place.call("git_diff", { from_ref: "HEAD~1", max_bytes: 20 });
  expect(cut.details).toMatchObject({ truncated_stdout: true });
  expect(cut.text).toMatch(/\[output truncated\]$/);
  place.git("add", "--all");
  const large = await place.call("git_diff", { cached: true });
  expect(large.details).toMatchObject({ truncated_stdout: true, exit_code: 0 });
  expect(Buffer.byteLength(large.text)).toBeLessThan(100 * 1024);
});

test("G7: no tool pushes, sets configuration or changes a remote", async () => {
  const place = gitPlace();
  history(place);
  place.git("remote", "add", "origin", "https://a.test/x.git");
  const config = join(place.root, ".git", "config");
  const before = readFileSync(config, "utf8");
  // G1 calls them all; what git itself would write into the configuration is about branches.
  const calls = isSlowTier ? everyCall : everyCall.filter(([tool]) => /branch|checkout/.test(tool));
  for (const [tool, args] of calls) await place.call(tool, args);
  expect(readFileSync(config, "utf8").replaceAll(/\[branch[^[]*/g, "")).toBe(before);
  await expect(place.call("git_push")).rejects.toThrow("no tool");
});

test("what protected files hold is shown by no tool, and their names are", async () => {
  const place = gitPlace();
  place.write(".env", "TOKEN=one\n");
  place.write("keys/a.pem", "KEY\n");
  place.write("b.txt", "b\n");
  place.git("add", "--all", "--force");
  place.git("commit", "--quiet", "-m", "with secrets");
  place.write(".env", "TOKEN=two\n");
  place.write("b.txt", "c\n");
  expect((await place.call("git_status")).text).toContain(".env");
  const shown = await Promise.all([
    place.call("git_diff"),
    place.call("git_show"),
    place.call("git_diff", { paths: [".env"] }),
  ]);
  for (const { text } of shown) expect(text).not.toMatch(/TOKEN|KEY/);
  expect(shown[0]?.text).toContain("b.txt");
  expect((await place.call("git_blame", { path: ".env" })).code).toBe("path.denied");
  expect(place.git("diff")).toContain("TOKEN=two");
});

test("a folder that is a link to somewhere else is not asked about", async () => {
  const place = gitPlace();
  history(place);
  symlinkSync("/", join(place.root, "link"));
  expect((await place.call("git_status", { working_dir: "link" })).code).toBe("path.outside");
  expect((await place.call("git_add", { working_dir: "link", all: true })).code).toBe("path.outside");
});
