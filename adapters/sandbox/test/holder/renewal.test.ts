import { chownSync, cpSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createSandbox } from "../../src/index.ts";
import { enterPlace, makePlace, type Place } from "../support/bench-place.ts";
import { users } from "../support/each-user.ts";
import { runProgram } from "../support/run-program.ts";
import { hasBubblewrap } from "../support/has-bubblewrap.ts";

const secrets = [".env", "sub/.env"];
const governing = ["AGENTS.md", "sub/AGENTS.md", ".git/config", ".git/hooks/pre-commit"];

/** Until somebody says stop: reads and writes what is protected, and notes after each round what of it worked. */
function loop(name: string): string {
  return `n=0
while [ ! -e stop ]; do
  n=$((n + 1)); open=
  for f in ${secrets.join(" ")}; do grep -qs fresh $f && open="$open $f"; done
  for f in ${governing.join(" ")}; do (echo evil >> $f) 2> /dev/null && open="$open $f"; done
  echo "$n$open" > ${name}.next; mv ${name}.next ${name}
done`;
}

function furnish({ workspace }: Place): void {
  mkdirSync(join(workspace, "sub"));
  execFileSync("git", ["init", "-q", workspace]);
  for (const path of secrets) writeFileSync(join(workspace, path), "old\n");
  for (const path of governing) writeFileSync(join(workspace, path), "# old\n");
}

/** Puts other files and folders in the place of each, as editors and git do: a protected file, a folder above some, a repository. */
function replaceAll({ workspace, folder }: Place, round: number): void {
  const { uid, gid } = statSync(workspace);
  const at = (name: string): string => join(workspace, name);
  for (const name of [".env", "AGENTS.md"]) {
    writeFileSync(join(folder, "fresh"), name === ".env" ? "fresh\n" : "# fresh\n");
    chownSync(join(folder, "fresh"), uid, gid);
    renameSync(join(folder, "fresh"), at(name));
  }
  for (const name of ["sub", ".git"]) {
    const fresh = join(folder, `fresh-${round}`);
    cpSync(at(name), fresh, { recursive: true });
    if (name === "sub") writeFileSync(join(fresh, ".env"), "fresh\n");
    execFileSync("chown", ["-R", `${uid}:${gid}`, fresh]);
    renameSync(at(name), join(folder, `old-${name}-${round}`));
    renameSync(fresh, at(name));
  }
}

interface Round {
  readonly number: number;
  readonly open: string;
}

function roundOf({ workspace }: Place, name: string): Round {
  try {
    const [, number = "0", open = ""] = /^(\d+) ?(.*)$/m.exec(readFileSync(join(workspace, name), "utf8")) ?? [];
    return { number: Number(number), open };
  } catch {
    return { number: 0, open: "" };
  }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setTimeout(5);
}

/** Looks at that many further rounds of a loop. @returns what was open in them */
async function openIn(place: Place, name: string, rounds: number): Promise<ReadonlySet<string>> {
  const open = new Set<string>();
  const from = roundOf(place, name).number;
  await until(() => {
    const round = roundOf(place, name);
    if (round.number > from + 1) open.add(round.open);
    return round.number > from + rounds;
  });
  return open;
}

/** Waits until many rounds in a row found everything shut: that one did may be what it found before anything was replaced. */
async function closedIn(place: Place, name: string): Promise<void> {
  for (let tries = 0; tries < 20; tries += 1)
    if ([...(await openIn(place, name, 30))].every((open) => open === "")) return;
  throw new Error("what was replaced stays open");
}

const textsOf = ({ workspace }: Place): readonly string[] =>
  governing.map((path) => readFileSync(join(workspace, path), "utf8"));

describe.skipIf(!hasBubblewrap)("what is protected and replaced from outside (needs bubblewrap)", () => {
  for (const user of users) {
    test(`is soon neither read nor written to by commands of ${user.name} that run, time after time`, async () => {
      const place = makePlace();
      furnish(place);
      const names = ["foreground", "background"];
      const script = `(${loop("background")}) & ${loop("foreground")}; wait`;
      const running = user.runTogether(place, [script]);
      for (const round of [1, 2]) {
        for (const name of names) await openIn(place, name, 2);
        replaceAll(place, round);
        for (const name of names) await closedIn(place, name);
        const before = textsOf(place);
        for (const name of names) expect(await openIn(place, name, 30)).toEqual(new Set([""]));
        expect(textsOf(place)).toEqual(before);
      }
      writeFileSync(join(place.workspace, "stop"), "");
      const [ended] = await running;
      expect([ended?.code, ended?.report.endedBecause, ended?.report.quarantined]).toEqual([0, undefined, []]);
    });
  }

  test("is covered in commands that run beside one another, and stays open where nobody looks", async () => {
    const open: unknown[] = [];
    for (const renewalPollMs of [undefined, Number.POSITIVE_INFINITY]) {
      const place = makePlace(renewalPollMs === undefined ? {} : { renewalPollMs });
      furnish(place);
      const sandbox = createSandbox(place.options);
      const names = ["one", "two"];
      const running = names.map(async (name) => runProgram(await enterPlace(place, loop(name), { sandbox })));
      for (const name of names) await openIn(place, name, 2);
      replaceAll(place, 1);
      const isWatched = renewalPollMs === undefined;
      for (const name of names) {
        await openIn(place, name, 2);
        if (isWatched) await until(() => roundOf(place, name).open === "");
      }
      for (const name of names) await openIn(place, name, 2);
      for (const name of names) open.push([...(await openIn(place, name, 30))]);
      writeFileSync(join(place.workspace, "stop"), "");
      await Promise.all(running);
    }
    const all = [...secrets, ...governing].join(" ");
    expect(open).toEqual([[""], [""], [all], [all]]);
  });
});
