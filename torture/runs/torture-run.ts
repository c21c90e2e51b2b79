import type { OnUnknown } from "@capstan/protocol";
import type { SeededRandom } from "@capstan/testkit";
import { checkEvidence } from "../checker/check-evidence.ts";
import { unknownCalls } from "../checker/effects-once.ts";
import type { Evidence, Violation } from "../checker/evidence.ts";
import { type CrashPlan, describePlan, planCrash, type PlannedScript } from "../crash/crash-plan.ts";
import { maxKills, maxResumes } from "../limits.ts";
import { effectLog, type Script } from "../scripts/script.ts";
import type { TortureWire } from "../stage/wires.ts";
import { TestBed } from "./test-bed.ts";

export interface RunOptions {
  readonly entry: string;
  readonly wire: TortureWire;
  readonly script: Script;
  readonly random: SeededRandom;
  /** Of an unharmed run: its time, and its lines of stream-json. */
  readonly unharmed: { readonly durationMs: number; readonly lines: number };
  /** Kills at this line of the first process, whatever the seed says. */
  readonly point: number | undefined;
  readonly canTrace: boolean;
  readonly keep: boolean;
}

/** What became of one tortured session. */
export interface RunReport {
  readonly violations: readonly Violation[];
  /** For each kill that hit: the type of the last record in the journal. */
  readonly crashPoints: readonly string[];
  readonly unknown: number;
  readonly plan: string;
  readonly durationMs: number;
  readonly lines: number;
  /** Where the run's folder is kept. */
  readonly folder: string | null;
}

/** What is done about calls of unknown outcome, when nobody is there to be asked. */
const onUnknowns: readonly OnUnknown[] = ["tell-model", "tell-model", "fail", "rerun"];

/** Starts the script, kills it, continues until its script is played, and looks at everything that is left. */
export async function tortureRun(options: RunOptions): Promise<RunReport> {
  const { random, canTrace, point } = options;
  const first: CrashPlan =
    point === undefined ? planCrash(random, plannedScript(options), canTrace) : { type: "line", count: point };
  return playRun(options, first);
}

/** The script without a kill: the measure for the others, and the proof that they have something to lose. */
export async function unharmedRun(options: Omit<RunOptions, "unharmed" | "point" | "canTrace">): Promise<RunReport> {
  const unharmed = { durationMs: 0, lines: 0 };
  return playRun({ ...options, unharmed, canTrace: false, point: undefined }, { type: "never" });
}

async function playRun(options: RunOptions, plan: CrashPlan): Promise<RunReport> {
  const bed = await TestBed.open(options);
  const startedMs = performance.now();
  try {
    await bed.start(plan);
    const durationMs = performance.now() - startedMs;
    const stuck = await proceed(bed, options, plan.type === "never" ? null : furtherKills(options.random));
    const evidence: Evidence = await bed.evidence(stuck);
    const violations = checkEvidence(evidence);
    return {
      violations,
      crashPoints: bed.crashPoints,
      unknown: unknownCalls(evidence.journal),
      plan: describePlan(plan),
      durationMs,
      lines: bed.firstLines,
      folder: options.keep && violations.length > 0 ? bed.place.folder : null,
    };
  } finally {
    await bed.close(options.keep);
  }
}

/** @param share  a resume plays but a part of the script */
function plannedScript({ unharmed, script }: RunOptions, share = 1): PlannedScript {
  const hasEffectLog = script.effects.some(({ files }) => files.includes(effectLog));
  return { lines: Math.max(2, Math.ceil(unharmed.lines / share)), hasEffectLog };
}

function furtherKills(random: SeededRandom): number {
  return random.happens(0.35) ? 1 + random.below(maxKills - 1) : 0;
}

/** Resumes until the script is played; some resumes are killed as well, some come in twos. `kills`: `null` where none should be. */
async function proceed(bed: TestBed, options: RunOptions, kills: number | null): Promise<readonly string[]> {
  const { random, canTrace } = options;
  // A first kill that missed is made up for.
  let killsLeft = bed.crashPoints.length === 0 && kills !== null ? Math.max(1, kills) : (kills ?? 0);
  // The last word is a resume that nobody harms: whatever was done to it, the session takes one more turn.
  let isProven = false;
  for (let resumes = 0; !bed.isOver() || !isProven; resumes += 1) {
    if (resumes >= maxResumes) return [`after ${maxResumes} resumes the script is still not played`];
    isProven = false;
    if (killsLeft > 0) {
      killsLeft -= 1;
      await bed.resume(planCrash(random, plannedScript(options, 2), canTrace), "tell-model");
    } else if (random.happens(0.12)) {
      await bed.resumeTwice();
    } else {
      const problem = await bed.resume({ type: "never" }, random.pick(onUnknowns));
      if (problem !== null) return [problem];
      isProven = true;
    }
  }
  return [];
}
