import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, lstatSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { runs } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { script } from "./random-scripts.ts";
import { stateOf } from "./workspace-state.ts";

const place = usePlace();
const scriptsPerTurn = 5;

/** What is kept of a workspace: a file is one of its own, whatever it is linked to, and a folder is there when a file is in it. */
function asItIsKept(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || lstatSync(path).nlink === 1) continue;
    copyFileSync(path, `${path}.own`);
    renameSync(`${path}.own`, path);
  }
  execFileSync("find", [folder, "-mindepth", "1", "-type", "d", "-empty", "-delete"]);
}

test("any scripts change nothing until they are applied; applied they did what running them does, refused nothing", async () => {
  const turns = fc.sample(fc.array(script, { minLength: scriptsPerTurn, maxLength: scriptsPerTurn }), {
    numRuns: Math.ceil(runs(200) / scriptsPerTurn),
    ...(process.env["CAPSTAN_TEST_SEED"] === "random" ? {} : { seed: 17 }),
  });
  const calls = turns.map((scripts) => scripts.map((command) => ({ name: "run_command", arguments: { command } })));
  const replies = calls.flatMap((each) => [{ tool_calls: each }, { tool_calls: each }]);
  const stage = await place.rehearse("anthropic", replies);
  const reference = join(place.folder, "reference");
  mkdirSync(reference);
  place.write("a.txt", "first\n");
  cpSync(place.workspace, reference, { recursive: true });
  const flags = ["--strategy", "review", "--permission-mode", "accept-edits"];
  for (const scripts of turns) {
    const before = stateOf(place.workspace);
    const propose = async (decision: "apply" | "refuse"): Promise<void> => {
      const run = await stage.run([...flags, "go"]);
      expect([run.code, stateOf(place.workspace)]).toEqual([0, before]);
      await place.run(["proposals", decision]);
    };
    await propose("refuse");
    expect(stateOf(place.workspace)).toEqual(before);
    await propose("apply");
    for (const command of scripts) {
      execFileSync("/bin/sh", ["-c", command], { cwd: reference });
      asItIsKept(reference);
    }
    expect({ scripts, state: stateOf(place.workspace) }).toEqual({ scripts, state: stateOf(reference) });
  }
}, 600_000);
