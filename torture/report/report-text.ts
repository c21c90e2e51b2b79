import type { ViolationKind } from "../checker/evidence.ts";
import type { NumberedReport } from "../runs/torture-wires.ts";

/** A line of the table: what became of the runs of one scenario on one wire. */
export interface ReportRow {
  readonly wire: string;
  readonly scenario: string;
  readonly runs: number;
  readonly kills: number;
  readonly lost: number;
  readonly doubled: number;
  readonly bricked: number;
  readonly other: number;
  readonly unknown: number;
  readonly survivors: number;
}

export function reportRows(reports: readonly NumberedReport[]): readonly ReportRow[] {
  const groups = new Map<string, NumberedReport[]>();
  for (const report of reports) {
    const key = `${report.wire} ${report.scenario}`;
    groups.set(key, [...(groups.get(key) ?? []), report]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const count = (...kinds: readonly ViolationKind[]): number =>
      group.flatMap(({ violations }) => violations).filter(({ kind }) => kinds.includes(kind)).length;
    return [
      {
        wire: first.wire,
        scenario: first.scenario,
        runs: group.length,
        kills: sum(group.map(({ crashPoints }) => crashPoints.length)),
        lost: count("lost"),
        doubled: count("doubled"),
        bricked: count("bricked"),
        other: count("journal", "leftover", "doctor"),
        unknown: sum(group.map(({ unknown }) => unknown)),
        survivors: count("survivor"),
      },
    ];
  });
}

/** How often the last record before a kill was of each type; most frequent first. */
export function crashDistribution(points: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const point of points) counts.set(point, (counts.get(point) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a);
}

export function tableText(rows: readonly ReportRow[]): string {
  const heads = [
    "wire",
    "scenario",
    "runs",
    "kills",
    "lost",
    "doubled",
    "bricked",
    "other",
    "unknown",
    "survivors",
  ] as const;
  const totals = heads.map((head, at) =>
    at < 2 ? (at === 0 ? "all" : "") : String(sum(rows.map((row) => Number(row[head])))),
  );
  const lines = [heads, ...rows.map((row) => heads.map((head) => String(row[head]))), totals];
  const widths = heads.map((_head, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  return lines
    .map((line) =>
      line.map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join("  "),
    )
    .join("\n");
}

export function distributionText(points: readonly (readonly [string, number])[]): string {
  return points.map(([type, count]) => `${String(count).padStart(7)}  ${type}`).join("\n");
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
