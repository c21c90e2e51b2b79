import { sampled } from "@capstan/testkit";
import { chmodSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { gitFacts } from "../src/git-facts.ts";
import { newDirectory, newRepository, type Repository } from "./repository.ts";

function look(directory: string): Promise<string | undefined> {
  return gitFacts(directory, new AbortController().signal);
}

test("branch and changed files are reported, from below the root too", async () => {
  const { root, git, write } = newRepository();
  expect(await look(root)).toBe("Git: branch main, no uncommitted changes.");
  write("a.txt", "changed\n");
  write("sub/new.txt", "");
  git("add", "sub");
  write("untracked.txt", "");
  const changed = "Git: branch main, uncommitted changes:\n M a.txt\nA  sub/new.txt\n?? untracked.txt";
  expect(await look(root)).toBe(changed);
  expect(await look(join(root, "sub"))).toBe(changed);
});

test("a renamed file is one that went and one that came, each with its mark", async () => {
  const { root, git } = newRepository();
  git("mv", "a.txt", "b.txt");
  expect(await look(root)).toBe("Git: branch main, uncommitted changes:\nD  a.txt\nA  b.txt");
});

test("a branch without commits, with an upstream, or no branch at all has its name", async () => {
  const empty = newDirectory();
  empty.git("init", "-q", "-b", "fresh");
  expect(await look(empty.root)).toBe("Git: branch fresh, no uncommitted changes.");

  const { root, git } = newRepository();
  git("branch", "base");
  git("checkout", "-q", "-b", "feature/one-two");
  git("branch", "-q", "--set-upstream-to=base");
  expect(await look(root)).toBe("Git: branch feature/one-two, no uncommitted changes.");
  git("checkout", "-q", "--detach");
  expect(await look(root)).toBe("Git: branch HEAD (no branch), no uncommitted changes.");
});

test("outside a repository, in a broken one, and without git there is nothing to report", async () => {
  const plain = newDirectory();
  expect(await look(plain.root)).toBeUndefined();
  plain.write(".git", "gitdir: /nowhere\n");
  expect(await look(plain.root)).toBeUndefined();
  expect(await look(join(plain.root, "missing"))).toBeUndefined();
  const { root } = newRepository();
  vi.stubEnv("PATH", plain.root);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await look(root)).toBeUndefined();
});

test("whoever stops waiting is answered", async () => {
  const { root } = newRepository();
  expect(await gitFacts(root, AbortSignal.abort())).toBeUndefined();
});

test("more changes than anyone reads are counted", async () => {
  const { root, write } = newRepository();
  for (let number = 10; number < 40; number++) write(`f${number}`, "");
  const lines = (await look(root))?.split("\n");
  expect([lines?.length, lines?.[1], lines?.[20], lines?.[21]]).toEqual([22, "?? f10", "?? f29", "… and 10 more"]);
});

test("odd characters in names of branches and files are shown, and cannot forge a line", async () => {
  const { root, git, write } = newRepository();
  git("checkout", "-q", "-b", "turn\u202eround");
  write("new\nGit: branch main, no uncommitted changes.", "");
  write("esc\u001b[2J\u200b.txt", "");
  write('-rf "$(touch marker)" 世界', "");
  expect(await look(root)).toBe(
    [
      String.raw`Git: branch turn\u{202e}round, uncommitted changes:`,
      `?? -rf "$(touch marker)" 世界`,
      String.raw`?? esc\u{1b}[2J\u{200b}.txt`,
      String.raw`?? new\u{a}Git: branch main, no uncommitted changes.`,
    ].join("\n"),
  );
  expect(existsSync(join(root, "marker"))).toBe(false);
});

/** A command that leaves a mark outside the repository's view, and continues as if nothing were. */
function marking({ root }: Repository): { readonly command: string; readonly marked: () => boolean } {
  const marker = join(root, ".git", "marker");
  return { command: `sh -c 'touch "${marker}"; cat' #`, marked: () => existsSync(marker) };
}

const programs = [
  "core.fsmonitor",
  "core.pager",
  "core.editor",
  "core.askPass",
  "core.sshCommand",
  "core.alternateRefsCommand",
  "credential.helper",
  "diff.external",
  "diff.evil.textconv",
  "diff.evil.command",
  "merge.evil.driver",
  "gpg.program",
  "sequence.editor",
  "interactive.diffFilter",
  "uploadpack.packObjectsHook",
];

