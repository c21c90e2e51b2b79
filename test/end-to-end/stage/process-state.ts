import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { limited, type Place } from "./place.ts";

/** Nothing tells the end of a process that is not ours: it is looked for. */
const lookAgainMs = 20;

/** Whether the process lives whose id a command wrote into this file of the workspace. */
export function isRunning(place: Place, pidFile: string): boolean {
  return isAlive(pidIn(place, pidFile));
}

/** A dead process that nobody has collected yet is dead. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = join("/proc", String(pid), "stat");
  return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, "utf8"));
}

/** Ends the group that this process leads, so that a failed test leaves nothing behind. */
export function endGroup(place: Place, pidFile: string): void {
  try {
    process.kill(-pidIn(place, pidFile), "SIGKILL");
  } catch {
    // Gone already, as it should be.
  }
}

/** The system collects a killed process in its own time. */
export function gone(place: Place, pidFile: string): Promise<void> {
  const pid = pidIn(place, pidFile);
  return limited(`the end of process ${pid}`, (resolve) => {
    const look = (): void => {
      if (isAlive(pid)) setTimeout(look, lookAgainMs);
      else resolve();
    };
    look();
  });
}

function pidIn(place: Place, pidFile: string): number {
  const pid = Number(place.read(pidFile));
  expect(pid).toBeGreaterThan(1);
  return pid;
}
