import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { processesOfRuns, untilGone } from "./live-processes.ts";
import { bundleCommanding } from "./supervisor/start-commanding.ts";

test("a process that ends itself in the middle of a program leaves nothing of it, without a supervisor", async () => {
  const runId = `exiting-${process.pid}`;
  const child = spawn(process.execPath, [await bundleCommanding("../exiting-process"), runId], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => {
    for (const pid of processesOfRuns([runId])) process.kill(pid, "SIGKILL");
  });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  expect(await once(child, "close")).toEqual([7, null]);
  expect(said).toBe("started\n");
  expect(await untilGone(() => processesOfRuns([runId]))).toEqual([]);
});
