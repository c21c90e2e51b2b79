/**
 * `npm run torture`: scripted turns of the real binary, killed at random and at enumerated instants, resumed, and checked:
 * nothing shown is lost, no effect is doubled, no session is bricked. See `options.ts` for the flags. Exit code 1 on any
 * violation; each failing run prints the command line that repeats it.
 */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildBundle } from "../scripts/bundle/build-bundle.ts";
import { canTrace } from "./crash/can-trace.ts";
import { type FaultReport, tortureStorage } from "./faults/storage-faults.ts";
import { shownViolations } from "./limits.ts";
import { readOptions, type TortureOptions, usage } from "./options.ts";
import { crashDistribution, distributionText, reportRows, tableText } from "./report/report-text.ts";
import { simulate } from "./simulate.ts";
import { type NumberedReport, tortureWire } from "./runs/torture-wires.ts";

if (process.argv.includes("--help")) {
  process.stdout.write(usage);
  process.exit(0);
}

const options = readOptions(process.argv.slice(2));
const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "capstan-torture-bundle-"));
try {
  const { simulate: schedules, seed } = options;
  process.exitCode = await (schedules === undefined ? tortureProcesses(options) : simulate(schedules, seed));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function tortureProcesses(asked: TortureOptions): Promise<number> {
  if (!canTrace()) print("strace is not here or may not inject signals: no kills between system calls");
  const entry = await bundledEntry();
  const reports = await tortureWire(asked, entry, (report) => printFailure(asked, report));
  const rows = reportRows(reports);
  const points = crashDistribution(reports.flatMap(({ crashPoints }) => crashPoints));
  print(`${tableText(rows)}\n\nThe last record before each kill:\n${distributionText(points)}\n\nseed ${asked.seed}`);
  const faults = asked.faults ? await tortureDisks(asked, entry) : [];
  const failed = reports.filter((report) => violationsOf(asked, report).length > 0);
  if (asked.json !== undefined)
    writeFileSync(
      asked.json,
      `${JSON.stringify({ seed: asked.seed, rows, crashPoints: points, faults, reports }, null, 2)}\n`,
    );
  print(failed.length === 0 ? "Nothing slipped." : `${failed.length} of ${reports.length} runs broke a promise.`);
  return failed.length === 0 && faults.every(({ violations }) => violations.length === 0) ? 0 : 1;
}

/** Storage faults, each at several moments, one wire after the other's turn. */
async function tortureDisks(asked: TortureOptions, entry: string): Promise<readonly FaultReport[]> {
  const [wire = "anthropic"] = asked.wires;
  const reports = await tortureStorage(entry, wire, asked.seed);
  for (const { fault, line, skipped, reported, violations } of reports) {
    print(`${fault}, from line ${line} on: ${skipped === null ? reported.trim() : `skipped, ${skipped}`}`);
    for (const { kind, text } of violations.slice(0, shownViolations)) print(`  ${kind}: ${text}`);
  }
  return reports;
}

/** Bundles the binary as a release does, beside the packages that are not bundled. */
async function bundledEntry(): Promise<string> {
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return (await buildBundle(root, join(folder, "dist"))).entry;
}

function violationsOf({ allowed }: TortureOptions, { violations }: NumberedReport): NumberedReport["violations"] {
  return violations.filter(({ kind }) => !allowed.includes(kind));
}

function printFailure(asked: TortureOptions, report: NumberedReport): void {
  const violations = violationsOf(asked, report);
  if (violations.length === 0) return;
  const { wire, scenario, run, plan, folder: kept } = report;
  const one = asked.scenarios.length === 1 ? ` --scenario ${scenario}` : "";
  const point = asked.point === undefined ? "" : ` --point ${asked.point}`;
  const again = `npm run torture -- --seed ${asked.seed} --run ${run} --wire ${wire}${one}${point} --keep`;
  const shown = violations.slice(0, shownViolations).map(({ kind, text }) => `  ${kind}: ${text}`);
  print([`${wire}, ${scenario}, killed ${plan}:`, ...shown, `  again: ${again}`].join("\n"));
  if (kept !== null) print(`  kept: ${kept}`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
