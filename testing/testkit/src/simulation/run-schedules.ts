import { keptFailures } from "./limits.ts";
import { playSchedule, type ScheduleReport } from "./play-schedule.ts";
import type { Sabotage } from "./sabotage.ts";

export interface SimulationOptions {
  readonly schedules: number;
  /** Of the first schedule; the others count on from it. */
  readonly seed: number;
  readonly sabotage?: Sabotage;
  /** Ends at the first violation. */
  readonly stopAtFailure?: boolean;
}

export interface SimulationReport {
  readonly schedules: number;
  readonly records: number;
  /** How often it was killed where: operation × last record; most frequent first. */
  readonly crashPoints: readonly (readonly [string, number])[];
  /** Schedules that broke something. */
  readonly failures: number;
  /** The first of them, each with as few steps as it takes. */
  readonly shown: readonly ScheduleReport[];
}

/** Plays many schedules, one after the other. */
export async function runSchedules(options: SimulationOptions): Promise<SimulationReport> {
  const { schedules, seed, sabotage = {}, stopAtFailure = false } = options;
  const points = new Map<string, number>();
  const shown: ScheduleReport[] = [];
  let [failures, records, played] = [0, 0, 0];
  const enough = stopAtFailure ? 1 : schedules;
  while (played < schedules && failures < enough) {
    const report = await playSchedule({ seed: seed + played, sabotage });
    played += 1;
    records += report.records;
    for (const point of report.crashPoints) points.set(point, (points.get(point) ?? 0) + 1);
    if (report.violations.length === 0) continue;
    failures += 1;
    if (shown.length < keptFailures) shown.push(await shrink(report, sabotage));
  }
  const crashPoints = [...points].toSorted(([, a], [, b]) => b - a);
  return { schedules: played, records, crashPoints, failures, shown };
}

/** The same seed, broken off as early as it still fails: halving, since a shorter schedule need not fail where a longer does. */
async function shrink(report: ScheduleReport, sabotage: Sabotage): Promise<ScheduleReport> {
  let smallest = report;
  let tooFew = 0;
  while (smallest.steps - tooFew > 1) {
    const steps = Math.floor((smallest.steps + tooFew) / 2);
    const shorter = await playSchedule({ seed: report.seed, steps, sabotage });
    if (shorter.violations.length > 0) smallest = shorter;
    else tooFew = steps;
  }
  return smallest;
}
