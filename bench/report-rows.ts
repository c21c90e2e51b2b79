import {
  commandsRun,
  crowd,
  decidedRules,
  earlyTurn,
  filesOfLargeWorkspace,
  lateTurn,
  openedRecords,
  parallelCalls,
  serversBeside,
  streamBytes,
  targets,
} from "./limits.ts";
import type { ServersMeasurement } from "./servers/measure-servers.ts";
import type { Measurements, Pair, WireMeasurements } from "./measurements.ts";
import type { ManyFilesMeasurements } from "./many-files/measure-many-files.ts";
import type { ParsingMeasurements } from "./parsing.ts";

/** One line of the report. */
export interface ReportRow {
  readonly what: string;
  readonly capstan: string;
  readonly bare: string;
  /** What the target is about. */
  readonly result: string;
  readonly target: string;
  readonly met: "yes" | "NO" | "–";
}

export function reportRows(measured: Measurements): readonly ReportRow[] {
  const growth = ratio(measured.lateTurnMs) / ratio(measured.earlyTurnMs);
  return [
    ratioRow("start-up: `version` against `node -e 0`", measured.startUpMs, targets.startUp),
    ratioRow("time to first request", measured.firstRequestMs, targets.firstRequest),
    ratioRow(`a tool turn, at turn ${earlyTurn}`, measured.earlyTurnMs, targets.toolTurn),
    ratioRow(`a tool turn, at turn ${lateTurn}`, measured.lateTurnMs, undefined),
    judged(
      {
        what: `overhead at turn ${lateTurn} against turn ${earlyTurn}`,
        capstan: "",
        bare: "",
        result: times(growth),
        target: `≤ ${targets.lateTurnGrowth} ×`,
      },
      growth <= targets.lateTurnGrowth,
    ),
    ratioRow(`CPU of a ${streamBytes / 1_000_000} MB answer`, measured.streamCpuMs, targets.stream),
    ratioRow(`${parallelCalls} reads in one answer`, measured.parallelReadsMs, targets.parallelReads),
    ratioRow(`a run of ${commandsRun} commands, in the sandbox`, measured.commandsMs, targets.commands),
    memoryRow(`peak memory, ${streamBytes / 1_000_000} MB answer`, measured.streamMemoryMb),
    memoryRow(`peak memory, ${lateTurn} turns`, measured.longRunMemoryMb),
    judged(
      {
        what: "size of the first request, all tools",
        capstan: `${measured.firstRequestBytes.capstan} B`,
        bare: "",
        result: `${(measured.firstRequestBytes.capstan / 1024).toFixed(1)} KB`,
        target: `≤ ${targets.requestBytes / 1024} KB`,
      },
      measured.firstRequestBytes.capstan <= targets.requestBytes,
    ),
  ];
}

/** Rows of a wire beside the one that everything is measured on. */
export function wireRows(name: string, measured: WireMeasurements): readonly ReportRow[] {
  return [
    ratioRow(`${name}: a tool turn, at turn ${earlyTurn}`, measured.earlyTurnMs, targets.toolTurn),
    ratioRow(`${name}: CPU of a ${streamBytes / 1_000_000} MB answer`, measured.streamCpuMs, targets.stream),
  ];
}

export function parsingRows(name: string, measured: ParsingMeasurements): readonly ReportRow[] {
  const what = `${name}: parsing, CPU`;
  return [
    ratioRow(`${what} over loopback against eventsource-parser`, measured.loopback, targets.parsing),
    ratioRow(`${what} over loopback, against that and JSON.parse`, measured.loopbackJson, undefined),
    ratioRow(`${what} from memory`, measured.memory, undefined),
    ratioRow(`${what} from memory, against that and JSON.parse`, measured.memoryJson, undefined),
  ];
}

export function openingRow(opening: Pair): ReportRow {
  const what = `a session of ${openedRecords} records opens, against reading its records`;
  const row = { what, capstan: ms(opening.capstan), bare: ms(opening.bare), result: times(ratio(opening)) };
  return judged({ ...row, target: `≤ ${targets.openingMs} ms` }, opening.capstan <= targets.openingMs);
}

export function sandboxRow(spawned: Pair): ReportRow {
  const row = {
    what: "a command in the sandbox against one outside",
    capstan: ms(spawned.capstan),
    bare: ms(spawned.bare),
  };
  const addedMs = spawned.capstan - spawned.bare;
  return judged(
    { ...row, result: times(ratio(spawned)), target: `≤ ${targets.sandboxMs} ms more` },
    addedMs <= targets.sandboxMs,
  );
}

