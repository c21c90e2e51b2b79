import {
  dataDirectory,
  SessionArchive,
  systemChance,
  systemClock,
  checkInstallation,
  checkSession,
  openSessions,
  type DatabaseRepair,
  type Repair,
  repairDatabase,
  repairSession,
  sessionStatistics,
} from "@capstan/host";
import { AppError, type Check } from "@capstan/protocol";
import { inertLine } from "@capstan/view";
import { type SettingsFlags, settingsFromFlags } from "../command-line/settings-flags.ts";
import { version } from "../version.ts";
import { systemReport } from "../support/report.ts";
import { statisticsTable } from "./statistics-table.ts";

const lineCharacters = 4000;
const marks: Readonly<Record<Check["verdict"], string>> = { good: "✓", bad: "✗", note: "·" };

export interface DoctorFlags extends SettingsFlags {
  readonly repair?: boolean;
  readonly statistics?: boolean;
  readonly report?: boolean;
  readonly json?: boolean;
}

/** `capstan doctor [SESSION]`: the installation, or one session. Exit code 0: healthy, 1: something is wrong. */
export async function doctor(idOrPrefix: string | undefined, flags: DoctorFlags): Promise<number> {
  if (flags.report === true) return await printReport(idOrPrefix, flags);
  if (flags.statistics === true) return await doctorStatistics(idOrPrefix, flags);
  if (idOrPrefix !== undefined) return await doctorSession(idOrPrefix, flags);
  if (flags.repair === true) return await doctorDatabase(flags);
  const checks = await checkInstallation(process.env, () => settingsFromFlags(flags));
  return printChecks(checks, undefined, flags);
}

async function printReport(session: string | undefined, flags: DoctorFlags): Promise<number> {
  if (session !== undefined || flags.repair === true || flags.statistics === true || flags.json === true)
    throw new AppError("usage.invalid", "--report is about the installation, and for people to read", {
      hint: "Give it alone: `capstan doctor --report`",
    });
  print(await systemReport(flags));
  return 0;
}

async function doctorStatistics(idOrPrefix: string | undefined, { repair, json }: DoctorFlags): Promise<number> {
  if (repair === true)
    throw new AppError("usage.invalid", "--statistics only counts, and --repair changes the database", {
      hint: "Give one of them; repair first, then count.",
    });
  const report = await sessionStatistics(dataDirectory(process.env), idOrPrefix);
  print(json === true ? JSON.stringify(report) : statisticsTable(report));
  return 0;
}

async function doctorDatabase({ json }: DoctorFlags): Promise<number> {
  const repair = await repairDatabase(dataDirectory(process.env), { clock: systemClock, chance: systemChance });
  if (json === true) print(JSON.stringify({ healthy: true, checks: [], ...(repair === null ? {} : { repair }) }));
  else for (const line of databaseLines(repair)) print(inertLine(line, lineCharacters));
  return 0;
}

function databaseLines(repair: DatabaseRepair | null): readonly string[] {
  if (repair === null) return ["The database is whole: nothing was repaired."];
  const { backup, sessions } = repair;
  const lines = sessions.map(({ id, records, gaps }) => {
    const lost = gaps.length === 0 ? "all of what is there is whole" : `records are missing after ${gaps.join(", ")}`;
    return `Session ${id}: ${records} records saved; ${lost}.`;
  });
  return [`The damaged database was copied to ${backup}.`, ...lines, "Look at a session with: capstan doctor ID"];
}

async function doctorSession(idOrPrefix: string, flags: DoctorFlags): Promise<number> {
  const { store, data } = await openSessions(dataDirectory(process.env));
  try {
    const id = await new SessionArchive(store).resolve(idOrPrefix);
    const checks = await checkSession(store, id);
    if (flags.repair !== true) return printChecks(checks, undefined, flags);
    if (checks.every((check) => check.verdict !== "bad")) {
      process.stderr.write(`Session ${id} is healthy: nothing was repaired.\n`);
      return printChecks(checks, undefined, flags);
    }
    const repair = await repairSession({ store, data }, id, { clock: systemClock, chance: systemChance, version });
    const code = printChecks(checks, repair, flags);
    if (flags.json !== true) for (const line of repairLines(repair)) print(inertLine(line, lineCharacters));
    return code;
  } finally {
    await store.close();
  }
}

function printChecks(checks: readonly Check[], repair: Repair | undefined, { json }: DoctorFlags): number {
  const isHealthy = checks.every((check) => check.verdict !== "bad");
  if (json === true) print(JSON.stringify({ healthy: isHealthy, checks, ...(repair === undefined ? {} : { repair }) }));
  else for (const check of checks) for (const line of linesOf(check)) print(line);
  // A repair leaves a healthy session behind, and the damaged one as it was.
  return isHealthy || repair !== undefined ? 0 : 1;
}

function linesOf({ name, verdict, text, advice }: Check): readonly string[] {
  const line = `${marks[verdict]} ${name}: ${inertLine(text, lineCharacters)}`;
  return advice === undefined ? [line] : [line, `    ${inertLine(advice, lineCharacters)}`];
}

function repairLines({ sessionId, backup, keptRecords, problem }: Repair): readonly string[] {
  const why = problem === null ? "" : ` It ends where the damage begins: ${problem}.`;
  return [
    `The database was copied to ${backup}. The damaged session stays as it is.`,
    `The new session ${sessionId} holds the ${keptRecords} records that can be trusted.${why}`,
    `Resume with: capstan run --resume ${sessionId} "…"`,
  ];
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
