import { runSchedules, type ScheduleReport, type SimulationReport } from "@capstan/testkit";
import { distributionText } from "./report/report-text.ts";

/** Plays so many schedules of the simulation and prints what came of them. @returns the exit code */
export async function simulate(schedules: number, seed: number): Promise<number> {
  const startedMs = performance.now();
  const report = await runSchedules({ schedules, seed });
  process.stdout.write(`${simulationText(report, seed, (performance.now() - startedMs) / 1000)}\n`);
  return report.failures === 0 ? 0 : 1;
}

function simulationText(report: SimulationReport, seed: number, seconds: number): string {
  const { schedules, records, failures, crashPoints } = report;
  const kills = crashPoints.reduce((total, [, count]) => total + count, 0);
  return [
    `What happened × the last record, at each of ${kills} kills:`,
    distributionText(crashPoints),
    "",
    ...report.shown.map((failed) => failureText(failed)),
    `${schedules} schedules from seed ${seed}, ${records} records, ${Math.round(schedules / seconds)} schedules/s: ${failures} violations`,
  ].join("\n");
}

function failureText({ seed, steps, violations }: ScheduleReport): string {
  const reported = violations.slice(0, shownSentences).map((text) => `  ${text.slice(0, sentenceCharacters)}`);
  return [`broken (${steps} steps), again with npm run simulate -- --seed ${seed} --schedules 1:`, ...reported].join(
    "\n",
  );
}

const shownSentences = 4;
const sentenceCharacters = 300;
