import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "@capstan/protocol";
import { beforeAll, describe, expect, test } from "vitest";
import { WorkspacePaths } from "../../../src/paths/workspace-paths.ts";
import { createRunCommandTool } from "../../../src/run-command/run-command.ts";
import { processesOfRuns, supervisorsOf, untilGone, untilThere } from "../live-processes.ts";
import { commandOptions } from "./command-options.ts";
import { bundleCommanding, type Commanding, startCommanding } from "./start-commanding.ts";
import { quietContext, sampled, slowTest } from "@capstan/testkit";

let file = "";
beforeAll(async () => {
  file = await bundleCommanding();
});

/** Asks, as the next Capstan would, what became of a run of the killed one. */
async function probe(dead: Commanding, script: string, runId: string, output = ""): Promise<Finding> {
  const options = commandOptions(dead.base);
  const tool = createRunCommandTool(options, new WorkspacePaths(options));
  const cwd = join(dead.base, "workspace");
  mkdirSync(cwd, { recursive: true });
  const workspace = { cwd, roots: [cwd] };
  const context = { workspace, ...quietContext, signal: new AbortController().signal };
  const action = { ...(await tool.prepare({ command: script }, context)), digest: "d".repeat(64) };
  const found = await tool.probe?.(action, { files: [], runId }, { ...context, callId: "call-1", output });
  if (found === undefined) throw new Error("run_command probes");
  return found;
}

describe("when Capstan is killed, its commands die with it, and so does their supervisor", () => {
  const commands: readonly (readonly [string, string])[] = [
    ["a tree of children", "sleep 300 & (sleep 300 & sleep 300) & echo ready; wait"],
    ["a process in a session of its own", "setsid sleep 300 & echo ready; wait"],
    ["a process that hangups do not end", "nohup sleep 300 > /dev/null 2>&1 & echo ready; wait"],
    ["a daemon that forked twice", "(setsid sh -c '(sleep 300 > /dev/null 2>&1 &)' &); echo ready; sleep 300"],
    ["a command that ignores TERM", "trap '' TERM HUP INT; echo ready; while :; do sleep 0.2; done"],
    ["a stopped command", "(kill -STOP $BASHPID) & echo ready; sleep 0.1; kill -STOP $$"],
    ["a command that keeps starting others", "echo ready; while :; do (setsid sleep 0.05 &); done"],
  ];

  test.each(sampled(commands, 4))("%s", async (_name, script) => {
    const capstan = startCommanding(file, [script]);
    await capstan.said("ready");
    expect(await untilThere(() => processesOfRuns(capstan.runIds))).not.toEqual([]);
    expect(await capstan.kill()).toEqual([]);
  });

  test("several commands at once", async () => {
    const script = "setsid sleep 300 & sleep 300 & echo ready; wait";
    const capstan = startCommanding(file, [script, script, script, script]);
    await capstan.said("ready", 4);
    expect(supervisorsOf(capstan.pid)).toHaveLength(1);
    expect(await capstan.kill()).toEqual([]);
  });

  test("with no command running there is nothing to do", async () => {
    const capstan = startCommanding(file, ["true"]);
    await capstan.said("over");
    expect(supervisorsOf(capstan.pid)).toHaveLength(1);
    expect(await capstan.kill()).toEqual([]);
  });

  test("a Ctrl-C that ends the whole group does not reach the supervisor", async () => {
    const capstan = startCommanding(file, ["setsid sleep 300 & echo ready; wait"], { detached: true });
    await capstan.said("ready");
    expect(await capstan.kill("SIGINT")).toEqual([]);
  });

  test("a supervisor that somebody ended is replaced, and what ran before is known to the next", async () => {
    const capstan = startCommanding(file, ["setsid sleep 300 & echo ready; wait"]);
    await capstan.said("ready");
    const [first = 0] = supervisorsOf(capstan.pid);
    process.kill(first, "SIGKILL");
    expect(await untilThere(() => supervisorsOf(capstan.pid).filter((pid) => pid !== first))).toHaveLength(1);
    expect(processesOfRuns(capstan.runIds)).not.toEqual([]);
    expect(await capstan.kill()).toEqual([]);
  });
});

test("a process whose commands have ended ends by itself, and leaves no process and no file but the notes", async () => {
  const capstan = startCommanding(file, ["echo one; setsid sleep 300 > /dev/null 2>&1 &", "exit 3"], {
    ending: "leave",
  });
  const code = new Promise((resolve) => capstan.child.once("exit", resolve));
  await capstan.silent;
  expect(await code).toBe(0);
  expect(await capstan.left()).toEqual([]);
  expect(readdirSync(join(capstan.base, "spill"))).toEqual([]);
  expect(readdirSync(join(capstan.base, "runs")).toSorted()).toEqual(
    capstan.runIds.map((runId) => `${runId}.jsonl`).toSorted(),
  );
});

test("killed at any instant: nothing runs on, and what is found out is what happened", async () => {
  const script = "echo begun >> trace; (setsid sleep 300 > /dev/null 2>&1 &); sleep 0.02; echo ended >> trace";
  const instants = Array.from({ length: 30 }, (_, index) => index);
  for (const instant of sampled(instants, 3)) {
    const capstan = startCommanding(file, [script]);
    await capstan.said("staged");
    await new Promise((resolve) => setTimeout(resolve, instant * 3));
    expect(await capstan.kill()).toEqual([]);
    const finding = await probe(capstan, script, capstan.runIds[0] ?? "");
    expect(`${finding.type}: ${traceOf(capstan)}`).toMatch(
      /^(untouched: |ended: begun\nended\n|in-doubt: (begun\n(ended\n)?)?)$/,
    );
    expect(await probe(capstan, script, capstan.runIds[0] ?? "")).toEqual(finding);
  }
}, 120_000);

function traceOf({ base }: Commanding): string {
  try {
    return readFileSync(join(base, "workspace", "trace"), "utf8");
  } catch {
    return "";
  }
}

slowTest("where the supervisor was killed as well, the next Capstan ends what still runs, and says so", async () => {
  const script = "setsid sleep 300 & trap '' TERM; echo ready; while :; do sleep 0.2; done";
  const capstan = startCommanding(file, [script]);
  await capstan.said("ready");
  const supervisors = supervisorsOf(capstan.pid);
  process.kill(capstan.pid, "SIGSTOP");
  for (const pid of supervisors) process.kill(pid, "SIGKILL");
  process.kill(capstan.pid, "SIGKILL");
  await capstan.silent;
  expect(processesOfRuns(capstan.runIds)).not.toEqual([]);
  const finding = await probe(capstan, script, capstan.runIds[0] ?? "", "ready\n");
  expect(finding).toEqual({
    type: "in-doubt",
    text:
      "It was running when Capstan was killed, and nobody saw its end. What was still running of it has been ended. " +
      "The output it had shown ends with:\nready",
  });
  expect(await untilGone(() => processesOfRuns(capstan.runIds))).toEqual([]);
  expect(await probe(capstan, script, capstan.runIds[0] ?? "", "ready\n")).toMatchObject({ type: "in-doubt" });
});
