import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Action, Finding, JsonObject } from "@capstan/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { readProcessStat } from "../../../src/run-command/processes/process-stat.ts";
import { readBootId } from "../../../src/run-command/runs/boot-id.ts";
import { maxPrunedNames } from "../../../src/run-command/limits.ts";
import { mintRunId } from "../../../src/run-command/runs/run-id.ts";
import type { RunStatus } from "../../../src/run-command/runs/run-status.ts";
import { StatusFolder } from "../../../src/run-command/runs/status-folder.ts";
import { type CommandPlace, commandPlace } from "../call-command.ts";
import { quietContext, slowTest } from "@capstan/testkit";

const digest = "0".repeat(64);
const dayMs = 24 * 3_600_000;

async function actionOf(place: CommandPlace, args: JsonObject): Promise<Action> {
  return { ...(await place.prepare(args)), digest };
}

/** Stages a call and does not run it. @returns its run */
async function stagedOnly(place: CommandPlace, args: JsonObject): Promise<string> {
  const context = { workspace: place.workspace, ...quietContext, signal: new AbortController().signal };
  const staged = await place.tool.stage?.(await actionOf(place, args), context);
  return staged?.settle.runId ?? "none";
}

async function probe(place: CommandPlace, args: JsonObject, runId: string | undefined, output = ""): Promise<Finding> {
  const found = await place.tool.probe?.(
    await actionOf(place, args),
    runId === undefined ? { files: [] } : { files: [], runId },
    {
      workspace: place.workspace,
      ...quietContext,
      signal: new AbortController().signal,
      callId: "call-1",
      output,
    },
  );
  if (found === undefined) throw new Error("run_command probes");
  return found;
}

/** A run of which the notes say this. */
function noted(place: CommandPlace, ...statuses: readonly RunStatus[]): string {
  const runId = mintRunId(Date.now());
  const folder = new StatusFolder(place.options.statusDirectory);
  folder.open();
  const file = folder.create(runId);
  for (const status of statuses) file.append(status);
  file.close();
  return runId;
}

const args = { command: "echo out; exit 3" };

describe("without a note of its start, a command was not started", () => {
  test("a staged call that never ran is untouched, however often it is asked", async () => {
    const place = commandPlace();
    const runId = await stagedOnly(place, args);
    const finding = await probe(place, args, runId);
    expect(finding).toMatchObject({ type: "untouched" });
    expect(await probe(place, args, runId)).toEqual(finding);
  });

  test("a program that could not be started leaves no note", async () => {
    const place = commandPlace();
    await place.call({ argv: ["no-such-program-here"] });
    expect(readdirSync(place.options.statusDirectory)).toEqual([]);
    expect(await probe(place, { argv: ["no-such-program-here"] }, place.runIds[0])).toMatchObject({
      type: "untouched",
    });
  });

  test.each<[string, (place: CommandPlace) => string | undefined]>([
    ["no run was named", () => undefined],
    ["the name of the run is none of ours", () => "../../../etc/passwd"],
    ["the machine was restarted since", () => mintRunId(Date.now()).replace(/-[0-9a-f]{8}-/, "-00000000-")],
    ["the note can have been removed for its age", () => mintRunId(Date.now() - 6.5 * dayMs)],
    ["the clock went backwards", () => mintRunId(Date.now() + dayMs)],
    [
      "the folder of notes is gone",
      ({ options }) => {
        rmSync(options.statusDirectory, { recursive: true });
        return mintRunId(Date.now());
      },
    ],
  ])("but it is in doubt when %s", async (_name, nameRun) => {
    const place = commandPlace();
    await stagedOnly(place, args);
    expect(await probe(place, args, nameRun(place))).toMatchObject({ type: "in-doubt" });
  });
});

