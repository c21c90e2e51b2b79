import { type CallCell, type CallEnd, type Cell, inertLine, type Row, rowText, type UserCell } from "@capstan/view";
import { cellRows } from "../cells/cell-rows.ts";
import { type CellView, counted } from "../cells/cell-view.ts";

const summaryCharacters = 300;
/** Of what came out of a command. */
const outputLines = 4;

/** Rows that are read, and not looked at: no width breaks them but one that no sentence has. */
export const spokenView: CellView = { columns: 2000, now: 0, user: undefined, isWhole: false };

/**
 * What is said of a cell that is no answer, as it stands now: lines with a word in front. Nothing while there is nothing new to say.
 * @param isOwn  the words were typed here
 */
export function spokenCell(
  cell: Exclude<Cell, { type: "answer" }>,
  view: CellView,
  isOwn: (cell: UserCell) => boolean,
): readonly string[] {
  switch (cell.type) {
    case "user":
      return isOwn(cell) ? [] : said(cell.isPlan ? "Carries out" : "You", cellRows(cell, view));
    case "call":
      return callLines(cell);
    case "turn-end": {
      const { outcome, message, hint, rolledBack } = cell;
      const why = outcome === "done" || message === undefined ? "" : `: ${message}`;
      return [
        `${outcome === "done" ? "Done" : "Ended"}: the turn is ${outcome}${why}`,
        ...(hint === undefined ? [] : [`Advice: ${hint}`]),
        ...(rolledBack ? ["Note: nothing of this turn is in the conversation."] : []),
      ].map(oneLine);
    }
    case "notice":
      return said(noticeWords[cell.level], cellRows(cell, view));
    case "interaction":
    case "retry":
    case "compaction":
    case "rewind":
    case "grant":
    case "recovery":
      return said(words[cell.type], cellRows(cell, view));
  }
}

/** What tells the states of a cell apart, as far as something is said of them. */
export function spokenState(cell: Cell): string {
  switch (cell.type) {
    case "call":
    case "compaction":
      return `${cell.type}:${cell.state.type}`;
    case "interaction":
      return `${cell.type}:${cell.resolution === null ? "open" : "answered"}`;
    case "rewind":
      return `${cell.type}:${cell.result === null ? "open" : "done"}`;
    case "user":
    case "answer":
    case "retry":
    case "grant":
    case "recovery":
    case "notice":
    case "turn-end":
      return cell.type;
  }
}

const words = {
  interaction: "Answered",
  retry: "Waiting",
  compaction: "Summary",
  rewind: "Rewind",
  grant: "Approval",
  recovery: "Continuing",
} as const;
const noticeWords = { info: "Note", warning: "Warning", error: "Error" } as const;

function callLines({ summary, state, session }: CallCell): readonly string[] {
  const what = inertLine(summary, summaryCharacters);
  switch (state.type) {
    case "written":
    case "decided":
      return [];
    case "running":
      return [`Runs: ${what}`];
    case "interrupted":
      return [`Interrupted: ${what}`, ...state.text.split("\n").map((line) => `Note: ${line}`)];
    case "unknown":
      return [`Unknown: no outcome is recorded of ${what}`];
    case "ended": {
      const tasks = session?.type === "update-plan" && state.end.succeeded ? session.tasks : [];
      return [
        ...endLines(what, state.end),
        ...tasks.map(
          ({ step, status, blocked }) =>
            `Task, ${blocked === true ? "blocked" : status}: ${inertLine(step, summaryCharacters)}`,
        ),
      ];
    }
  }
}

function endLines(what: string, end: CallEnd): readonly string[] {
  const word = end.succeeded ? "Done" : end.deniedBy === undefined ? "Failed" : "Denied";
  const code = end.exitCode === undefined || end.exitCode === 0 ? "" : `, exit ${end.exitCode ?? end.signal ?? ""}`;
  const isCommand = end.exitCode !== undefined;
  // The first line of a command's result says how it ended.
  const output = end.succeeded && !isCommand ? [] : end.content.split("\n").slice(isCommand ? 1 : 0);
  const full = output.filter((line) => line.trim() !== "");
  const shown = end.succeeded ? full.slice(0, outputLines) : full.slice(-outputLines);
  const left = full.length - shown.length;
  return [
    `${word}: ${what}${code}`,
    ...shown.map((line) => `Output: ${oneLine(line)}`),
    ...(left === 0 ? [] : [`Output: ${counted(left, "more line")}; /transcript has all`]),
    ...end.changes.map(
      ({ kind, path, addedLines, removedLines }) =>
        `Changed: ${kind} ${path}, ${addedLines} added, ${removedLines} removed; /diff has the lines`,
    ),
    ...end.runsLater.map((text) => `Warning: will run or be obeyed later: ${text}`),
    ...end.quarantined.map((text) => `Warning: moved to quarantine: ${text}`),
  ].map(oneLine);
}

/** Rows as lines behind a word; signs that only an eye reads are left out. */
function said(word: string, rows: readonly Row[]): readonly string[] {
  return plainLines(rows).map((line) => `${word}: ${line}`);
}

export function plainLines(rows: readonly Row[]): readonly string[] {
  return rows
    .map((row) =>
      rowText(row)
        .replace(/^\s*[·!✗✓↻↶—›▸◌?∴│•]+\s*/u, "")
        .trim(),
    )
    .filter((line) => line !== "" && !/^[─-]{3,}$/u.test(line));
}

function oneLine(text: string): string {
  return inertLine(text, spokenView.columns);
}
