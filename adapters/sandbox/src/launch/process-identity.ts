import { readFileSync, readlinkSync } from "node:fs";

/** One process, distinguished from others that had or will have its number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks from the machine's start to its own. */
  readonly startTicks: number;
  /** The number of the process namespace: in another one, numbers mean other processes. */
  readonly namespace: string;
}

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, startTicks: startTicksOf("self") ?? 0, namespace: processNamespace("self") ?? "0" };
}

/** @returns `unknown` for a process of another namespace */
export function stateOf({ pid, startTicks, namespace }: ProcessIdentity): "alive" | "gone" | "unknown" {
  if (processNamespace("self") !== namespace) return "unknown";
  return startTicksOf(pid) === startTicks ? "alive" : "gone";
}

/** @returns `undefined` when there is none, or it has ended and waits to be noticed */
export function startTicksOf(pid: number | "self"): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name, in parentheses, may hold anything; the state, third field of proc(5), follows it.
    const fields = text.slice(text.lastIndexOf(") ") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? undefined : Number(fields[startTimeField - 3]);
  } catch {
    return undefined;
  }
}

/** @returns its number; `undefined` when it is gone or not ours */
export function processNamespace(pid: number | "self"): string | undefined {
  try {
    return /\d+/.exec(readlinkSync(`/proc/${pid}/ns/pid`))?.[0];
  } catch {
    return undefined;
  }
}

/** Numbered from 1, as in proc(5). */
const startTimeField = 22;
