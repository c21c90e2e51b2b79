import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sampled, slowTest } from "@capstan/testkit";
import { describe, expect, test } from "vitest";
import { makePlace, type Place } from "../support/bench-place.ts";
import { users } from "../support/each-user.ts";
import { hasBubblewrap } from "../support/has-bubblewrap.ts";

const secret = "the-secret-of-the-user";
const deep = Array.from({ length: 26 }, (_, at) => `d${at}`).join("/");

/** A folder with everything that is protected. */
function furnish({ workspace }: Place): void {
  const sub = join(workspace, "sub");
  mkdirSync(join(sub, ".claude"), { recursive: true });
  execFileSync("git", ["init", "-q", sub]);
  mkdirSync(join(sub, "tools", "hooks"), { recursive: true });
  execFileSync("git", ["-C", sub, "config", "core.hooksPath", "tools/hooks"]);
  for (const name of [".env", "AGENTS.md", ".claude/settings.json", "tools/hooks/pre-commit"])
    writeFileSync(join(sub, name), secret);
}

/** Reads and changes what is protected in the folder, and puts it back. */
function attack(place: string): string {
  return [
    `cat ${place}/.env`,
    `echo evil > ${place}/.env`,
    `echo evil > ${place}/.git/hooks/pre-commit`,
    `echo evil >> ${place}/.git/config`,
    `echo evil > ${place}/.git/config.worktree`,
    `echo evil >> ${place}/AGENTS.md`,
    `echo evil > ${place}/.claude/settings.json`,
    `echo evil > ${place}/tools/hooks/pre-commit`,
    `mv ${place} sub`,
  ].join("; ");
}

function whatIsEvil({ workspace }: Place): readonly string[] {
  return readdirSync(join(workspace, "sub"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes(".set-aside-"))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path, "utf8").includes("evil"));
}

const ways: readonly (readonly [name: string, move: string, place: string])[] = [
  ["into installed packages", "mkdir node_modules; mv sub node_modules/x", "node_modules/x"],
  ["deeper than the survey looks", `mkdir -p ${deep}; mv sub ${deep}/x`, `${deep}/x`],
];

describe.skipIf(!hasBubblewrap)("what a command moved out of sight (needs bubblewrap)", () => {
  for (const user of users) {
    const cases = user === users[0] ? ways : sampled(ways, 1);
    test.each(cases)(`stays protected in the next one, run by ${user.name}: %s`, async (_name, move, place) => {
      const made = makePlace();
      furnish(made);
      const [moving, next, third] = await user.run(made, [move, attack(place), "cat sub/.env"]);
      expect(moving?.report.runsLater.some((line) => line.includes(`${place}/.env`))).toBe(true);
      expect([next?.output.includes(secret), third?.output.includes(secret)]).toEqual([false, false]);
      expect(existsSync(join(made.workspace, "sub", ".env"))).toBe(true);
      expect(whatIsEvil(made)).toEqual([]);
    });

    slowTest.each(cases)(
      `would be read and changed if nobody remembered it, run by ${user.name}: %s`,
      async (_name, move, place) => {
        const made = makePlace();
        furnish(made);
        await user.run(made, [move]);
        rmSync(join(made.options.stateDirectory, "known"), { recursive: true });
        const [next] = await user.run(made, [attack(place)]);
        expect(next?.output).toContain(secret);
        expect(whatIsEvil(made).length).toBeGreaterThan(3);
      },
    );
  }

  test("what the user deletes or replaces is forgotten, and what takes its place is protected", async () => {
    const made = makePlace();
    furnish(made);
    const [own] = users;
    await own?.run(made, ["true"]);
    rmSync(join(made.workspace, "sub", "AGENTS.md"));
    rmSync(join(made.workspace, "sub", ".env"));
    writeFileSync(join(made.workspace, "sub", ".env"), `${secret}-again`);
    const [first, second] = (await own?.run(made, ["cat sub/.env", "mv sub s; cat s/.env"])) ?? [];
    expect([first?.output.includes(secret), second?.output.includes(secret)]).toEqual([false, false]);
    const known = readdirSync(join(made.options.stateDirectory, "known"));
    expect(readFileSync(join(made.options.stateDirectory, "known", known[0] ?? ""), "utf8")).not.toContain("AGENTS.md");
  });
});
