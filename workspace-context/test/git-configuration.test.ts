import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { surelyWithoutFilters } from "../src/git-configuration.ts";

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function repository(): string {
  const folder = mkdtempSync(join(tmpdir(), "capstan-git-"));
  folders.push(folder);
  execFileSync("git", ["init", "-q"], { cwd: folder });
  return folder;
}

test("a plain repository without filters is known at a look, from any folder in it", () => {
  const folder = repository();
  mkdirSync(join(folder, "a", "b"), { recursive: true });
  expect(surelyWithoutFilters(folder)).toBe(true);
  expect(surelyWithoutFilters(join(folder, "a", "b"))).toBe(true);
});

test("a filter, however it is written or taken in, is never overlooked", () => {
  for (const text of [
    '[filter "x"]\n\tclean = touch marker\n',
    "[FILTER.x]\nclean = y\n",
    "[include]\npath = elsewhere\n",
    '[includeIf "gitdir:**"]\npath = elsewhere\n',
    "[extensions]\nworktreeConfig = true\n",
  ]) {
    const folder = repository();
    appendFileSync(join(folder, ".git", "config"), text);
    expect([text, surelyWithoutFilters(folder)]).toEqual([text, false]);
  }
});

test("what is no plain repository is left to git: worktrees, shared directories, bare repositories, none at all", () => {
  const worktree = repository();
  rmSync(join(worktree, ".git"), { recursive: true });
  writeFileSync(join(worktree, ".git"), "gitdir: /elsewhere\n");
  const shared = repository();
  writeFileSync(join(shared, ".git", "commondir"), "../other\n");
  const bareInside = repository();
  mkdirSync(join(bareInside, "data"));
  writeFileSync(join(bareInside, "data", "HEAD"), "ref: refs/heads/main\n");
  const none = mkdtempSync(join(tmpdir(), "capstan-git-"));
  folders.push(none);
  expect([worktree, shared, join(bareInside, "data"), none].map(surelyWithoutFilters)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