describe("a noted exit is an end, reported as the result would have reported it", () => {
  test("an exit code, with the output that was shown", async () => {
    const place = commandPlace();
    await place.call(args);
    const finding = await probe(place, args, place.runIds[0], "out\n");
    expect(finding).toEqual({
      type: "ended",
      outcome: {
        type: "done",
        content: expect.stringMatching(
          /^Exit code: 3 \(\d+\.\d s\)\n\[Capstan was killed right after this\. .*\]\nout\n$/s,
        ),
        details: { exitCode: 3, signal: null, durationMs: expect.any(Number) },
      },
      changes: [],
      observed: [],
    });
    expect(await probe(place, args, place.runIds[0], "out\n")).toEqual(finding);
  });

  test("a signal", async () => {
    const place = commandPlace();
    await place.call({ command: "kill -SEGV $$" });
    expect(await probe(place, { command: "kill -SEGV $$" }, place.runIds[0])).toMatchObject({
      type: "ended",
      outcome: {
        type: "done",
        content: expect.stringMatching(/^Ended by signal SIGSEGV .*\n\[no output was shown\]$/s),
      },
    });
  });

  test("a time-out", async () => {
    const place = commandPlace();
    const slow = { command: "sleep 300", timeout_seconds: 0.2 };
    await place.call(slow);
    expect(await probe(place, slow, place.runIds[0])).toMatchObject({
      type: "ended",
      outcome: { type: "failed", code: "tool.timeout", content: expect.stringMatching(/^Timed out after 0\.2 s/) },
    });
  });

  test("a cancelled command is no success", async () => {
    const place = commandPlace();
    const controller = new AbortController();
    const slow = { command: "echo ready; sleep 300" };
    const call = place.call(slow, controller.signal).catch(() => undefined);
    await expect.poll(() => place.shown.length, { timeout: 20_000 }).toBeGreaterThan(0);
    controller.abort(new Error("stop"));
    await call;
    expect(await probe(place, slow, place.runIds[0])).toMatchObject({
      type: "ended",
      outcome: {
        type: "failed",
        content: expect.stringMatching(/^It was cancelled, and ended\. Ended by signal SIGTERM/),
      },
    });
  });
});

describe("what nobody saw the end of is in doubt", () => {
  const pid = 4_000_000;
  const bootId = readBootId() ?? null;
  test.each<[string, readonly RunStatus[], RegExp]>([
    ["about to start", [{ type: "starting", digest }], /moment of starting it\. Nothing of it is running now\./],
    [
      "running",
      [
        { type: "starting", digest },
        { type: "running", digest, pid, startTicks: 1, bootId },
      ],
      /was running when Capstan was killed.* Nothing of it is running now\./,
    ],
    ["nothing noted", [], /damaged/],
    ["of another command", [{ type: "starting", digest: "1".repeat(64) }], /belongs to another command/],
  ])("%s", async (_name, statuses, text) => {
    const place = commandPlace();
    const runId = noted(place, ...statuses);
    const finding = await probe(place, args, runId);
    expect(finding).toEqual({ type: "in-doubt", text: expect.stringMatching(text) });
    expect(await probe(place, args, runId)).toEqual(finding);
  });

  test("a line that was cut off counts for nothing", async () => {
    const place = commandPlace();
    const runId = noted(place, { type: "starting", digest });
    appendFileSync(join(place.options.statusDirectory, `${runId}.jsonl`), `{"type":"exited","digest":"${digest}"`);
    expect(await probe(place, args, runId)).toMatchObject({ text: expect.stringContaining("moment of starting it") });
  });

  test("a process that has the number of the dead one by now is left alone, and so is its group", async () => {
    const place = commandPlace();
    const unrelated = spawn("sleep", ["300"], { stdio: "ignore", detached: true });
    onTestFinished(() => void unrelated.kill("SIGKILL"));
    const number = unrelated.pid ?? 0;
    const startTicks = (readProcessStat(number)?.startTicks ?? 0) - 1;
    const runId = noted(place, { type: "running", digest, pid: number, startTicks, bootId });
    expect(await probe(place, args, runId)).toMatchObject({ type: "in-doubt" });
    expect(readProcessStat(number)?.isAlive).toBe(true);
  });

  test("a process of another start of the machine is left alone, though number and ticks are the same", async () => {
    const place = commandPlace();
    const { pid: number, startTicks } = unmarkedGroup();
    const runId = noted(place, { type: "running", digest, pid: number, startTicks, bootId: "another-start" });
    expect(await probe(place, args, runId)).toMatchObject({ type: "in-doubt" });
    expect(readProcessStat(number)?.isAlive).toBe(true);
  });

  test("the group of a leader that still runs is ended, though it no longer carries its mark", async () => {
    const place = commandPlace();
    const { pid: number, startTicks } = unmarkedGroup();
    const runId = noted(place, { type: "running", digest, pid: number, startTicks, bootId });
    const ended = { type: "in-doubt", text: expect.stringContaining("What was still running of it has been ended.") };
    expect(await probe(place, args, runId)).toEqual(ended);
    expect(readProcessStat(number)?.isAlive ?? false).toBe(false);
    expect(await probe(place, args, runId)).toMatchObject({
      text: expect.stringContaining("Nothing of it is running"),
    });
  });
});