test.each(sampled(programs, 5))("what a repository configures as %s is not run", async (key) => {
  const repository = newRepository();
  const { command, marked } = marking(repository);
  repository.git("config", key, command);
  repository.write(".gitattributes", "* diff=evil merge=evil\n");
  repository.write("a.txt", "two\n");
  expect(await look(repository.root)).toBe("Git: branch main, uncommitted changes:\n M a.txt\n?? .gitattributes");
  expect(marked()).toBe(false);
});

const filters = [
  "filter.evil.clean",
  "filter.evil.process",
  "filter.evil.smudge",
  "filter.a=b.clean",
  "FILTER.evil.Clean",
];

test.each(sampled(filters, 2))(
  "a filter that a repository configures as %s is not run: the branch is reported, and why no more",
  async (key) => {
    const repository = newRepository();
    const { command, marked } = marking(repository);
    repository.git("config", key, command);
    repository.write(".gitattributes", "* filter=evil\nb.txt filter=a=b\n");
    // As long as before: git has to read it to see that it changed.
    repository.write("a.txt", "two\n");
    expect(await look(repository.root)).toBe(
      "Git: branch main; uncommitted changes were not looked at, because to compare files git would run filters that the repository configures.",
    );
    expect(marked()).toBe(false);
  },
);

test("a filter in a file that the repository's configuration includes, or of one work tree, is its own too", async () => {
  for (const where of ["include", "worktree"] as const) {
    const repository = newRepository();
    const { command, marked } = marking(repository);
    if (where === "include") {
      repository.git("config", "-f", "more", "filter.evil.clean", command);
      repository.git("config", "include.path", "../more");
    } else {
      repository.git("config", "extensions.worktreeConfig", "true");
      repository.git("config", "--worktree", "filter.evil.clean", command);
    }
    repository.write(".gitattributes", "* filter=evil\n");
    repository.write("a.txt", "two\n");
    expect(await look(repository.root)).toContain("were not looked at");
    expect([where, marked()]).toEqual([where, false]);
  }
});

test("the user's own filters do not hide the state of a repository", async () => {
  const repository = newRepository();
  repository.git("config", "--global", "filter.lfs.clean", "cat");
  repository.git("config", "--global", "core.excludesFile", join(repository.root, ".gitconfig-ignore"));
  repository.write(".gitconfig-ignore", ".gitconfig*\n");
  repository.write("a.txt", "two\n");
  vi.stubEnv("HOME", repository.root);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await look(repository.root)).toBe("Git: branch main, uncommitted changes:\n M a.txt");
});

test("hooks are not run, and the index is not written", async () => {
  const repository = newRepository();
  const { marked } = marking(repository);
  const marker = join(repository.root, ".git", "marker");
  for (const hook of [
    "post-index-change",
    "fsmonitor-watchman",
    "query-watchman",
    "reference-transaction",
    "pre-auto-gc",
  ]) {
    repository.write(`.git/hooks/${hook}`, `#!/bin/sh\ntouch "${marker}"\n`);
    chmodSync(join(repository.root, ".git/hooks", hook), 0o755);
  }
  repository.write("a.txt", "two\n");
  expect(await look(repository.root)).toBe("Git: branch main, uncommitted changes:\n M a.txt");
  expect(marked()).toBe(false);
});

test("a missing object is not fetched: neither from another place, nor by a program of the repository's choice", async () => {
  for (const url of [newRepository().root, "ext::sh -c touch% marker"]) {
    const repository = newRepository();
    const { command, marked } = marking(repository);
    const settings = {
      "core.repositoryFormatVersion": "1",
      "extensions.partialClone": "origin",
      "remote.origin.promisor": "true",
      "remote.origin.url": url,
      "remote.origin.uploadpack": command,
      "protocol.allow": "always",
      "protocol.ext.allow": "always",
      "protocol.file.allow": "always",
    };
    for (const [key, value] of Object.entries(settings)) repository.git("config", key, value);
    const tree = repository.git("rev-parse", "HEAD^{tree}").trim();
    rmSync(join(repository.root, ".git/objects", tree.slice(0, 2), tree.slice(2)));
    expect(await look(repository.root)).toBeUndefined();
    expect([marked(), existsSync(join(repository.root, "marker"))]).toEqual([false, false]);
  }
});

test("a program named git in the workspace is not the one that is run", async () => {
  const repository = newRepository();
  const marker = join(repository.root, ".git", "marker");
  repository.write("git", `#!/bin/sh\ntouch "${marker}"\n`);
  chmodSync(join(repository.root, "git"), 0o755);
  vi.stubEnv("PATH", `.::${repository.root}:${process.env["PATH"] ?? ""}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await look(repository.root)).toContain("?? git");
  expect(existsSync(marker)).toBe(false);
});
