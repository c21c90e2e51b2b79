import type { FoundProcess } from "./found-process.ts";
import { readProcessStat } from "./process-stat.ts";

/** @returns whether there was anyone left to receive the signal */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  return send(-leader, signal);
}

/** Signals this very process, not one that has its number by now. */
export function signalProcess({ pid, startTicks }: FoundProcess, signal: NodeJS.Signals): void {
  if (readProcessStat(pid)?.startTicks === startTicks) send(pid, signal);
}

function send(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch {
    return false;
  }
}