test("what still runs is asked to end before it is made to, and can put things in order", async () => {
  const place = commandPlace();
  const script = "trap 'echo asked > asked; exit' TERM; echo ready; while :; do sleep 0.02; done";
  const leader = spawn("/bin/bash", ["-c", script], {
    cwd: place.workspace.cwd,
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
    env: { PATH: process.env["PATH"] },
  });
  onTestFinished(() => void leader.kill("SIGKILL"));
  await once(leader.stdout, "data");
  const pid = leader.pid ?? 0;
  const startTicks = readProcessStat(pid)?.startTicks ?? -1;
  const runId = noted(place, { type: "running", digest, pid, startTicks, bootId: readBootId() ?? "" });
  expect(await probe(place, args, runId)).toMatchObject({ text: expect.stringContaining("has been ended.") });
  expect(readdirSync(place.workspace.cwd)).toEqual(["asked"]);
});

/** A process that leads its group, and whose environment says nothing of a run. */
function unmarkedGroup(): { readonly pid: number; readonly startTicks: number } {
  const leader = spawn("sleep", ["300"], { stdio: "ignore", detached: true, env: {} });
  onTestFinished(() => void leader.kill("SIGKILL"));
  const pid = leader.pid ?? 0;
  return { pid, startTicks: readProcessStat(pid)?.startTicks ?? -1 };
}

describe("the notes", () => {
  test("are for their owner only", async () => {
    const place = commandPlace();
    await place.call(args);
    const folder = place.options.statusDirectory;
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600]);
  });

  test("of runs long past are removed beside the first command; others stay", async () => {
    const place = commandPlace();
    mkdirSync(place.options.statusDirectory);
    const [old, young] = [mintRunId(Date.now() - 8 * dayMs), mintRunId(Date.now() - 6 * dayMs)];
    for (const name of [`${old}.jsonl`, `${young}.jsonl`, "foreign"])
      writeFileSync(join(place.options.statusDirectory, name), "");
    await place.call(args);
    expect(readdirSync(place.options.statusDirectory).toSorted()).toEqual(
      [`${young}.jsonl`, "foreign", `${place.runIds[0] ?? ""}.jsonl`].toSorted(),
    );
  });

  slowTest("of more long past runs than one look takes, the rest are removed by the next", async () => {
    const { options } = commandPlace();
    mkdirSync(options.statusDirectory);
    for (let number = 0; number <= maxPrunedNames; number += 1)
      writeFileSync(join(options.statusDirectory, `${mintRunId(Date.now() - 8 * dayMs)}.jsonl`), "");
    const folder = new StatusFolder(options.statusDirectory);
    const left = [];
    for (let look = 0; look < 2; look += 1) {
      await folder.prune(Date.now());
      left.push(readdirSync(options.statusDirectory).length);
    }
    expect(left).toEqual([1, 0]);
  });

  test("where they cannot be made, nothing is run", async () => {
    const place = commandPlace({ statusDirectory: "/dev/null/runs" });
    await expect(place.call({ command: "echo > made" })).rejects.toMatchObject({
      code: "tool.failed",
      message: expect.stringContaining("Nothing was run"),
    });
    expect(readdirSync(place.workspace.cwd)).toEqual([]);
  });

  test("where one cannot be written at the last moment, nothing is run either", async () => {
    const place = commandPlace();
    const runId = await stagedOnly(place, { command: "echo > made" });
    rmSync(place.options.statusDirectory, { recursive: true });
    const result = await place.tool.run(await actionOf(place, { command: "echo > made" }), undefined, {
      workspace: place.workspace,
      ...quietContext,
      signal: new AbortController().signal,
      callId: "call-1",
      settle: { files: [], runId },
      onOutput: () => undefined,
    });
    expect(result).toMatchObject({ status: "failed", content: expect.stringContaining("Nothing was run") });
    expect(readdirSync(place.workspace.cwd)).toEqual([]);
  });
});
