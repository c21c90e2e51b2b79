import type { CapstanEnd } from "../stage/capstan-process.ts";

/** Outcomes after which a session goes on: the script is played, or a call was denied or left unknown as asked. */
const goodOutcomes: ReadonlySet<unknown> = new Set(["done", "tool-denied", "outcome-unknown"]);

/** What is wrong with a resume that ended by itself; `null`: nothing. */
export function resumeProblem({ code, lines, stderr }: CapstanEnd): string | null {
  const last = lines.at(-1);
  const result: unknown = last === undefined ? undefined : JSON.parse(last);
  const outcome = typeof result === "object" && result !== null ? Reflect.get(result, "outcome") : undefined;
  if (goodOutcomes.has(outcome)) return null;
  return `a resume exits ${code} with ${String(outcome)}: ${last?.slice(0, 400) ?? ""} ${stderr.slice(-400)}`;
}
