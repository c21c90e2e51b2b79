import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { isSlowTier, sampled } from "@capstan/testkit";
import { describe, expect, onTestFinished, test } from "vitest";
import { readProcessStat } from "../../src/run-command/processes/process-stat.ts";
import { signalProcess } from "../../src/run-command/processes/signal-processes.ts";
import { type CommandPlace, commandPlace } from "./call-command.ts";
import { processesOfRuns } from "./live-processes.ts";

const daemons: readonly (readonly [string, string])[] = [
  ["in a session of its own", "setsid sleep 300 > /dev/null 2>&1 &"],
  ["in a session of its own, holding the output open", "setsid sleep 300 &"],
  ["deaf to hangups", "nohup sleep 300 > /dev/null 2>&1 &"],
  ["that forked twice", "(setsid sh -c '(sleep 300 > /dev/null 2>&1 &)' &)"],
  ["deaf to TERM", `setsid sh -c "trap '' TERM HUP INT; while :; do sleep 0.2; done" > /dev/null 2>&1 &`],
  ["that is stopped", "setsid sh -c 'kill -STOP $$' > /dev/null 2>&1 &"],
  ["that keeps starting others", "setsid sh -c 'while :; do (setsid sleep 0.02 &); done' > /dev/null 2>&1 &"],
];

/** Resolves with the reason of the abort, once the command has said that it is ready. */
async function cancelled(place: CommandPlace, script: string): Promise<unknown> {
  const controller = new AbortController();
  const reason = new Error("stop it");
  const call = place.call({ command: script }, controller.signal).catch((error: unknown) => error);
  while (!place.shown.some(({ text }) => text.includes("ready"))) await delay(5);
  controller.abort(reason);
  return (await call) === reason;
}

describe("when a command has ended, a daemon it left is ended, and the result says so", () => {
  test.each(sampled(daemons, 4))("one %s", async (_name, daemon) => {
    const place = commandPlace();
    const result = await place.call({ command: `${daemon}\n sleep 0.1; echo done` });
    expect(result.content).toMatch(/^Exit code: 0 .*\ndone\n\n\[Processes left in the background were ended\.\]$/s);
    expect(processesOfRuns(place.runIds)).toEqual([]);
  });

  test("one that was only just being started", async () => {
    const place = commandPlace();
    for (let round = 0; round < (isSlowTier ? 8 : 3); round += 1)
      await place.call({ command: "(setsid sh -c '(setsid sleep 300 > /dev/null 2>&1 &)' > /dev/null 2>&1 &)" });
    expect(processesOfRuns(place.runIds)).toEqual([]);
  });
});

describe("a cancelled command takes all it started with it", () => {
  test.each(sampled(daemons, 3))("a daemon %s", async (_name, daemon) => {
    const place = commandPlace();
    expect(await cancelled(place, `${daemon}\n sleep 0.1; echo ready; sleep 300`)).toBe(true);
    expect(processesOfRuns(place.runIds)).toEqual([]);
  });

  test("a stopped command", async () => {
    const place = commandPlace();
    expect(await cancelled(place, "echo ready; kill -STOP $$")).toBe(true);
    expect(processesOfRuns(place.runIds)).toEqual([]);
  });

  test("its children are given the time to end by themselves, though their parent has ended at once", async () => {
    const place = commandPlace();
    const child = "trap 'sleep 0.3; echo tidied >> tidy; exit' TERM; echo ready; while :; do sleep 0.05; done";
    expect(await cancelled(place, `(${child}) & trap 'exit' TERM; wait`)).toBe(true);
    expect(readdirSync(place.workspace.cwd)).toEqual(["tidy"]);
    expect(processesOfRuns(place.runIds)).toEqual([]);
  });
});

test("a command at its time-out takes its daemons with it", async () => {
  const place = commandPlace();
  const result = await place.call({ command: "setsid sleep 300 > /dev/null 2>&1 & sleep 300", timeout_seconds: 0.3 });
  expect(result).toMatchObject({ status: "failed", code: "tool.timeout" });
  expect(processesOfRuns(place.runIds)).toEqual([]);
});

test("what carries another mark, and a process that got the number of one of ours, is not touched", async () => {
  const bystander = spawn("sleep", ["300"], { env: { ...process.env, CAPSTAN_RUN: "another" }, stdio: "ignore" });
  onTestFinished(() => void bystander.kill("SIGKILL"));
  const { pid = 0 } = bystander;
  await commandPlace().call({ command: "setsid sleep 300 > /dev/null 2>&1 & exit 0" });
  const startTicks = readProcessStat(pid)?.startTicks ?? 0;
  signalProcess({ pid, startTicks: startTicks - 1 }, "SIGKILL");
  expect(readProcessStat(pid)?.isAlive).toBe(true);
});

test("nothing but the notes is left of a call, whatever its end", async () => {
  const place = commandPlace();
  await place.call({ command: "sleep 300 & echo one" });
  await place.call({ command: "sleep 300", timeout_seconds: 0.1 });
  await place.call({ argv: ["no-such-program-here"] });
  await cancelled(place, "setsid sleep 300 & echo ready; wait");
  const { spillDirectory } = place.options;
  expect(existsSync(spillDirectory) ? readdirSync(spillDirectory) : []).toEqual([]);
  const [first = "", second = "", , fourth = ""] = place.runIds;
  expect(readdirSync(place.options.statusDirectory).toSorted()).toEqual(
    [first, second, fourth].map((runId) => `${runId}.jsonl`).toSorted(),
  );
});
