import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { slowTest } from "@capstan/testkit";
import { beforeEach, expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { callCommand } from "./sandbox-place.ts";

const place = usePlace();

// Who they are, the user says in their home alone, which no command sees.
beforeEach(() => {
  writeFileSync(join(place.folder, "home", ".gitconfig"), "[user]\n\tname = Ada\n\temail = ada@example.org\n");
  place.write("one.txt", "one\n");
  execFileSync("git", ["init", "--quiet", "-b", "main"], { cwd: place.workspace });
});

function log(): string {
  return execFileSync("git", ["log", "--format=%an <%ae> %s"], { cwd: place.workspace, encoding: "utf8" });
}

test("a command commits as the user, and a repository's own settings are stronger", async () => {
  const first = await callCommand(place, { command: "git add -A && git commit -qm first", writes: true });
  expect(first.text).toMatch(/^Exit code: 0/);
  execFileSync("git", ["config", "user.name", "Ada at work"], { cwd: place.workspace });
  const second = await callCommand(place, { command: "git commit -q --allow-empty -m second", writes: true });
  expect(second.text).toMatch(/^Exit code: 0/);
  expect(log()).toBe("Ada at work <ada@example.org> second\nAda <ada@example.org> first\n");
});

slowTest("a test key that the last commit holds is read, and git sees the working tree as it is", async () => {
  place.write("test/server.pem", "a key for tests\n");
  place.write(".env", "KEY=very-secret\n");
  place.write(".gitignore", ".env\n");
  const commit = ["-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-qm", "first"];
  for (const words of [["add", "-A"], commit]) execFileSync("git", words, { cwd: place.workspace });
  for (const time of ["first", "second"]) {
    const { text } = await callCommand(place, { command: "git status --porcelain; cat test/server.p*; cat .en*" });
    expect([time, text]).toEqual([time, expect.stringMatching(/\na key for tests\n.*Permission denied/)]);
    expect(text).not.toMatch(/ M |very-secret/);
  }
});

slowTest(
  "what would change the repository's settings says that no command may, also where git claims success",
  async () => {
    const before = place.read(".git/config");
    await callCommand(place, { command: "git add -A && git commit -qm first && git branch -q topic", writes: true });
    for (const command of [
      "git remote add origin ../x",
      "git branch -q --track=direct next topic",
      "git config a.b c",
    ]) {
      const { text } = await callCommand(place, { command, writes: true });
      expect([command, text]).toEqual([command, expect.stringContaining("could not change the repository's settings")]);
    }
    expect((await callCommand(place, { command: "echo 'error: no config file'" })).text).not.toContain("[Sandbox:");
    expect(place.read(".git/config")).toBe(before);
  },
);

slowTest("in a package of a monorepo git and what lies around the package are there to be read", async () => {
  place.write("packages/a/a.txt", "a\n");
  place.write("node_modules/dep/index.js", "module.exports = 'hoisted';\n");
  place.write(".env", "KEY=very-secret\n");
  place.write(".gitignore", ".env\nnode_modules\n");
  const commit = ["-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-qm", "first"];
  for (const words of [["add", "-A"], commit]) execFileSync("git", words, { cwd: place.workspace });
  const command =
    "git status --porcelain; git log --format=%s; cat ../../one.txt; node -p \"require('dep')\"; cat ../../.en*";
  const args = ["tools", "call", "run_command", JSON.stringify({ command })];
  for (const time of ["first", "second"]) {
    const { stdout } = await place.run(args, { cwd: join(place.workspace, "packages/a") });
    expect([time, stdout]).toEqual([time, expect.stringMatching(/first\none\nhoisted\n.*Permission denied/)]);
    expect(stdout).not.toContain("very-secret");
  }
});

slowTest("tests that make a repository of their own say who commits in it", async () => {
  const script = [
    "cd /tmp && git init -q own && cd own",
    "git config user.name Tester && git config user.email t@example.org",
    "git commit -q --allow-empty -m x && git log --format=%an",
  ].join(" && ");
  expect((await callCommand(place, { command: script })).text).toMatch(/^Exit code: 0 .*\nTester\n/);
});
