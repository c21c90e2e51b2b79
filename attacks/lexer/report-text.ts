import type { DialectReport, Disagreement, FuzzReport } from "./fuzz.ts";

/** One line per shell. */
export function reportText({ tried, accepted, dialects }: FuzzReport): string {
  const lines = dialects.map(
    ({ dialect, compared, unreached, disagreements }: DialectReport) =>
      `${dialect.name.padEnd(14)}${column(compared)} compared ${column(unreached)} with a name it cannot record ${column(disagreements.length)} disagreements`,
  );
  return [`${tried} tried, ${accepted} accepted by the lexer`, ...lines].join("\n");
}

/** A disagreement: the script, what the lexer read, what the shell ran. */
export function disagreementText(shell: string, { script, commands, seen }: Disagreement): string {
  const runs = seen.map((run) => JSON.stringify(run.commands) + (run.ended ? "" : " and stopped the shell"));
  return [
    `${shell}: ${JSON.stringify(script)}`,
    `  the lexer read ${JSON.stringify(commands)}`,
    ...runs.map((run) => `  the shell ran  ${run}`),
  ].join("\n");
}

function column(count: number): string {
  return String(count).padStart(8);
}
