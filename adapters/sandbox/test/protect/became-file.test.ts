import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { exactEntryAt } from "../../src/layout/real-path.ts";
import { stampOf } from "../../src/committed/committed-files.ts";
import { makePlace } from "../support/bench-place.ts";
import { users } from "../support/each-user.ts";
import { hasBubblewrap } from "../support/has-bubblewrap.ts";

describe.skipIf(!hasBubblewrap)("where a protected folder became a file (needs bubblewrap)", () => {
  test.each(users)("commands run, in this start and the next, run by $name", async (user) => {
    const place = makePlace();
    const { workspace } = place;
    execFileSync("git", ["init", "-q", workspace]);
    mkdirSync(join(workspace, ".claude", "commands"), { recursive: true });
    writeFileSync(join(workspace, ".claude", "settings.json"), "{}");
    const outputs = async (scripts: readonly string[]): Promise<readonly string[]> =>
      (await user.run(place, scripts)).map(({ output }) => output.trim());
    expect(await outputs(["echo one"])).toEqual(["one"]);

    execFileSync("git", ["init", "-q", "--separate-git-dir", join(place.folder, "elsewhere"), workspace]);
    rmSync(join(workspace, ".claude"), { recursive: true });
    writeFileSync(join(workspace, ".claude"), "a file now");
    expect(await outputs(["echo two", "echo three; echo evil > .git; echo evil > .claude"])).toEqual([
      "two",
      expect.stringContaining("three"),
    ]);
    expect(readFileSync(join(workspace, ".git"), "utf8")).toContain("elsewhere");
    expect((await user.runTogether(place, ["echo four", "echo five"])).map(({ output }) => output)).toEqual([
      "four\n",
      "five\n",
    ]);
  });
});

test("a path that leads through a file leads nowhere", () => {
  const { workspace } = makePlace();
  const file = join(workspace, "a");
  writeFileSync(file, "a file");
  expect(exactEntryAt(file)?.isFile()).toBe(true);
  expect(stampOf(file)).toBeDefined();
  expect(exactEntryAt(join(file, "b", "c"))).toBeUndefined();
  expect(stampOf(join(file, "b"))).toBeUndefined();
});
