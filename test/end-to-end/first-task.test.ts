import { spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { overWires } from "./stage/over-wires.ts";
import { usePlace } from "./stage/place.ts";
import { parseResult } from "./stage/read-output.ts";

const place = usePlace();

const example = join(import.meta.dirname, "../../examples/first-task");

overWires("over %s", (wire, test) => {
  test("a real task goes from a failing test to a green one, and the result lists what changed", async () => {
    cpSync(join(example, "repository"), place.workspace, { recursive: true });
    for (const args of [
      ["init", "-q"],
      ["add", "-A"],
      [...identity, "commit", "-q", "-m", "A shop"],
    ]) {
      expect(spawnSync("git", args, { cwd: place.workspace }).status).toBe(0);
    }
    const scenario = JSON.parse(readFileSync(join(example, "scenario.json"), "utf8"));
    const stage = await place.rehearse(wire, scenario.turns);
    const run = await stage.run([
      "--permission-mode",
      "accept-edits",
      "--allow",
      "run_command(node --test)",
      "--output-format",
      "json",
      "The test suite fails. Fix it.",
    ]);
    expect(stage.exchanges.flatMap((exchange) => exchange.problem ?? [])).toEqual([]);
    expect(parseResult(run)).toMatchObject({
      outcome: "done",
      exitCode: 0,
      modelCalls: 6,
      toolCalls: 8,
      filesChanged: [
        { path: "src/cart.js", kind: "modified", addedLines: 1, removedLines: 1 },
        { path: "test/cart.test.js", kind: "modified", addedLines: 4, removedLines: 0 },
      ],
      deniedCalls: [],
    });
    expect(run.code).toBe(0);
    expect(stage.unused()).toBe(0);
    expect(place.read("src/cart.js")).toContain("quantity >= bulkQuantity");
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    expect(spawnSync(process.execPath, ["--test"], { cwd: place.workspace, env }).status).toBe(0);
    const changed = spawnSync("git", ["diff", "--name-only"], { cwd: place.workspace, encoding: "utf8" }).stdout;
    expect(changed.trim().split("\n")).toEqual(["src/cart.js", "test/cart.test.js"]);
  });
});

const identity = ["-c", "user.name=Shop", "-c", "user.email=shop@example.invalid", "-c", "commit.gpgsign=false"];
