import { setTimeout as delay } from "node:timers/promises";
import {
  exitAfterKillMs,
  groupGoneMs,
  groupPollMs,
  killDelayMs,
  maxAsked,
  maxUncertainLooks,
  promptUncertainLooks,
  startingMs,
  stopPollMs,
  uncertainPauseMs,
} from "../limits.ts";
import { type ProcessScan, type ProcessTraits, scanProcesses } from "./scan-processes.ts";
import { signalGroup, signalProcess } from "./signal-processes.ts";

/** What was found of a run, and whether all of it is gone. */
export interface EndedProcesses {
  readonly found: boolean;
  readonly gone: boolean;
}

/**
 * Kills what there is of a run, again and again until a look finds nothing; bounded. On a machine where processes end all
 * the time, no look is certain: a few must do.
 */
export async function killProcesses(traits: ProcessTraits): Promise<EndedProcesses> {
  const startedAt = performance.now();
  let found = false;
  let uncertainLooks = 0;
  let known: ProcessScan["unclear"] = new Map();
  const seenAt = new Map<string, number>();
  for (;;) {
    const scan = scanProcesses(traits);
    if (isAnyLeft(scan)) {
      found = true;
      uncertainLooks = 0;
      signalAll(traits, scan, "SIGKILL");
    } else if ((isCertain(scan, known) && !isStarting(scan, seenAt)) || ++uncertainLooks >= maxUncertainLooks) {
      return { found, gone: true };
    }
    if (performance.now() - startedAt >= groupGoneMs) return { found, gone: false };
    known = scan.unclear;
    if (isAnyLeft(scan) || known.size > 0) await delay(groupPollMs);
    else if (uncertainLooks >= promptUncertainLooks) await delay(uncertainPauseMs);
  }
}

/**
 * Asks everything of a run to end; after `killDelayMs`, or when nothing is left, it returns. A stopped process is woken,
 * since it could not receive it otherwise.
 * @param exited  resolves when the first process is gone; `undefined` where that is not ours to know
 */
export async function askProcesses(traits: ProcessTraits, exited?: Promise<unknown>): Promise<void> {
  const deadline = performance.now() + killDelayMs;
  const scan = scanProcesses(traits);
  // Nobody asks a fork bomb: who carries it ends it at once.
  if (traits.leaderIsCarrier === true && scan.found.length > maxAsked) return;
  askAll(traits, scan);
  if (exited !== undefined && !(await endsWithin(exited, killDelayMs))) return;
  while (performance.now() < deadline) {
    if (!isAnyLeft(scanProcesses(traits))) return;
    await delay(stopPollMs);
  }
}

/** Asks a program and all it started to end, then makes them. What is left afterwards is for `killProcesses`. */
export async function stopProcesses(traits: ProcessTraits, exited: Promise<unknown>): Promise<void> {
  await askProcesses(traits, exited);
  signalAll(traits, scanProcesses(traits), "SIGKILL");
  await endsWithin(exited, exitAfterKillMs);
}

function isAnyLeft({ found, groupIsAlive }: ProcessScan): boolean {
  return groupIsAlive || found.length > 0;
}

/** Nothing could have hidden from that look. What is still without an environment at the second look has chosen so. */
function isCertain({ vanished, unclear }: ProcessScan, known: ProcessScan["unclear"]): boolean {
  return !vanished && [...unclear.keys()].every((name) => known.has(name));
}

/** Whether a living one without an environment was first seen a moment ago: on a busy machine `exec` takes longer than from one look to the next. */
function isStarting({ unclear }: ProcessScan, seenAt: Map<string, number>): boolean {
  const now = performance.now();
  const starting = [...unclear].flatMap(([name, isAlive]) => (isAlive ? [name] : []));
  for (const name of starting) if (!seenAt.has(name)) seenAt.set(name, now);
  return starting.some((name) => now - (seenAt.get(name) ?? now) < startingMs);
}

/** First asked to end, then woken. */
function askAll({ group, leaderIsCarrier }: ProcessTraits, scan: ProcessScan): void {
  const found = scan.found.filter(({ pid }) => leaderIsCarrier !== true || pid !== group);
  for (const signal of ["SIGTERM", "SIGCONT"] as const) {
    signalAll({ group: leaderIsCarrier === true ? undefined : group }, { ...scan, found }, signal);
  }
}

/** The group at once, so that none of it can react to the end of another; then those that left it. */
function signalAll({ group }: Pick<ProcessTraits, "group">, scan: ProcessScan, signal: NodeJS.Signals): void {
  if (group !== undefined && scan.groupIsAlive) signalGroup(group, signal);
  for (const one of scan.found) signalProcess(one, signal);
}

async function endsWithin(exited: Promise<unknown>, limitMs: number): Promise<boolean> {
  const waiting = new AbortController();
  try {
    const late = delay(limitMs, false, { signal: waiting.signal }).catch(() => false);
    return await Promise.race([exited.then(() => true), late]);
  } finally {
    waiting.abort();
  }
}
