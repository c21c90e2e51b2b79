import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { readProcessStat } from "../../../src/run-command/processes/process-stat.ts";

test("a process is alive in its group, no part of the kernel, and gone when it has ended", async () => {
  const child = spawn("sleep", ["100"], { detached: true, stdio: "ignore" });
  const pid = child.pid ?? 0;
  expect(readProcessStat(pid)).toMatchObject({ isAlive: true, group: pid, isKernelThread: false });
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
  expect(readProcessStat(pid)?.isAlive ?? false).toBe(false);
});
