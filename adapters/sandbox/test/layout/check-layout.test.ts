import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { messageOf } from "@capstan/protocol";
import { makePlace, type Place, runInside } from "../support/bench-place.ts";
import { hasBubblewrap } from "../support/has-bubblewrap.ts";

/** The code of the error with which a workspace is refused. */
async function refusalOf(place: Place, workspace: string, cwd = workspace): Promise<unknown> {
  try {
    await runInside({ ...place, workspace }, "true", { cwd });
    return "it ran";
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : messageOf(error);
  }
}

function git(folder: string, ...args: readonly string[]): string {
  const identity = ["-c", "user.name=a", "-c", "user.email=b", "-c", "protocol.file.allow=always"];
  return execFileSync("git", [...identity, ...args], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}

const commit = "git -c user.name=a -c user.email=b commit -q --allow-empty -m inside && echo committed";

describe.skipIf(!hasBubblewrap)("a workspace (needs bubblewrap)", () => {
  test("that opens the system, the home or Capstan's data is refused", async () => {
    const place = makePlace();
    for (const path of ["/", "/etc", "/tmp", "/usr", "/home", place.home, place.folder, join(place.home, ".capstan")]) {
      expect([path, await refusalOf(place, path)]).toEqual([path, "sandbox.layout"]);
    }
    expect(await refusalOf(place, place.workspace, place.home)).toBe("sandbox.layout");
    expect(await refusalOf(place, join(place.home, "missing"))).toBe("sandbox.layout");
  });

  test("may have any name, lie under /tmp, and have a parent that cannot be written to", async () => {
    const place = makePlace();
    for (const name of ["with space", "line\nbreak", "ünï — 名前", "--looks like an option", "'quote\"$(x)"]) {
      const workspace = join(place.home, name);
      mkdirSync(workspace);
      const { code } = await runInside({ ...place, workspace }, "echo x > made && test -d . && test ! -e ../work");
      expect([name, code, readFileSync(join(workspace, "made"), "utf8"), readdirSync(workspace)]).toEqual([
        name,
        0,
        "x\n",
        ["made"],
      ]);
    }
  });

  test("may be several folders", async () => {
    const place = makePlace();
    const other = join(place.home, "other");
    mkdirSync(other);
    await runInside(place, `echo x > ${other}/made; echo x > ${other}/CLAUDE.md`, { roots: [place.workspace, other] });
    expect(readdirSync(other)).toEqual(["made"]);
  });

  test("may be a linked working tree whose repository lies elsewhere: commits work, hooks and settings stay", async () => {
    const place = makePlace();
    const main = join(place.home, "main");
    mkdirSync(main);
    git(main, "init", "-q");
    git(main, "commit", "-q", "--allow-empty", "-m", "first");
    const workspace = join(place.home, "linked");
    git(main, "worktree", "add", "-q", workspace);
    const attack = [
      commit,
      `echo evil > ${main}/.git/hooks/pre-commit`,
      `echo evil >> ${main}/.git/config`,
      `echo ${workspace}/evil > ${main}/.git/worktrees/linked/commondir`,
      `echo evil > ${main}/file`,
      "echo gitdir: /evil > .git",
      "mv .git .g",
      "git status --porcelain",
    ].join("; ");
    const before = readFileSync(join(main, ".git", "config"), "utf8");
    const { output } = await runInside({ ...place, workspace }, attack);
    expect(output.startsWith("committed\n")).toBe(true);
    expect(git(workspace, "log", "-1", "--format=%s")).toBe("inside\n");
    expect(readFileSync(join(main, ".git", "config"), "utf8")).toBe(before);
    expect(existsSync(join(main, ".git", "hooks", "pre-commit"))).toBe(false);
    expect(readFileSync(join(main, ".git", "worktrees", "linked", "commondir"), "utf8")).toBe("../..\n");
    expect(readdirSync(main)).toEqual([".git"]);
    expect(readdirSync(workspace)).toEqual([".git"]);
  });

  test("may be a submodule", async () => {
    const place = makePlace();
    const [library, main] = [join(place.home, "library"), join(place.home, "main")];
    for (const path of [library, main]) {
      mkdirSync(path);
      git(path, "init", "-q");
      git(path, "commit", "-q", "--allow-empty", "-m", "first");
    }
    git(main, "submodule", "add", "-q", library, "sub");
    const workspace = join(main, "sub");
    const { output } = await runInside(
      { ...place, workspace },
      `${commit}; git config core.fsmonitor evil; echo x > ${main}/.git/modules/sub/hooks/x`,
    );
    expect(output.startsWith("committed\n")).toBe(true);
    expect(git(workspace, "log", "-1", "--format=%s")).toBe("inside\n");
    expect(git(workspace, "config", "--get-regexp", ".*").includes("fsmonitor")).toBe(false);
    expect(existsSync(join(main, ".git/modules/sub/hooks/x"))).toBe(false);
    // The same from above: the repository of the submodule lies in that of the workspace.
    const above = await runInside(
      { ...place, workspace: main },
      "cd sub; echo x > ../.git/modules/sub/hooks/x; mv ../.git/modules ../.git/m; " + commit,
    );
    expect(above.output.endsWith("committed\n")).toBe(true);
    expect(existsSync(join(main, ".git/modules/sub/hooks/x"))).toBe(false);
  });

  test("may have a link for its .git: inside it can be used, and the link is put back", async () => {
    const place = makePlace();
    git(place.workspace, "init", "-q");
    renameSync(join(place.workspace, ".git"), join(place.workspace, "store"));
    symlinkSync("store", join(place.workspace, ".git"));
    const { output } = await runInside(
      place,
      `${commit}; echo evil > store/hooks/pre-commit; mv store s; rm .git; mkdir .git`,
    );
    expect(output.startsWith("committed\n")).toBe(true);
    expect(existsSync(join(place.workspace, "store/hooks/pre-commit"))).toBe(false);
    expect(git(place.workspace, "log", "-1", "--format=%s")).toBe("inside\n");
  });

  test("cannot borrow a repository that says nothing of it", async () => {
    const place = makePlace();
    const foreign = join(place.home, "foreign");
    mkdirSync(foreign);
    git(foreign, "init", "-q");
    writeFileSync(join(place.workspace, ".git"), `gitdir: ${foreign}/.git\n`);
    const { output } = await runInside(place, `${commit}; echo x > ${foreign}/.git/x; ls ${foreign}`);
    expect(output.includes("committed")).toBe(false);
    expect(existsSync(join(foreign, ".git", "x"))).toBe(false);
  });
});
