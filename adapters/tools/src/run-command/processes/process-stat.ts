import { readFileSync } from "node:fs";

/** What the kernel says of a process, and we need to distinguish it from others. */
export interface ProcessStat {
  /** Zombies and what is being removed are not alive: nothing can be done with them, and nothing done by them. */
  readonly isAlive: boolean;
  readonly group: number;
  /** Clock ticks since the machine started. With the number it names one process: numbers are used again. */
  readonly startTicks: number;
  /** Kernel threads have no environment. */
  readonly isKernelThread: boolean;
}

/** @returns `undefined` when there is no such process, or no /proc */
export function readProcessStat(pid: number): ProcessStat | undefined {
  const text = readStat(pid);
  // The name, in parentheses, may hold anything; the third field of proc(5), the state, follows it.
  const fields = text.slice(text.lastIndexOf(") ") + 2).split(" ");
  const [state = "", , group = ""] = fields;
  const startTicks = Number(fields[startTimeField - 3]);
  if (state === "" || group === "" || !Number.isSafeInteger(startTicks)) return undefined;
  return {
    isAlive: state !== "Z" && state !== "X",
    group: Number(group),
    startTicks,
    isKernelThread: (Number(fields[flagsField - 3]) & kernelThreadFlag) !== 0,
  };
}

/** Numbered from 1, as in proc(5). */
const flagsField = 9;
const startTimeField = 22;
/** `PF_KTHREAD` of the kernel. */
const kernelThreadFlag = 0x200000;

function readStat(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return "";
  }
}