export function serversRow({ withServersMs, withoutMs }: ServersMeasurement): ReportRow {
  const addedMs = withServersMs - withoutMs;
  const what = `first request with ${serversBeside} MCP servers, against none`;
  const row = { what, capstan: ms(withServersMs), bare: ms(withoutMs), result: `${addedMs.toFixed(0)} ms more` };
  return judged({ ...row, target: `≤ ${targets.serversMs} ms more` }, addedMs <= targets.serversMs);
}

export function fileWalkRow(walk: Pair): ReportRow {
  return ratioRow("`read_file`, checks and descriptors, against opening a name", walk, undefined);
}

export function decidingRow(decidingMs: number): ReportRow {
  const what = `a decision about a command under ${decidedRules} rules`;
  const row = { what, capstan: ms(decidingMs), bare: "", result: `${decidingMs.toFixed(3)} ms` };
  return judged({ ...row, target: `≤ ${targets.decidingMs} ms` }, decidingMs <= targets.decidingMs);
}

export function manyFilesRows({ firstMs, laterMs }: ManyFilesMeasurements): readonly ReportRow[] {
  const where = `in a workspace of ${filesOfLargeWorkspace} files`;
  const rowOf = (what: string, value: number, target: number): ReportRow => {
    const row = { what: `${what} ${where}`, capstan: ms(value), bare: "", result: ms(value) };
    return judged({ ...row, target: `≤ ${target} ms` }, value <= target);
  };
  return [
    rowOf("the first command", firstMs, targets.firstCommandMs),
    rowOf("a later command", laterMs, targets.laterCommandMs),
  ];
}

/** @param p99  milliseconds */
export function crowdRow({ p99 }: { readonly p99: number }): ReportRow {
  const what = `${crowd.clients} clients of one session: live delay, p99`;
  const row = { what, capstan: ms(p99), bare: "", result: ms(p99) };
  return judged({ ...row, target: `≤ ${targets.liveDelayMs} ms` }, p99 <= targets.liveDelayMs);
}

export function cancelRow(name: string, cancelMs: number): ReportRow {
  const row = { what: `${name}: cancel to closed socket`, capstan: ms(cancelMs), bare: "", result: ms(cancelMs) };
  return judged({ ...row, target: `≤ ${targets.cancelMs} ms` }, cancelMs <= targets.cancelMs);
}

/** The rows under their heads, in columns. */
export function tableText(rows: readonly ReportRow[]): string {
  const heads: ReportRow = { what: "", capstan: "capstan", bare: "bare", result: "result", target: "target", met: "–" };
  const columns = ["what", "capstan", "bare", "result", "target"] as const;
  const widths = columns.map((column) => Math.max(...[heads, ...rows].map((row) => row[column].length)));
  const line = (row: ReportRow, met: string): string => {
    const cells = columns.map((column, index) =>
      index === 0 ? row[column].padEnd(widths[0] ?? 0) : row[column].padStart(widths[index] ?? 0),
    );
    return [...cells, met].join("  ").trimEnd();
  };
  return [line(heads, "met"), ...rows.map((row) => line(row, row.met))].join("\n");
}

function ratioRow(what: string, pair: Pair, target: number | undefined): ReportRow {
  const row = { what, capstan: ms(pair.capstan), bare: ms(pair.bare), result: times(ratio(pair)) };
  return target === undefined
    ? { ...row, target: "", met: "–" }
    : judged({ ...row, target: `≤ ${target} ×` }, ratio(pair) <= target);
}

function memoryRow(what: string, { capstan, bare }: Pair): ReportRow {
  const row = {
    what,
    capstan: megabytes(capstan),
    bare: megabytes(bare),
    result: megabytes(capstan),
    target: `≤ ${targets.memoryMb} MB`,
  };
  return judged(row, capstan <= targets.memoryMb);
}

function judged(row: Omit<ReportRow, "met">, met: boolean): ReportRow {
  return { ...row, met: met ? "yes" : "NO" };
}

function megabytes(value: number): string {
  return `${value.toFixed(0)} MB`;
}

function ratio({ capstan, bare }: Pair): number {
  return capstan / bare;
}

function times(value: number): string {
  return `${value.toFixed(2)} ×`;
}

function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 0)} ms`;
}
