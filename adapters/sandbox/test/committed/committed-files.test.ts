/** A protected file that the last commit holds as it is, is no secret. */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox } from "../../src/index.ts";
import { enterPlace, makePlace, type Place, runInside } from "../support/bench-place.ts";
import { users } from "../support/each-user.ts";
import { hasBubblewrap } from "../support/has-bubblewrap.ts";
import { runProgram } from "../support/run-program.ts";
import { until } from "../support/until.ts";

function git(place: Place, ...args: readonly string[]): string {
  const own = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
  return execFileSync("git", [...own, ...args], { cwd: place.workspace, encoding: "utf8" });
}

/** A repository that tracks a key for tests and settings, and ignores the real ones. */
function repository(): Place {
  const place = makePlace();
  mkdirSync(join(place.workspace, "test"));
  write(place, "test/server.pem", "a key for tests\n");
  write(place, ".env.test", "PORT=1\n");
  write(place, ".gitignore", ".env\n");
  write(place, ".env", "KEY=very-secret\n");
  write(place, "a.txt", "a\n");
  git(place, "init", "--quiet", "-b", "main");
  git(place, "add", "-A");
  git(place, "commit", "--quiet", "-m", "first");
  return place;
}

function write(place: Place, path: string, text: string): void {
  writeFileSync(join(place.workspace, path), text);
}

describe.skipIf(!hasBubblewrap).each(users)("for $name, a tracked file equal to the last commit", (user) => {
  test("is read, as long as it is that (needs bubblewrap)", async () => {
    const place = repository();
    const scripts = [showing, showing, "echo other > .env.test", "cat .env.test test/server.pem 2>&1"];
    const outputs = (await user.runTogether(place, scripts)).map(({ output }) => output);
    const first = `a key for tests\nPORT=1\n${closed(".env")}`;
    expect(outputs).toEqual([first, first, "", `${closed(".env.test")}a key for tests\n`]);
  });
});

const showing = "cat test/server.pem .env.test .env 2>&1; git status --porcelain";
const closed = (path: string): string => `cat: ${path}: Permission denied\n`;

