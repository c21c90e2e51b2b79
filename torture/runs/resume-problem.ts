import type { CapstanEnd } from "../stage/capstan-process.ts";

/** Outcomes after which a session continues: the script is played, or a call was denied or left unknown as asked. */
const goodOutcomes: ReadonlySet<unknown> = new Set(["done", "tool-denied", "outcome-unknown"]);

/** What is wrong with a resume that ended by itself; `null`: nothing. */
export function resumeProblem({ code, lines, stderr }: CapstanEnd): string | null {
  const last = lines.at(-1) ?? "null";
  const outcome = fieldOf(JSON.parse(last), "outcome");
  if (goodOutcomes.has(outcome)) return null;
  return `a resume exits ${code} with ${String(outcome)}: ${last.slice(0, 400)} ${stderr.slice(-400)}`;
}

/** A run's end in a line: its outcome, and its error. */
export function wordsOf({ code, lines, stderr }: CapstanEnd): string {
  const result: unknown = JSON.parse(lines.at(-1) ?? "null");
  const outcome = fieldOf(result, "outcome");
  const error = fieldOf(result, "error");
  return `${String(outcome)} (exit ${code}): ${String(fieldOf(error, "code"))}: ${String(fieldOf(error, "message"))} ${stderr.slice(-200)}`;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
