import { runs, slowTest } from "@capstan/testkit";
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "@capstan/protocol";
import { describe, expect, test } from "vitest";
import { commitFiles } from "../../src/files/commit-files.ts";
import { readPinned } from "../../src/paths/pinned-file.ts";
import { sha, workspaceFixture, type WorkspaceFixture } from "../workspace-fixture.ts";
import { startSwapper } from "./swapper.ts";

// A few hundred rounds in every run; the nightly run does the 40,000 of the attack catalogue.
const rounds = runs(400);
// Where a check can be beaten, it is beaten about once in 20 to 100 tries.
const naiveRounds = 40_000;
/** Tries until it is beaten: on a busy machine the swapper may sleep through the first second, which is as long as 40,000 take. */
const mostNaiveRounds = 4_000_000;
const raceTimeoutMs = 600_000;

type Attempt = (fixture: WorkspaceFixture, round: number) => Promise<string>;

const readCarefully: Attempt = async ({ paths, workspace }) => {
  const resolved = await paths.resolve(workspace, "place/file", "read");
  return (await readPinned(resolved, 100)).toString();
};

const writeCarefully: Attempt = async ({ paths, workspace }, round) => {
  const resolved = await paths.resolve(workspace, `place/new-${round}`, "write");
  await commitFiles([{ resolved, before: null, content: Buffer.from("ours") }]);
  return "written";
};

const overwriteCarefully: Attempt = async ({ paths, workspace }) => {
  const resolved = await paths.resolve(workspace, "place/file", "write");
  await commitFiles([{ resolved, before: sha("inside"), content: Buffer.from("inside") }]);
  return "written";
};

const deleteCarefully: Attempt = async ({ paths, workspace }, round) => {
  // The same content on both sides, so that only the place can distinguish them.
  const resolved = await paths.resolve(workspace, `place/delete-${round % 50}`, "delete");
  await commitFiles([{ resolved, before: sha("same"), content: null }]);
  return "deleted";
};

/** Checks a name, then opens the name again: what must not be done. */
const readNaively: Attempt = async ({ workspace }) => {
  const path = join(workspace.cwd, "place/file");
  if (!realpathSync(path).startsWith(`${workspace.cwd}/`)) return await Promise.resolve("refused");
  return readFileSync(path, "utf8");
};

describe.each(["link", "directory"] as const)(
  "while a %s on the way is swapped by another process",
  { timeout: raceTimeoutMs },
  (kind) => {
    test("reading never brings what lies outside", async () => {
      const outcomes = await race(kind, readCarefully, { rounds, untilSuccess: true });
      expect(outcomes.escapes).toEqual([]);
      expect(outcomes.successes).toBeGreaterThan(0);
    });

    test.each([
      ["a new file", writeCarefully],
      ["a file that is there", overwriteCarefully],
      ["a deletion", deleteCarefully],
    ])("%s never lands outside", async (_name, attempt) => {
      const outcomes = await race(kind, attempt, { rounds });
      expect(outcomes.escapes).toEqual([]);
      expect(outcomes.outsideAfter).toEqual(outcomes.outsideBefore);
    });

    slowTest("the harness notices a reader that checks names", async () => {
      const outcomes = await race(kind, readNaively, { rounds: mostNaiveRounds, untilEscape: true });
      expect(outcomes.escapes).not.toEqual([]);
    });
  },
);

interface Outcomes {
  readonly escapes: readonly string[];
  readonly successes: number;
  readonly outsideBefore: Tree;
  readonly outsideAfter: Tree;
}

type Tree = Readonly<Record<string, string>>;

interface RaceBounds {
  readonly rounds: number;
  readonly untilEscape?: boolean;
  /** On a busy machine the swapper may sleep through all rounds with the place swapped away. */
  readonly untilSuccess?: boolean;
}

async function race(kind: "link" | "directory", attempt: Attempt, bounds: RaceBounds): Promise<Outcomes> {
  const fixture = workspaceFixture();
  const outside = join(fixture.base, "outside");
  const place = join(fixture.workspace.cwd, "place");
  const inside = join(fixture.workspace.cwd, "moved");
  fill(outside, "OUTSIDE");
  fill(kind === "link" ? inside : place, "inside");
  const outsideBefore = treeOf(outside);
  const swapper = await startSwapper(kind, place, [inside, outside]);
  const escapes: string[] = [];
  let successes = 0;
  try {
    const isUnfinished = (round: number): boolean =>
      round < bounds.rounds || (bounds.untilSuccess === true && successes === 0 && round < naiveRounds);
    for (let round = 0; isUnfinished(round); round += 1) {
      const outcome = await settled(attempt, fixture, round);
      if (outcome === "OUTSIDE") escapes.push(outcome);
      if (outcome !== undefined) successes += 1;
      if (bounds.untilEscape === true && escapes.length > 0) break;
    }
  } finally {
    await swapper.stop();
  }
  return { escapes, successes, outsideBefore, outsideAfter: treeOf(outside) };
}

/** What an attempt brought; `undefined`: it was refused, or the place was just empty. */
async function settled(attempt: Attempt, fixture: WorkspaceFixture, round: number): Promise<string | undefined> {
  try {
    return await attempt(fixture, round);
  } catch (error) {
    if (error instanceof AppError || (error instanceof Error && "syscall" in error)) return undefined;
    throw error;
  }
}

function fill(directory: string, content: string): void {
  mkdirSync(directory);
  writeFileSync(join(directory, "file"), content);
  for (let index = 0; index < 50; index += 1) writeFileSync(join(directory, `delete-${index}`), "same");
}

function treeOf(directory: string): Tree {
  return Object.fromEntries(readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), "utf8")]));
}