describe.skipIf(!hasBubblewrap)("a tracked file equal to the last commit (needs bubblewrap)", () => {
  test("is read, and git sees the working tree as it is; what is not committed stays closed", async () => {
    const place = repository();
    const sandbox = createSandbox(place.options);
    for (const time of [1, 2]) {
      const { output } = await runInside(place, showing, { sandbox });
      expect([time, output]).toEqual([time, `a key for tests\nPORT=1\n${closed(".env")}`]);
    }
    const work = [
      "export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b.c GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b.c",
      "echo b >> a.txt && git stash -q && git stash pop -q && git commit -qam second && git checkout -q -b other HEAD~1",
      "echo c > c.txt && git add -A && git commit -qm third && git rebase -q main && git reset -q --hard HEAD~1",
      "git log --format=%s && git status --porcelain && cat test/server.pem",
    ].join(" && ");
    expect((await runInside(place, work, { sandbox })).output).toBe("second\nfirst\na key for tests\n");
  });

  test("is closed as soon as it holds something else, for as long as the session lasts", async () => {
    const place = repository();
    const session = createSandbox(place.options);
    await runInside(place, "true", { sandbox: session });
    write(place, "test/server.pem", "a real key\n");
    expect((await runInside(place, "cat test/server.pem 2>&1", { sandbox: session })).output).toBe(
      closed("test/server.pem"),
    );
    git(place, "commit", "--quiet", "-am", "second");
    expect((await runInside(place, "cat test/server.pem 2>&1", { sandbox: session })).output).toBe(
      closed("test/server.pem"),
    );
    expect((await runInside(place, "cat test/server.pem 2>&1")).output).toBe("a real key\n");
  });

  test("is closed in a command that runs when somebody else changes it, and not when git does", async () => {
    const place = repository();
    const script =
      "until [ -e stop ]; do if cat .env.test > last 2>/dev/null; then cat last >> seen; else echo closed >> seen; fi; cat test/server.pem >> keys 2>&1; done";
    const running = runProgram(await enterPlace(place, script));
    await until(() => seen(place, "seen").includes("PORT=1"));
    write(place, "test/server.pem", "another key for tests\n");
    git(place, "commit", "--quiet", "-am", "second");
    await until(() => seen(place, "keys").includes("another key"));
    appendFileSync(join(place.workspace, ".env.test"), "KEY=very-secret\n");
    await until(() => seen(place, "seen").includes("closed"));
    write(place, "seen", "");
    await until(() => seen(place, "seen").split("closed").length > 20);
    expect(new Set(seen(place, "seen").trim().split("\n"))).toEqual(new Set(["closed"]));
    write(place, "stop", "");
    expect(seen(place, "keys")).not.toContain("Permission denied");
    expect((await running).report.endedBecause).toBeUndefined();
  });

  test.each<[string, (place: Place) => void]>([
    ["has another name", (place) => linkSync(join(place.workspace, ".env.test"), join(place.workspace, "other"))],
    [
      "is a link now",
      (place) => {
        rmSync(join(place.workspace, ".env.test"));
        symlinkSync(".env", join(place.workspace, ".env.test"));
      },
    ],
    [
      "is only in the index",
      (place) => {
        write(place, ".env.test", "KEY=very-secret\n");
        git(place, "add", "-A");
      },
    ],
    [
      "stands for another commit",
      (place) => {
        const first = git(place, "rev-parse", "HEAD").trim();
        write(place, ".env.test", "KEY=very-secret\n");
        git(place, "commit", "--quiet", "-am", "second");
        git(place, "reset", "--quiet", "--soft", first);
        git(place, "replace", first, git(place, "rev-parse", "HEAD@{1}").trim());
      },
    ],
  ])("stays closed where it %s", async (_, change) => {
    const place = repository();
    change(place);
    expect((await runInside(place, "cat .env.test 2>&1")).output).toBe(closed(".env.test"));
  });

  test("is read in a further working tree and in a submodule, the second time too; where the repository knows nothing of the tree, it is closed", async () => {
    const place = repository();
    git(place, "clone", "--quiet", place.workspace, join(place.folder, "origin"));
    git(place, "worktree", "add", "--quiet", "-b", "other", join(place.home, "tree"));
    const fileProtocol = ["-c", "protocol.file.allow=always"];
    git(place, ...fileProtocol, "submodule", "--quiet", "add", join(place.folder, "origin"), "module");
    write(place, "module/.env", "KEY=very-secret\n");
    const moduleShows = "cd module; cat test/server.pem .env.test .env 2>&1; git status --porcelain";
    for (const _ of ["first", "second"])
      expect((await runInside(place, moduleShows)).output).toBe(`a key for tests\nPORT=1\n${closed(".env")}`);

    const tree = { ...place, workspace: join(place.home, "tree") };
    const commit =
      "echo x >> a.txt; git add -A && git -c user.name=A -c user.email=a@b commit -qm x; git status --porcelain";
    const treeShows = `cat test/server.pem .env.test; ${commit}; echo KEY=new > .env.test; git status --porcelain`;
    expect((await runInside(tree, treeShows)).output).toBe("a key for tests\nPORT=1\n M .env.test\n");
    expect((await runInside(tree, "cat .env.test 2>&1")).output).toBe(closed(".env.test"));

    const strange = { ...place, workspace: join(place.home, "strange") };
    cpSync(tree.workspace, strange.workspace, { recursive: true });
    expect((await runInside(strange, "cat test/server.pem 2>&1")).output).toBe(closed("test/server.pem"));
  });

  test("is found without anything of the repository running, and nothing is known where git fails", async () => {
    const place = repository();
    const marker = join(place.folder, "marker");
    for (const name of ["core.fsmonitor", "core.pager", "core.sshCommand", "alias.ls-tree", "diff.external"])
      git(place, "config", name, name.startsWith("alias") ? `!touch ${marker}` : `touch ${marker}`);
    expect((await runInside(place, "cat .env.test 2>&1")).output).toBe("PORT=1\n");
    appendFileSync(join(place.workspace, ".git", "config"), "[broken\n");
    expect((await runInside(place, "cat .env.test 2>&1")).output).toBe(closed(".env.test"));
    expect(existsSync(marker)).toBe(false);
  });
});

function seen(place: Place, name: string): string {
  const path = join(place.workspace, name);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}
