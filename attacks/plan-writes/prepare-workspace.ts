import { execFileSync } from "node:child_process";
import { chmodSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Files by path below the workspace, with their content. */
const files: Readonly<Record<string, string>> = {
  "README.md": "# A project\n\nFor plan mode to look at.\n",
  "notes.txt": "one\ntwo\nthree\n",
  "data.csv": "a,b\n1,2\n",
  "package.json": '{ "name": "looked-at", "version": "1.0.0", "scripts": { "write": "touch by-npm.txt" } }\n',
  Makefile: "all:\n\ttouch by-make.txt\n",
  "script.sh": "#!/bin/sh\ntouch by-script.txt\n",
  "startup.py": 'open("by-startup.txt", "w").write("x")\n',
  "hook.js": 'require("fs").writeFileSync("by-hook.txt", "x");\n',
  "change.patch": "--- a/notes.txt\n+++ b/notes.txt\n@@ -1,3 +1,3 @@\n-one\n+uno\n two\n three\n",
  "src/app.js": 'import "./lib/util.js";\n',
  "src/lib/util.js": "export const answer = 42;\n",
  "src/module.py": "answer = 42\n",
  "sub/deep/file.txt": "deep\n",
};

/**
 * Makes, below an empty directory, a `workspace` with a Git repository of two commits, links of all kinds, ignored and
 * untracked files, and beside it an `outside` whose links lead back into it.
 * @returns the workspace, absolute
 */
export function prepareWorkspace(base: string): string {
  const workspace = join(base, "workspace");
  const outside = join(base, "outside");
  mkdirSync(outside, { recursive: true });
  for (const [path, content] of Object.entries(files)) write(workspace, path, content);
  chmodSync(join(workspace, "script.sh"), 0o755);
  mkdirSync(join(workspace, "empty"));
  symlinkSync("notes.txt", join(workspace, "link.txt"));
  symlinkSync("src", join(workspace, "dir-link"));
  symlinkSync("../workspace", join(outside, "back"));
  const git = (...args: readonly string[]): void => {
    const identity = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org"];
    execFileSync("git", ["-C", workspace, ...identity, ...args], { stdio: "pipe" });
  };
  execFileSync("tar", [
    "-C",
    workspace,
    "-cf",
    join(base, "archive.tar"),
    "--transform",
    "s,^,unpacked/,",
    "README.md",
  ]);
  execFileSync("mv", [join(base, "archive.tar"), workspace]);
  git("init", "-q", "-b", "main");
  git("config", "user.name", "Somebody");
  git("config", "user.email", "somebody@example.org");
  write(workspace, ".git/hooks/pre-push", "#!/bin/sh\nexit 0\n");
  write(workspace, ".gitignore", "*.log\n");
  git("add", "-A");
  git("commit", "-qm", "first");
  write(workspace, "notes.txt", "one\ntwo\nthree\nfour\n");
  git("commit", "-qam", "second");
  write(workspace, "ignored.log", "ignored\n");
  write(workspace, "untracked.txt", "untracked\n");
  write(workspace, "hard.txt", "two names\n");
  linkSync(join(workspace, "hard.txt"), join(outside, "hard.txt"));
  return workspace;
}

function write(base: string, path: string, content: string): void {
  const file = join(base, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, content);
}
