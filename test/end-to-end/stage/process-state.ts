import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { expect } from "vitest";
import { limited, type Place } from "./place.ts";

/** Nothing announces the end of a process that is not ours: it is looked for. */
const lookAgainMs = 20;

/** Whether the process lives whose id a command wrote into this file of the workspace. */
export function isRunning(place: Place, pidFile: string): boolean {
  return findProcess(place, pidFile) !== undefined;
}

/** Ends the process, so that a failed test leaves nothing behind. */
export function endProcess(place: Place, pidFile: string): void {
  const pid = findProcess(place, pidFile);
  if (pid !== undefined) process.kill(pid, "SIGKILL");
}

/** The system collects a killed process in its own time. */
export function gone(place: Place, pidFile: string): Promise<void> {
  return limited(`the end of the process in ${pidFile}`, (resolve) => {
    const look = (): void => {
      if (isRunning(place, pidFile)) setTimeout(look, lookAgainMs);
      else resolve();
    };
    look();
  });
}

/**
 * The process that works in this workspace and calls itself by the number in the file: in a sandbox, processes have numbers of their
 * own. A dead process that nobody has collected yet is dead.
 */
function findProcess(place: Place, pidFile: string): number | undefined {
  const own = place.read(pidFile).trim();
  expect(Number(own)).toBeGreaterThan(1);
  const name = readdirSync("/proc").find((each) => /^\d+$/.test(each) && isIt(each, own, place.workspace));
  return name === undefined ? undefined : Number(name);
}

function isIt(name: string, own: string, workspace: string): boolean {
  try {
    const status = readFileSync(`/proc/${name}/status`, "utf8");
    const numbers = /^NSpid:\s*(.*)$/m.exec(status)?.[1]?.split(/\s+/) ?? [name];
    return numbers.at(-1) === own && !/^State:\s*[ZX]/m.test(status) && readlinkSync(`/proc/${name}/cwd`) === workspace;
  } catch {
    return false;
  }
}
