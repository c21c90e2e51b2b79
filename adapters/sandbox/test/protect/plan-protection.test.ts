import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { slowTest } from "@capstan/testkit";
import { describe, expect, test } from "vitest";
import { createSandbox } from "../../src/index.ts";
import { enterPlace, makePlace, type Place, runInside } from "../support/bench-place.ts";
import { runProgram } from "../support/run-program.ts";
import { hasBubblewrap } from "../support/has-bubblewrap.ts";

/** Every path below a folder with its content, but for what was set aside: two of these show whether anything is different. */
function contentOf(folder: string): string {
  return execFileSync(
    "/bin/sh",
    [
      "-c",
      "find . -name '*.set-aside-*' -prune -o -printf '%p %y %l\\n' | sort; find . -name '*.set-aside-*' -prune -o -type f -print0 | sort -z | xargs -0r sha256sum",
    ],
    {
      cwd: folder,
      encoding: "utf8",
    },
  );
}

function makeRepository(folder: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync("git", ["init", "-q", folder]);
}

/** What each attack wants to change, with what makes it possible. */
type Attack = readonly [name: string, script: string, prepare?: (workspace: string) => void];

const attacks: readonly Attack[] = [
  ["a missing file", "echo x > AGENTS.md"],
  ["a missing folder", "mkdir -p .claude/hooks && echo x > .claude/hooks/x"],
  ["by another name", "echo x > a; mv a .mcp.json; rm -f a"],
  ["by a hard link", "echo x > a; ln a CLAUDE.md; rm -f a"],
  ["by a link", "ln -s /etc/passwd .codex"],
  ["by a folder moved there", "mkdir a; mv -T a .vscode; rm -rf a"],
  [
    "an existing file",
    "echo x >> AGENTS.md; rm AGENTS.md; mv AGENTS.md b",
    (workspace) => writeFileSync(join(workspace, "AGENTS.md"), "rules"),
  ],
  [
    "a nested one",
    "echo x > sub/CLAUDE.md; rm sub/CLAUDE.md",
    (workspace) => {
      mkdirSync(join(workspace, "sub"));
      writeFileSync(join(workspace, "sub", "CLAUDE.md"), "rules");
    },
  ],
  [
    "a deep repository's hook",
    "echo x > a/b/c/d/.git/hooks/pre-commit; echo x >> a/b/c/d/.git/config",
    (workspace) => makeRepository(join(workspace, "a/b/c/d")),
  ],
  [
    "a repository without hooks",
    "mkdir -p .git/hooks && echo x > .git/hooks/x",
    (workspace) => {
      makeRepository(workspace);
      rmSync(join(workspace, ".git", "hooks"), { recursive: true });
    },
  ],
  [
    "hooks that lie in the tree",
    "mkdir -p tools/hooks; echo x > tools/hooks/pre-commit",
    (workspace) => {
      makeRepository(workspace);
      execFileSync("git", ["-C", workspace, "config", "core.hooksPath", "tools/hooks"]);
      mkdirSync(join(workspace, "tools"));
    },
  ],
  [
    "a dangling link",
    "rm .claude; mkdir .claude; echo x > .claude/x",
    (workspace) => symlinkSync("gone/nowhere", join(workspace, ".claude")),
  ],
];

describe.skipIf(!hasBubblewrap)("what governs agents, git and editors (needs bubblewrap)", () => {
  for (const [name, script, prepare] of attacks) {
    test(`cannot be changed: ${name}`, async () => {
      const place = makePlace();
      prepare?.(place.workspace);
      const before = contentOf(place.workspace);
      await runInside(place, script);
      expect(contentOf(place.workspace)).toBe(before);
    });

    slowTest(`could be changed without the sandbox: ${name}`, () => {
      const place = makePlace();
      prepare?.(place.workspace);
      const before = contentOf(place.workspace);
      spawnSync("/bin/bash", ["-c", script], { cwd: place.workspace });
      expect(contentOf(place.workspace) === before).toBe(false);
    });
  }

  test("stays out of reach while several commands run, whichever ends first", async () => {
    const place = makePlace();
    const sandboxes = [createSandbox(place.options), createSandbox(place.options)] as const;
    const first = await enterPlace(place, "true", { sandbox: sandboxes[0] });
    const second = await enterPlace(
      place,
      "for i in 1 2 3 4 5 6 7 8 9; do mkdir -p .claude; echo x > .claude/x; sleep 0.05; done; echo x > AGENTS.md",
      { sandbox: sandboxes[1] },
    );
    await Promise.all([runProgram(second), runProgram(first)]);
    expect(readdirSync(place.workspace)).toEqual([]);
  });
});

