import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { inTurn } from "@capstan/testkit";
import { expect, onTestFinished, test } from "vitest";
import { supervisorScript } from "../../../src/run-command/supervisor/supervisor-script.ts";
import { processesOfRuns, untilGone, untilThere } from "../live-processes.ts";

/** What /bin/sh is on most systems. Called by that name they behave as such. */
const present = ["/bin/sh", "/bin/dash", "/bin/bash", "/bin/busybox"].filter((path) => existsSync(path));

/** Runs the script, sends it `lines`, and lets its pipe end. @returns its exit code */
async function supervise(shell: string, path: string, lines: string): Promise<number | null> {
  const child = spawn(shell, ["-c", supervisorScript, "supervisor"], {
    argv0: "sh",
    env: { PATH: path },
    stdio: ["pipe", "inherit", "inherit"],
  });
  child.stdin.end(lines);
  return await new Promise((resolve) => child.once("exit", resolve));
}

/** A process in a session of its own that carries the mark of a run. */
async function startMarked(runId: string): Promise<number> {
  const child = spawn("sleep", ["300"], {
    env: { PATH: process.env["PATH"], FIRST: "x".repeat(3000), CAPSTAN_RUN: runId, LAST: "y\nz" },
    stdio: "ignore",
    detached: true,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await untilThere(() => processesOfRuns([runId]));
  return child.pid ?? 0;
}

test.each(present)("in %s, at the end of its pipe it kills what is registered, and nothing else", async (shell) => {
  const [ours, over, other] = [`ours-${process.pid}`, `over-${process.pid}`, `other-${process.pid}`];
  for (const runId of [ours, over, other]) await startMarked(runId);
  expect(await supervise(shell, "/usr/bin:/bin", `run ${over}\nrun ${ours}\nend ${over}\n`)).toBe(0);
  expect(await untilGone(() => processesOfRuns([ours]))).toEqual([]);
  expect(processesOfRuns([over, other])).toHaveLength(2);
});

test.each(inTurn(present, "bare"))("in %s it needs no other program", async (shell) => {
  const [ours, other] = [`bare-${process.pid}`, `bystander-${process.pid}`];
  for (const runId of [ours, other]) await startMarked(runId);
  expect(await supervise(shell, "/nonexistent", `run ${ours} \n`)).toBe(0);
  expect(await untilGone(() => processesOfRuns([ours]))).toEqual([]);
  expect(processesOfRuns([other])).toHaveLength(1);
});

test.each(inTurn(present, "group"))("in %s a group it knows is ended as a whole", async (shell) => {
  const child = spawn("sh", ["-c", "env -i sleep 300 & wait"], { stdio: "ignore", detached: true });
  const exited = new Promise((resolve) => child.once("exit", (_code, signal) => resolve(signal)));
  expect(await supervise(shell, "/usr/bin:/bin", `run group-${process.pid} ${child.pid ?? 0}\n`)).toBe(0);
  expect(await exited).toBe("SIGKILL");
});

test.each(present)("in %s with nothing registered it ends at once", async (shell) => {
  expect(await supervise(shell, "/usr/bin:/bin", "run a 4711\nend a\n")).toBe(0);
});
