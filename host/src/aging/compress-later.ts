import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "@capstan/ports";
import { AppError } from "@capstan/protocol";
import { agingDelayMs, agingPauseMs } from "../limits.ts";

const dayMs = 24 * 3_600_000;

export interface CompressLaterOptions {
  /** `null`: never. */
  readonly afterDays: number | null;
  readonly clock: Pick<Clock, "now">;
  /** Receives why it stopped, but for a database that somebody else is busy with. */
  readonly report: (error: unknown) => void;
  /** `agingDelayMs` when left out. */
  readonly delayMs?: number;
}

/** Compresses old sessions some time after the process has begun, once, a little at a time, and keeps no process alive for it. */
export function compressLater(
  database: string,
  { afterDays, clock, report, delayMs = agingDelayMs }: CompressLaterOptions,
): { stop(): void } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const begin = async (days: number): Promise<void> => {
    await sleep(delayMs, undefined, { ref: false, signal });
    await compress(database, clock.now() - days * dayMs, signal);
  };
  if (afterDays !== null) void begin(afterDays).catch(reported(signal, report));
  return { stop: () => stopping.abort() };
}

async function compress(database: string, before: number, signal: AbortSignal): Promise<void> {
  const { compressSessions } = await import("@capstan/storage");
  for (const { state } of compressSessions(database, before)) {
    // oxlint-disable-next-line no-await-in-loop -- a block, and a pause for everybody else
    await sleep(state === "more" ? agingPauseMs : 0, undefined, { ref: false, signal });
  }
}

/** What could not be done today is done by the next process. */
function reported(signal: AbortSignal, report: (error: unknown) => void): (error: unknown) => void {
  return (error) => {
    const isBusy = error instanceof AppError && error.code === "session.busy";
    if (!signal.aborted && !isBusy) report(error);
  };
}
