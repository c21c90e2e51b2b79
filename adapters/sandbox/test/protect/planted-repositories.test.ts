import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sampled } from "@capstan/testkit";
import { describe, expect, test } from "vitest";
import { makePlace, type Place, runInside } from "../support/bench-place.ts";
import { users } from "../support/each-user.ts";
import { hasBubblewrap } from "../support/has-bubblewrap.ts";

/** `X`: a program of the command's; `RAN`: a file that shows that something ran. */
type Planted = readonly [name: string, script: string, usersCommand: string];

const identity = "-c user.name=a -c user.email=a@example.org";

const planted: readonly Planted[] = [
  ["a separate folder", "git init -q --separate-git-dir=store sub; git -C sub config core.fsmonitor X", "git -C sub status"],
  [
    "a file that names a bare repository",
    "git init -q --bare s.git; mkdir sub; git config -f s.git/config core.bare false; git config -f s.git/config core.fsmonitor X; echo gitdir: $PWD/s.git > sub/.git",
    "git -C sub status",
  ],
  [
    "a bare repository made of files",
    "mkdir -p docs/objects docs/refs/heads; echo ref: refs/heads/main > docs/HEAD; printf '[core]\\nbare = true\\n[alias]\\nst = !touch RAN\\n' > docs/config",
    "git -C docs st",
  ],
  ["an alias behind quotes", `git init -q n; printf '[alias] st = "!"touch RAN\\n' >> n/.git/config`, "git -C n st"],
  ["two sections on a line", "git init -q n; printf '[user] [alias] st = !touch RAN\\n' >> n/.git/config", "git -C n st"],
  ["a value that continues", "git init -q n; printf '[alias]\\nst = \\\\\\n!touch RAN\\n' >> n/.git/config", "git -C n st"],
  ["an alias of options", "git init -q n; git -C n config alias.st '-c core.fsmonitor=X status'", "git -C n st"],
  [
    "settings of a working tree",
    "git init -q n; git -C n config extensions.worktreeConfig true; git -C n config --worktree core.fsmonitor X",
    "git -C n status",
  ],
  [
    "a repository among submodules",
    "git init -q .git/modules/new; git -C .git/modules/new config core.fsmonitor X",
    "git -C .git/modules/new status",
  ],
  [
    "what is shared",
    "git init -q n; git init -q m; mv m/.git evil; git config -f evil/config core.fsmonitor X; echo ../../evil > n/.git/commondir",
    "git -C n status",
  ],
  [
    "the plan of a rebase",
    `git ${identity} -c sequence.editor="sed -i 1ibreak" rebase -q -i HEAD~1; echo 'exec touch RAN' >> .git/rebase-merge/git-rebase-todo`,
    `git ${identity} rebase --continue`,
  ],
  ["a hook", "git init -q n; cp X n/.git/hooks/post-checkout", `cd n; git ${identity} commit -q --allow-empty -m a; git checkout -q -b b`],
  ["hooks behind a link", "git init -q n; mkdir h; cp X h/post-checkout; rm -r n/.git/hooks; ln -s ../../h n/.git/hooks", `cd n; git ${identity} commit -q --allow-empty -m a; git checkout -q -b b`],
]; // prettier-ignore

function furnish({ workspace }: Place): void {
  execFileSync("git", ["init", "-q", workspace]);
  writeFileSync(join(workspace, "x"), `#!/bin/sh\ntouch ${workspace}/ran\n`, { mode: 0o755 });
  for (const message of ["one", "two"]) {
    writeFileSync(join(workspace, message), message);
    execFileSync("git", ["-C", workspace, "add", message]);
    execFileSync("git", ["-C", workspace, ...identity.split(" "), "commit", "-q", "-m", message]);
  }
}

function filled(script: string, { workspace }: Place): string {
  return script.replaceAll(/\bX\b/g, join(workspace, "x")).replaceAll(/\bRAN\b/g, join(workspace, "ran"));
}

describe.skipIf(!hasBubblewrap)("a repository that a command planted (needs bubblewrap)", () => {
  for (const user of users) {
    // `npm run attacks` tries them all, too.
    test.each(sampled(planted, user === users[0] ? 3 : 1))(
      `is reported and runs nothing for ${user.name}: %s`,
      async (_name, script, command) => {
        const place = makePlace();
        furnish(place);
        const [ended] = await user.run(place, [filled(script, place)]);
        expect(ended?.report.runsLater).toEqual([expect.stringContaining("set aside")]);
        user.runBare(place, filled(command, place));
        expect(existsSync(join(place.workspace, "ran"))).toBe(false);
      },
    );
  }

  test.each(sampled(planted, 3))("would run something if it were left there: %s", (_name, script, command) => {
    const place = makePlace();
    furnish(place);
    const [own] = users;
    own?.runBare(place, filled(script, place));
    own?.runBare(place, filled(command, place));
    expect(existsSync(join(place.workspace, "ran"))).toBe(true);
  });

  test("what git itself writes stays: init, clone, working trees, submodules", async () => {
    const place = makePlace();
    furnish(place);
    const script = [
      "git init -q a",
      "git clone -q . b",
      "git worktree add -q c",
      `git -c protocol.file.allow=always ${identity} submodule add -q ./b d`,
      "git -C b remote add other ../a",
      "git -C b config user.name me",
      "echo status; git -C d status --short; git -C c log --oneline | wc -l",
    ].join("; ");
    const { output, report } = await runInside(place, script);
    expect([output.endsWith("status\n2\n"), report.runsLater]).toEqual([true, []]);
    expect(readdirSync(join(place.workspace, "b", ".git"))).toContain("config");
  });

  test("a repository of the user's that was moved keeps its settings", async () => {
    const place = makePlace();
    furnish(place);
    const sub = join(place.workspace, "sub");
    execFileSync("git", ["init", "-q", sub]);
    execFileSync("git", ["-C", sub, "config", "filter.lfs.clean", "git-lfs clean"]);
    await runInside(place, "mv sub moved");
    expect(readdirSync(join(place.workspace, "moved", ".git"))).toContain("config");
  });

  test("hooks and settings of a bare repository that was there cannot be changed", async () => {
    const place = makePlace();
    execFileSync("git", ["init", "-q", "--bare", join(place.workspace, "store.git")]);
    const attack =
      "echo evil >> store.git/config; echo evil > store.git/hooks/post-receive; rm -rf store.git/hooks store.git/config";
    const names = (): readonly string[] => readdirSync(join(place.workspace, "store.git")).toSorted();
    const before = names();
    await runInside(place, attack);
    expect(names()).toEqual(before);
    expect(readdirSync(join(place.workspace, "store.git", "hooks")).includes("post-receive")).toBe(false);
    users[0]?.runBare(place, attack);
    expect(names()).toEqual(before.filter((name) => name !== "hooks" && name !== "config"));
  });
});
