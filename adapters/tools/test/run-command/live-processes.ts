import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** Living processes that carry the mark of one of the runs; zombies have no environment. */
export function processesOfRuns(runIds: readonly string[]): readonly number[] {
  return processesWhere("environ", (text) => runIds.some((runId) => text.includes(`CAPSTAN_RUN=${runId}`)));
}

/** The shells that watch over the commands of a process. */
export function supervisorsOf(pid: number): readonly number[] {
  return processesWhere("cmdline", (text) => text.split("\0").includes(`capstan-supervisor-of-${pid}`));
}

/** Looks until there is nothing to be found any more. @returns what is still there after a generous bound */
export async function untilGone(find: () => readonly number[]): Promise<readonly number[]> {
  for (const deadline = performance.now() + 20_000; ;) {
    const found = find();
    if (found.length === 0 || performance.now() > deadline) return found;
    await delay(10);
  }
}

/** Looks until there is something. */
export async function untilThere(find: () => readonly number[]): Promise<readonly number[]> {
  for (const deadline = performance.now() + 20_000; ;) {
    const found = find();
    if (found.length > 0 || performance.now() > deadline) return found;
    await delay(10);
  }
}

function processesWhere(file: "environ" | "cmdline", holds: (text: string) => boolean): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => holds(readProcess(name, file)))
    .map(Number);
}

function readProcess(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}
