import { closeSync, openSync, readSync } from "node:fs";
import type { FoundProcess } from "./found-process.ts";
import { errorCode } from "../../paths/error-code.ts";
import { maxEnvironmentBytes } from "../limits.ts";
import { type FirstProcess, listProcesses } from "./list-processes.ts";
import { type ProcessStat, readProcessStat } from "./process-stat.ts";
import { markOf } from "./run-mark.ts";
import { signalGroup } from "./signal-processes.ts";

/** What distinguishes the processes of one run from all others. */
export interface ProcessTraits {
  /** The process group, where it is certain that the number still means that group. */
  readonly group: number | undefined;
  /** The mark in their environment. */
  readonly runId: string | undefined;
  /** What is older than it is none of them. `undefined`: not known. */
  readonly first: FirstProcess | undefined;
  /** The group's leader only carries the others: asked to end, it would take them with it before they could receive of it. */
  readonly leaderIsCarrier?: boolean;
}

/** One look at all processes. */
export interface ProcessScan {
  /** Living processes with one of the traits. Never this one. */
  readonly found: readonly FoundProcess[];
  /** The group has living members, so that its number is still in use for it. Where there is no /proc: it has any. */
  readonly groupIsAlive: boolean;
  /** A process ended while we looked: it may have left a child that we did not see. */
  readonly vanished: boolean;
  /** Those without an environment, and whether they live: one in the middle of `exec` has none for a moment, one that has just ended has none any more. */
  readonly unclear: ReadonlyMap<string, boolean>;
}

/**
 * Looks at every process that can be one of the run's, once. Reading on the spot takes some 15 µs for each, a tenth of the
 * way through the thread pool. Without /proc nothing is found.
 */
export function scanProcesses({ group, runId, first }: ProcessTraits): ProcessScan {
  const existing = group !== undefined && signalGroup(group, 0) ? group : undefined;
  const processes = runId === undefined && existing === undefined ? [] : listProcesses(first);
  const found: FoundProcess[] = [];
  const unclear = new Map<string, boolean>();
  const scan = { found, unclear, vanished: false, groupIsAlive: existing !== undefined && processes.length === 0 };
  const readMark = markReader(runId);
  for (const pid of processes) {
    const mark = readMark(pid);
    if (mark === "other" && existing === undefined) continue;
    const stat = mark === "vanished" ? undefined : readProcessStat(pid);
    if (stat === undefined) {
      scan.vanished = true;
      continue;
    }
    const kinship = kinshipOf(stat, mark, existing, first);
    if (kinship === "member") scan.groupIsAlive = true;
    if (kinship === "member" || kinship === "marked") found.push({ pid, startTicks: stat.startTicks });
    if (kinship === "unclear") unclear.set(`${pid}:${stat.startTicks}`, stat.isAlive);
  }
  return scan;
}

function kinshipOf(
  { isAlive, group, isKernelThread, startTicks }: ProcessStat,
  mark: MarkFound,
  runGroup: number | undefined,
  first: FirstProcess | undefined,
): "member" | "marked" | "unclear" | "none" {
  if (isAlive && group === runGroup) return "member";
  if (isAlive && mark === "marked") return "marked";
  return mark === "empty" && !isKernelThread && startTicks >= (first?.startTicks ?? 0) ? "unclear" : "none";
}

/** `other`: it has another environment, or one that we may not read. */
type MarkFound = "marked" | "other" | "empty" | "vanished";

function markReader(runId: string | undefined): (pid: number) => MarkFound {
  if (runId === undefined) return () => "other";
  const mark = Buffer.from(markOf(runId));
  const buffer = Buffer.allocUnsafe(maxEnvironmentBytes);
  return (pid) => {
    let descriptor: number | undefined;
    try {
      descriptor = openSync(`/proc/${pid}/environ`, "r");
      const length = readSync(descriptor, buffer);
      if (length === 0) return "empty";
      return buffer.subarray(0, length).includes(mark) ? "marked" : "other";
    } catch (error) {
      return withoutEnvironment[errorCode(error) ?? ""] ?? "vanished";
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
  };
}

/** Older kernels show those that have none (kernel threads, zombies) as an empty file. */
const withoutEnvironment: Readonly<Record<string, MarkFound>> = { EACCES: "other", EPERM: "other", ESRCH: "empty" };