async function reportsOf(place: Place, script: string): Promise<readonly string[]> {
  return (await runInside(place, script)).report.runsLater.toSorted();
}

describe.skipIf(!hasBubblewrap)("what runs later is reported (needs bubblewrap)", () => {
  test("hooks and settings of a repository that the command made", async () => {
    const script =
      "git init -q a/b; echo x > a/b/.git/hooks/post-checkout; git -C a/b config core.fsmonitor ./x; git init -q harmless";
    expect(await reportsOf(makePlace(), script)).toEqual([
      "a/b/.git/config is new, and is set aside as config.set-aside-1: rename it to use it",
      "a/b/.git/hooks/post-checkout is new, and is set aside as post-checkout.set-aside-1: rename it to use it",
    ]);
  });

  test("scripts, build files, continuous integration, shells' start files", async () => {
    const place = makePlace();
    writeFileSync(join(place.workspace, "package.json"), '{"version":"1","scripts":{"test":"x"}}');
    writeFileSync(join(place.workspace, "Makefile"), "all:");
    expect(await reportsOf(place, 'sed -i \'s/"1"/"2"/\' package.json; touch -r Makefile other')).toEqual([]);
    const script =
      'sed -i \'s/"x"/"y"/\' package.json; echo x >> Makefile; mkdir -p .github/workflows d; echo x > .github/workflows/ci.yml; echo x > d/.envrc; echo x > .bashrc; echo x > d/GEMINI.md; mkdir -p node_modules/a; echo \'{"scripts":{}}\' > node_modules/a/package.json';
    expect(await reportsOf(place, script)).toEqual([
      ".bashrc is new",
      ".github/workflows/ci.yml is new",
      "Makefile was changed",
      "package.json was changed",
    ]);
  });

  test("what is put in the place of instructions whose folder was moved away", async () => {
    const place = makePlace();
    mkdirSync(join(place.workspace, "sub"));
    writeFileSync(join(place.workspace, "sub", "AGENTS.md"), "mine");
    expect(await reportsOf(place, "mv sub moved; mkdir sub; echo theirs > sub/AGENTS.md")).toEqual([
      "moved/AGENTS.md is new",
      "sub/AGENTS.md was changed",
    ]);
  });

  test("no file gets another user's rights", async () => {
    const place = makePlace();
    const script =
      "cp /bin/true a; chmod u+s a; chmod 4755 a; install -m 4755 /bin/true b; python3 -c 'import os; os.open(\"c\", os.O_CREAT, 0o4755)'; ls";
    await runInside(place, script);
    const modes = readdirSync(place.workspace).map((name) => statSync(join(place.workspace, name)).mode & 0o4000);
    expect(modes.every((mode) => mode === 0)).toBe(true);
    // The same is possible outside.
    spawnSync("chmod", ["u+s", join(place.workspace, "a")]);
    expect(statSync(join(place.workspace, "a")).mode & 0o4000).toBe(0o4000);
  });
});

test("nothing is put into a workspace when the sandbox cannot be made ready", async () => {
  const place = makePlace();
  const options = { ...place.options, bubblewrap: join(place.folder, "bwrap") };
  await expect(enterPlace({ ...place, options }, "true")).rejects.toThrow("cannot be kept apart");
  expect(readdirSync(place.workspace)).toEqual([]);
});
