import { readdirSync, readFileSync } from "node:fs";
import { maxForksPerMs } from "../limits.ts";

/** The first process of a run: all others are younger. */
export interface FirstProcess {
  readonly pid: number;
  /** In clock ticks since the machine started; 0: not known. */
  readonly startTicks: number;
  /** By `performance.now()`. */
  readonly startedAtMs: number;
}

/**
 * Numbers of the processes there are, but not our own; where it is certain, without those that are older than the run. Numbers
 * are given in ascending order and then from the bottom again, so that as long as they cannot have gone round once, a
 * smaller number is an older process. Most machines have hundreds of processes, and most commands take less than a second.
 */
export function listProcesses(first: FirstProcess | undefined): readonly number[] {
  const all = allProcesses();
  if (first === undefined || performance.now() - first.startedAtMs > soonestRoundMs()) return all;
  // Asked for after the list: whoever is in the list and began after a round would have moved it below the first one's.
  if (readNumber("/proc/loadavg", /(\d+)\s*$/) < first.pid) return all;
  return all.filter((pid) => pid >= first.pid);
}

function allProcesses(): readonly number[] {
  try {
    return readdirSync("/proc")
      .map(Number)
      .filter((pid) => Number.isSafeInteger(pid) && pid !== process.pid);
  } catch {
    return [];
  }
}

function soonestRoundMs(): number {
  return readNumber("/proc/sys/kernel/pid_max", /^(\d+)/) / maxForksPerMs;
}

/** 0 for what is not there. */
function readNumber(path: string, pattern: RegExp): number {
  try {
    return Number(pattern.exec(readFileSync(path, "latin1"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
