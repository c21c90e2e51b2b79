import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { pollMs, settleMs } from "../limits.ts";
import { markVariable } from "./place.ts";

/** A process that lives although the run that started it is dead. */
export interface Survivor {
  readonly pid: number;
  readonly command: string;
}

/** Waits until nothing with this mark lives; what still does when the system had time enough is reported. */
export async function findSurvivors(mark: string): Promise<readonly Survivor[]> {
  const untilMs = performance.now() + settleMs;
  let alive = marked(mark);
  while (alive.length > 0 && performance.now() < untilMs) {
    await sleep(pollMs);
    alive = marked(mark);
  }
  return alive;
}

/** Ends everything that carries the mark. */
export function endMarked(mark: string): void {
  for (const { pid } of marked(mark)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // Gone meanwhile.
    }
  }
}

function marked(mark: string): readonly Survivor[] {
  const needle = `${markVariable}=${mark}`;
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const environment = readProcess(name, "environ");
      if (!environment.split("\0").includes(needle) || isZombie(name)) return [];
      return [{ pid: Number(name), command: readProcess(name, "cmdline").replaceAll("\0", " ").trim() }];
    });
}

/** A dead process that nobody has collected yet is dead. */
function isZombie(name: string): boolean {
  return /\) Z /.test(readProcess(name, "stat"));
}

function readProcess(name: string, file: string): string {
  try {
    return readFileSync(`/proc/${name}/${file}`, "utf8");
  } catch {
    return "";
  }
}
