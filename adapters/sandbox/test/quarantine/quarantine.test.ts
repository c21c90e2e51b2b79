import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Quarantine } from "../../src/index.ts";
import { makePlace, type Place } from "../support/bench-place.ts";
import { users } from "../support/each-user.ts";
import { hasBubblewrap } from "../support/has-bubblewrap.ts";
import { killedAfter } from "../support/killed-after.ts";

const [own] = users;

async function runHere(place: Place, scripts: readonly string[]): Promise<readonly (readonly string[])[]> {
  const ended = (await own?.runTogether(place, scripts)) ?? [];
  return ended.map(({ report }) => report.quarantined.map(({ path }) => path).toSorted());
}

function quarantineOf({ options }: Place): Quarantine {
  return new Quarantine(options.stateDirectory);
}

/** A shell's line that writes settings with one of them. */
const write = (setting: string): string => `printf '[core]\\n\\t${setting}\\n' > r/.git/config`;

const identity = "-c user.name=a -c user.email=a@example.org";

describe.skipIf(!hasBubblewrap)("a name that agents, editors or git obey (needs bubblewrap)", () => {
  for (const user of users) {
    test(`is taken out of the workspace when a command of ${user.name} made it, again and again`, async () => {
      const place = makePlace();
      const script =
        "mkdir -p .claude/a sub; echo one > .claude/a/x; echo two > sub/AGENTS.md; ln -s /etc/passwd .mcp.json";
      for (const { report } of await user.runTogether(place, [script, "true", script])) {
        expect(report.runsLater).toEqual([]);
        const paths = report.quarantined.map(({ path }) => path).toSorted();
        expect([[], [".claude", ".mcp.json", "sub/AGENTS.md"]]).toContainEqual(paths);
      }
      expect(readdirSync(place.workspace, { recursive: true })).toEqual(["sub"]);
      expect(quarantineOf(place).list().length).toBe(6);
    });
  }

  test("is a protected one, too, where it leads to the workspace or around it: it would stop all later commands, time after time", async () => {
    const place = makePlace();
    writeFileSync(join(place.workspace, "target"), "x");
    const script = "mkdir -p sub; ln -s . .env; ln -s ../.. sub/.env; ln -s target key.pem";
    const moved = await runHere(place, [script, "true", script, "true"]);
    // The other link leads to what can be closed by itself.
    expect(moved).toEqual([[".env", "sub/.env"], [], [".env", "sub/.env"], []]);
    expect(readdirSync(place.workspace)).toEqual(["key.pem", "sub", "target"]);
  });

  test("is that protected one when its command was killed, too", async () => {
    const place = makePlace();
    for (let round = 0; round < 2; round += 1) {
      await killedAfter(place, "ln -s . .env");
      expect(await runHere(place, ["true", "true"])).toEqual([[".env"], []]);
      expect(readdirSync(place.workspace)).toEqual([]);
    }
  });

  test("comes back whole, and is then one that was there", async () => {
    const place = makePlace();
    await runHere(place, ["mkdir -p .claude/a; echo one > .claude/a/x"]);
    const quarantine = quarantineOf(place);
    const [item] = quarantine.list();
    quarantine.restore(item?.id.slice(0, 4) ?? "");
    expect(quarantine.list()).toEqual([]);
    const next = await runHere(place, ["echo evil > .claude/a/x", "true"]);
    expect([next, readFileSync(join(place.workspace, ".claude/a/x"), "utf8")]).toEqual([[[], []], "one\n"]);
  });

  test("does not come back over something else, nor into another folder, and is deleted only by its user", async () => {
    const place = makePlace();
    await runHere(place, ["mkdir sub; echo one > AGENTS.md; echo two > sub/AGENTS.md"]);
    const quarantine = quarantineOf(place);
    const idOf = (path: string): string =>
      quarantine.list().find((item) => item.path === join(place.workspace, path))?.id ?? "";
    const [root, sub] = [idOf("AGENTS.md"), idOf("sub/AGENTS.md")];
    writeFileSync(join(place.workspace, "AGENTS.md"), "mine");
    rmSync(join(place.workspace, "sub"), { recursive: true });
    expect(() => quarantine.restore(root)).toThrow("something else is at");
    expect(() => quarantine.restore(sub)).toThrow("is not there any more");
    expect(() => quarantine.restore("nothing")).toThrow('nothing in quarantine has the id "nothing"');
    expect(quarantine.list().length).toBe(2);
    quarantine.drop(root);
    quarantine.drop(sub);
    expect([quarantine.list(), readFileSync(join(place.workspace, "AGENTS.md"), "utf8")]).toEqual([[], "mine"]);
  });

  test("stays where it was there before: saved again, or moved with a folder around it", async () => {
    const place = makePlace();
    mkdirSync(join(place.workspace, "sub"));
    writeFileSync(join(place.workspace, "sub", "AGENTS.md"), "mine");
    const moved = await runHere(place, [
      "mv sub moved",
      "mv moved again; mkdir moved; cp again/AGENTS.md moved/AGENTS.md",
    ]);
    expect(moved).toEqual([[], []]);
    expect(existsSync(join(place.workspace, "again", "AGENTS.md"))).toBe(true);
  });

  test("stays in installed packages, and is taken when it is moved out of them", async () => {
    const place = makePlace();
    const moved = await runHere(place, [
      "mkdir -p node_modules/a; echo x > node_modules/a/AGENTS.md",
      "mv node_modules/a/AGENTS.md .",
    ]);
    expect(moved).toEqual([[], ["AGENTS.md"]]);
  });

  test("cannot be made as a second name of what was there, and is taken in other spellings", async () => {
    const place = makePlace();
    mkdirSync(join(place.workspace, "sub"));
    writeFileSync(join(place.workspace, "sub", "AGENTS.md"), "mine");
    expect(await runHere(place, ["ln sub/AGENTS.md AGENTS.md; echo x > agents.MD; echo x > claude.md"])).toEqual([
      ["agents.MD", "claude.md"],
    ]);
  });

  test("stays where git itself made it: new repositories, clones with what they bring, working trees, submodules", async () => {
    const place = makePlace();
    const made = [
      "git init -q .",
      `git init -q a; echo x > a/AGENTS.md; git -C a add .; git -C a ${identity} commit -q -m one`,
      "git clone -q a b",
      "git -C a worktree add -q ../w",
      "git -c protocol.file.allow=always submodule add -q ./a c",
      "echo x > CLAUDE.md",
    ];
    expect(await runHere(place, [made.join("; "), "git -C b status; git -C w log -1"])).toEqual([["CLAUDE.md"], []]);
    for (const path of [".git", "b/.git", "b/AGENTS.md", "w/.git", "w/AGENTS.md", ".gitmodules"])
      expect(existsSync(join(place.workspace, path))).toBe(true);
  });

  test("is taken where settings of git look for it: hooks that were not there, also behind a new link", async () => {
    const place = makePlace();
    await runHere(place, ["git init -q ."]);
    writeFileSync(join(place.workspace, ".git", "config"), "[core]\n\thooksPath = tools/hooks\n");
    const moved = await runHere(place, [
      "mkdir -p tools/hooks; echo x > tools/hooks/pre-commit",
      "rm -r tools; mkdir -p d/hooks; ln -s d tools",
      "mkdir tools; echo x > tools/other",
    ]);
    expect(moved).toEqual([["tools/hooks"], ["tools"], []]);
    expect(readdirSync(place.workspace).toSorted()).toEqual([".git", "d", "tools"]);
  });

  test("is left where git writes it into a repository that was being made: settings that run nothing, and no others", async () => {
    const place = makePlace();
    const repository = join(place.workspace, "r");
    const config = join(repository, ".git", "config");
    await runHere(place, ["git init -q r"]);
    rmSync(config);
    expect(await runHere(place, [write("bare = false"), "true"])).toEqual([[], []]);
    expect(readFileSync(config, "utf8")).toContain("bare");
    for (const setting of ["fsmonitor = ./x", "hooksPath = tools", ""]) {
      rmSync(config, { force: true });
      expect(await runHere(place, [write(setting)])).toEqual([["r/.git/config"]]);
    }
  });

  test("is renamed beside its place where the quarantine lies on another disk", async () => {
    const stateDirectory = mkdtempSync("/dev/shm/capstan-quarantine-");
    onTestFinished(() => rmSync(stateDirectory, { recursive: true, force: true }));
    const place = makePlace({ stateDirectory });
    await runHere(place, ["echo one > AGENTS.md"]);
    const [item] = quarantineOf(place).list();
    expect(readdirSync(place.workspace)).toEqual([`AGENTS.md.set-aside-${item?.id}`]);
    quarantineOf(place).restore(item?.id ?? "");
    expect(readFileSync(join(place.workspace, "AGENTS.md"), "utf8")).toBe("one\n");
  });
});
