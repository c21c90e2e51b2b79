import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { slowTest } from "@capstan/testkit";
import { describe, expect, onTestFinished, test } from "vitest";
import { makePlace, type Place } from "../support/bench-place.ts";
import { users } from "../support/each-user.ts";
import { hasBubblewrap } from "../support/has-bubblewrap.ts";

const secret = "the-secret-of-the-user";
const own = users[0];

/** A folder with a secret, instructions and a repository. */
function furnish(): Place {
  const place = makePlace();
  const sub = join(place.workspace, "sub");
  mkdirSync(sub);
  execFileSync("git", ["init", "-q", sub]);
  writeFileSync(join(sub, ".env"), secret);
  writeFileSync(join(sub, "AGENTS.md"), "words of the user");
  return place;
}

function attack(folder: string): string {
  return `cd ${folder} && cat .env; echo evil > AGENTS.md; echo evil >> .git/config; echo evil > .git/hooks/pre-commit`;
}

describe.skipIf(!hasBubblewrap)("a path that is no text (needs bubblewrap)", () => {
  const odd = "$'\\xff'";

  test.each(users)(
    "hides nothing from the protection, whoever made it, in this start and the next: $name",
    async (user) => {
      const place = furnish();
      user.runBare(place, `mkdir ${odd}; cp -r sub ${odd}/y; echo ${secret} > $'.env.\\xff'`);
      const [moving, read, again] = await user.run(place, [
        `mv sub ${odd}/x`,
        `(${attack(`${odd}/x`)}); (${attack(`${odd}/y`)}); cat .env.*`,
        `cat ${odd}/*/.env; mv ${odd}/x sub; mv ${odd} plain`,
      ]);
      expect(moving?.code).toBe(0);
      expect([read, again].map((ended) => ended?.output.includes(secret))).toEqual([false, false]);
      const evil = user.runBare(place, "grep -rl evil . ; true");
      expect(evil).toBe("");
      // The control: outside all of it is done.
      const bare = user.runBare(place, `mv plain ${odd}; (${attack("sub")}); (${attack(`${odd}/y`)}); cat .env.*`);
      expect(bare.split(secret).length - 1).toBe(3);
      expect(user.runBare(place, "grep -rl evil . ; true").trim().split("\n").length).toBe(6);
    },
  );

  test("takes what would be obeyed to quarantine, and sets a planted repository aside", async () => {
    const place = furnish();
    const plant = `mkdir -p ${odd}/.vscode; cd ${odd}; echo evil > CLAUDE.md; echo evil > .vscode/tasks.json; mkdir r; git init -q r; git -C r config core.fsmonitor ./x`;
    const ended = await own?.run(place, [plant, "true"]);
    const first = ended?.[0]?.report;
    expect(first?.quarantined.map(({ path }) => path.replace(/^[^/]*\//, "")).toSorted()).toEqual([
      ".vscode",
      "CLAUDE.md",
    ]);
    expect(first?.runsLater.some((line) => line.includes("set aside as config.set-aside-1"))).toBe(true);
    expect(ended?.[1]?.report.quarantined).toEqual([]);
  });
});

describe.skipIf(!hasBubblewrap)("a place deeper than any path leads to (needs bubblewrap)", () => {
  const long = "L".repeat(200);
  const down = `for i in $(seq 30); do cd ${long} || break; test -e x && break; done`;
  const digDown = `mv sub x; for i in $(seq 30); do mkdir ${long}; mv x ${long}/ || true; cd ${long}; done`;

  slowTest("does not make what was protected be forgotten: no command runs, in this start and the next", async () => {
    const place = furnish();
    // Node removes no such place.
    onTestFinished(() => void execFileSync("rm", ["-rf", join(place.workspace, long)]));
    const [first] = (await own?.run(place, [digDown])) ?? [];
    expect(first?.code).toBe(0);
    for (const start of ["this", "next"])
      await expect(own?.run(place, [`echo ${start}; ${down}; ${attack("x")}`])).rejects.toThrow(
        /is protected, was moved, and cannot be found/,
      );
    // The control: whoever has forgotten it lets it be read.
    for (const name of readdirSync(join(place.options.stateDirectory, "known")))
      rmSync(join(place.options.stateDirectory, "known", name));
    const [read] = (await own?.run(place, [`${down}; ${attack("x")}`])) ?? [];
    expect(read?.output).toContain(secret);
    // What its user deletes is gone, and commands run again.
    execFileSync("rm", ["-rf", join(place.workspace, long)]);
    const [last] = (await own?.run(place, ["echo it runs"])) ?? [];
    expect(last?.output).toContain("it runs");
  });
});
