import type { ToolOutcome } from "@capstan/protocol";
import { commandDetails, inertLine, timeText } from "@capstan/view";

interface EndLine {
  readonly tone: "good" | "bad" | "muted";
  readonly text: string;
}

const summaryCharacters = 160;
/** Of a failed command's output. */
const lastLines = 3;

/**
 * How a call that ran came out. A command that ended with another code than 0 did not do what it was meant to: its last words
 * say why.
 */
export function endLines(
  { details, content }: Extract<ToolOutcome, { type: "done" }>,
  summary: string,
  durationMs: number,
): readonly EndLine[] {
  const { exitCode, signal } = commandDetails(details);
  const what = inertLine(summary, summaryCharacters);
  if (exitCode === undefined || exitCode === 0) return [{ tone: "good", text: `  ✓ ${what}${took(durationMs)}` }];
  const end = exitCode === null ? `ended by ${signal ?? "a signal"}` : `exit ${exitCode}`;
  // The first line of a command's result says how it ended.
  const output = content
    .split("\n")
    .slice(1)
    .filter((text) => text.trim() !== "");
  return [
    { tone: "bad", text: `  ✗ ${what} · ${end} · ${timeText(durationMs)}` },
    ...output
      .slice(-lastLines)
      .map((text) => ({ tone: "muted", text: `    ${inertLine(text, summaryCharacters)}` }) as const),
  ];
}

/** A question, a plan or a task list took no time of its own. */
function took(durationMs: number): string {
  return durationMs === 0 ? "" : ` · ${timeText(durationMs)}`;
}
