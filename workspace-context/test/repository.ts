import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A directory of a test's own, in which git can be run. */
export interface Repository {
  readonly root: string;
  readonly git: (...args: readonly string[]) => string;
  readonly write: (path: string, content: string) => void;
}

export function newDirectory(): Repository {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "capstan-context-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const identity = {
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@b",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@b",
  };
  const env = { PATH: process.env["PATH"] ?? "", HOME: root, GIT_CONFIG_NOSYSTEM: "1", ...identity };
  return {
    root,
    git: (...args) =>
      execFileSync("git", args, { cwd: root, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }),
    write: (path, content) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
  };
}

/** With one commit on `main`, of the file `a.txt`. */
export function newRepository(): Repository {
  const repository = newDirectory();
  repository.git("init", "-q", "-b", "main");
  repository.write("a.txt", "one\n");
  repository.git("add", ".");
  repository.git("commit", "-q", "-m", "first");
  return repository;
}
