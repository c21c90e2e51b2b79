/** The commands of attacks/plan-writes do write where nothing stops them: without that, an unchanged workspace proves nothing. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { slowTest } from "@capstan/testkit";
import { afterEach, expect, test } from "vitest";
import {
  describePlanWrites,
  type PlanModeExecutor,
  planWriteCommands,
  runPlanWrites,
} from "../../../attacks/plan-writes/plan-writes.ts";

const places: string[] = [];

afterEach(() => {
  for (const place of places.splice(0)) rmSync(place, { recursive: true, force: true });
});

function emptyBase(): string {
  // In memory where there is such a place: the tree is made again after nearly every command.
  const place = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "capstan-plan-"));
  places.push(place);
  mkdirSync(join(place, "base"));
  return join(place, "base");
}

/** A few of them in every run; the nightly run takes all, which is minutes. */
const step = process.env["SLOW"] === undefined ? 12 : 1;
const commands = planWriteCommands.filter((_, index) => index % step === 0);

const leastWriting = 0.95;
const mostSeconds = "20";
/** Three hundred processes, each with a fresh tree. */
const limitMs = 600_000;

/** Without any confinement. It ends when everything that holds its output has ended. */
function unconfined(workspace: string): PlanModeExecutor {
  return (command) =>
    new Promise((resolve, reject) => {
      const child = spawn("timeout", ["-k", "1", mostSeconds, "bash", "-c", command], {
        cwd: workspace,
        stdio: ["ignore", "pipe", "pipe"],
        env: { PATH: process.env["PATH"], HOME: join(workspace, "..", "outside"), LC_ALL: "C.UTF-8" },
      });
      child.stdout.resume();
      child.stderr.resume();
      child.on("error", reject);
      child.on("close", () => resolve());
    });
}

test("there are two hundred ways and more, all different", () => {
  expect(planWriteCommands.length).toBeGreaterThanOrEqual(200);
  expect(new Set(planWriteCommands).size).toBe(planWriteCommands.length);
});

slowTest(
  "unconfined, nearly all of them change the workspace",
  async () => {
    const report = await runPlanWrites(emptyBase(), unconfined, commands);
    const idle = commands.filter((command) => !report.writes.some((write) => write.command === command));
    console.info(`unconfined: ${report.writes.length} of ${report.tried} write; not: ${JSON.stringify(idle)}`);
    expect(report.writes.length / report.tried).toBeGreaterThanOrEqual(leastWriting);
  },
  limitMs,
);

test(
  "an executor that runs nothing leaves everything as it was, and reading changes nothing",
  async () => {
    const report = await runPlanWrites(
      emptyBase(),
      (workspace) => () => unconfined(workspace)("cat notes.txt; ls -la"),
      commands,
    );
    expect(describePlanWrites(report)).toBe(
      `plan mode: ${commands.length} ways to write tried, ${commands.length} left the workspace unchanged`,
    );
  },
  limitMs,
);
