import { type CallCell, type CallEnd, cutRow, inertLine, type Row, rowOf, timeText } from "@capstan/view";
import { type CellView, counted, quotedRows } from "./cell-view.ts";
import { diffRows } from "./diff-rows.ts";

const summaryCharacters = 160;
/** Of a running command's output. */
const liveLines = 5;
/** Of what came out of a command. */
const shownLines = 4;
const taskMarks = { pending: "☐", "in-progress": "▸", done: "☑" } as const;

/** A tool call: what it does, how long, how it ended, and what it changed. */
export function callRows(cell: CallCell, view: CellView): readonly Row[] {
  const summary = inertLine(cell.summary, summaryCharacters);
  const { state } = cell;
  switch (state.type) {
    case "written":
    case "decided":
      return [head(view, ["◌ ", "muted"], summary, "")];
    case "running": {
      const time = timeText(Math.max(0, view.now - state.startedAt));
      return [head(view, ["▸ ", "accent"], summary, time), ...lastRows(state.output, liveLines, view)];
    }
    case "interrupted":
      return [
        head(view, ["? ", "warning"], summary, "interrupted"),
        ...quotedRows(state.text.split("\n"), view.columns, "warning"),
      ];
    case "unknown":
      return [head(view, ["? ", "warning"], summary, "no outcome is recorded")];
    case "ended":
      return [...endRows(cell, state.end, summary, view), ...(state.end.succeeded ? taskRows(cell, view) : [])];
  }
}

function endRows({ effect }: CallCell, end: CallEnd, summary: string, view: CellView): readonly Row[] {
  const mark = end.succeeded ? (["✓ ", "good"] as const) : (["✗ ", "bad"] as const);
  const rows = [head(view, mark, summary, endText(end))];
  const isCommand = end.exitCode !== undefined;
  // The first line of a command's result says how it ended, which its head does.
  const lines = end.content.split("\n").slice(isCommand ? 1 : 0);
  const output = end.succeeded && !isCommand && !view.isWhole ? [] : outputRows(lines, end.succeeded, view);
  const changes = end.changes.flatMap((change) => [
    cutRow(
      rowOf(`  ${change.kind} ${change.path} (+${change.addedLines} −${change.removedLines})`, "muted"),
      view.columns,
    ),
    ...(change.diff === undefined || effect === "execute" ? [] : diffRows(change.diff, view.columns, view.isWhole)),
  ]);
  const later = [
    ...end.runsLater.map((text) => `will run or be obeyed later: ${text}`),
    ...end.quarantined.map((text) => `moved to quarantine: ${text}`),
  ].map((text) => cutRow(rowOf(`  ${text}`, "warning"), view.columns));
  return [...rows, ...output, ...changes, ...later];
}

function endText(end: CallEnd): string {
  const time = timeText(end.durationMs);
  if (end.exitCode === null) return `ended by ${end.signal ?? "a signal"} · ${time}`;
  if (end.exitCode !== undefined && end.exitCode !== 0) return `exit ${end.exitCode} · ${time}`;
  if (end.outcome === "done") return time;
  return end.deniedBy === undefined ? end.outcome : `${end.outcome} by ${end.deniedBy}`;
}

/** Of a failure its end, of a success its beginning. */
function outputRows(lines: readonly string[], succeeded: boolean, view: CellView): readonly Row[] {
  const said = lines.filter((line) => line.trim() !== "");
  if (view.isWhole) return quotedRows(said, view.columns, "muted");
  const shown = succeeded ? said.slice(0, shownLines) : said.slice(-shownLines);
  const left = said.length - shown.length;
  const rows = quotedRows(shown, view.columns, "muted");
  const more = left === 0 ? [] : [rowOf(`  │ … ${counted(left, "more line")}`, "muted")];
  return succeeded ? [...rows, ...more] : [...more, ...rows];
}

function lastRows(output: string, count: number, view: CellView): readonly Row[] {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  return quotedRows(lines.slice(-count), view.columns, "muted");
}

function taskRows({ session }: CallCell, view: CellView): readonly Row[] {
  if (session?.type !== "update-plan") return [];
  return session.tasks.map(({ step, status, blocked }) =>
    cutRow(
      rowOf(
        `  ${blocked === true ? "⊘" : taskMarks[status]} ${inertLine(step, summaryCharacters)}`,
        status === "done" ? "muted" : "accent",
      ),
      view.columns,
    ),
  );
}

function head(
  { columns }: CellView,
  [mark, role]: readonly [mark: string, role: "muted" | "accent" | "warning" | "good" | "bad"],
  summary: string,
  end: string,
): Row {
  const tail = end === "" ? [] : rowOf(` · ${end}`, "muted");
  const room = columns - 2 - tail.reduce((sum, { text }) => sum + text.length, 0);
  return cutRow([{ text: mark, roles: [role] }, ...cutRow(rowOf(summary), Math.max(8, room)), ...tail], columns);
}
