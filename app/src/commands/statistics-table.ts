import type { StatisticsReport } from "@capstan/host";
import { inertLine } from "@capstan/view";

const idCharacters = 100;
const titles: readonly string[] = [
  "session",
  "records",
  "pieces",
  "open steps",
  "open calls",
  "unreadable",
  "bytes",
  "compressed",
];

/** A line for each session, and one for all of them. */
export function statisticsTable({ sessions, total }: StatisticsReport): string {
  const all = `${total.sessions} session${total.sessions === 1 ? "" : "s"}`;
  const lines = [...sessions.map((one) => ({ ...one, name: one.sessionId })), { ...total, name: all }];
  const rows = lines.map((line): readonly string[] => [
    inertLine(line.name, idCharacters),
    ...[line.records, line.pendingPieces, line.openSteps, line.callsWithoutOutcome, line.unreadable].map(String),
    ...[line.bytes, line.coldBytes].map(String),
  ]);
  const table = [titles, ...rows];
  const widths = titles.map((_title, column) =>
    table.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), 0),
  );
  return table.map((row) => aligned(row, widths)).join("\n");
}

/** Names to the left, numbers to the right. */
function aligned(cells: readonly string[], widths: readonly number[]): string {
  const padded = cells.map((cell, column) => {
    const width = widths[column] ?? 0;
    return column === 0 ? cell.padEnd(width) : cell.padStart(width);
  });
  return padded.join("  ");
}
