import { SeededRandom } from "@capstan/testkit";
import type { Violation } from "../checker/evidence.ts";
import { canTrace } from "../crash/can-trace.ts";
import type { TortureOptions } from "../options.ts";
import { makeScript } from "../scripts/all-scripts.ts";
import { type TortureWire, tortureWires } from "../stage/wires.ts";
import { type RunReport, tortureRun, unharmedRun } from "./torture-run.ts";

/** A run with its place in the plan. */
export interface NumberedReport extends RunReport {
  readonly wire: TortureWire;
  readonly scenario: string;
  readonly run: number;
}

export type RunsOptions = Pick<TortureOptions, "runs" | "seed" | "run" | "wires" | "scenarios" | "point" | "keep">;

/** Workers: two cores are what a developer's machine can spare. */
const workers = 2;

/** Every run of every wire. @param notify  called with each when it has ended */
export async function tortureWire(
  options: RunsOptions,
  entry: string,
  notify: (report: NumberedReport) => void,
): Promise<readonly NumberedReport[]> {
  const unharmed = new Map<string, Promise<RunReport>>();
  const jobs = options.wires.flatMap((wire) => numbersOf(options).map((run) => ({ wire, run })));
  const reports: NumberedReport[] = [];
  let next = 0;
  async function work(): Promise<void> {
    for (let job = jobs[next]; job !== undefined; job = jobs[next]) {
      next += 1;
      const report = await oneRun(job.wire, job.run);
      reports.push(report);
      notify(report);
    }
  }
  async function oneRun(wire: TortureWire, run: number): Promise<NumberedReport> {
    const random = SeededRandom.of(options.seed, run * tortureWires.length + tortureWires.indexOf(wire));
    const scenario = options.scenarios[run % options.scenarios.length] ?? "text";
    const { keep, point } = options;
    // Over the first wire that comes to it: the others take about as long.
    const measure = await kept(unharmed, scenario, async () => {
      const own = SeededRandom.of(options.seed, -1);
      return unharmedRun({ entry, wire, script: makeScript(scenario, own), random: own, keep });
    });
    const script = makeScript(scenario, random);
    const report = await tortureRun({
      entry,
      wire,
      script,
      random,
      unharmed: measure,
      point,
      canTrace: canTrace(),
      keep,
    });
    return { ...withControl(report, measure), wire, scenario, run };
  }
  await Promise.all(Array.from({ length: workers }, () => work()));
  return reports.toSorted((a, b) => options.wires.indexOf(a.wire) - options.wires.indexOf(b.wire) || a.run - b.run);
}

function numbersOf({ run, runs }: RunsOptions): readonly number[] {
  return run === undefined ? Array.from({ length: runs }, (_, index) => index) : [run];
}

/** A script that fails unharmed makes each run of it fail: it proves nothing. */
function withControl(report: RunReport, unharmed: RunReport): RunReport {
  const without = unharmed.violations.map(({ kind, text }): Violation => ({ kind, text: `without a kill: ${text}` }));
  return { ...report, violations: [...without, ...report.violations] };
}

async function kept<Value>(
  cache: Map<string, Promise<Value>>,
  key: string,
  make: () => Promise<Value>,
): Promise<Value> {
  const known = cache.get(key) ?? make();
  cache.set(key, known);
  return known;
}
