import type { Dialect } from "./dialects.ts";
import { type Commands, isElsewhere, type Job, type Seen } from "./run-batch.ts";

/** A script the lexer accepted, with what it read. */
export interface Accepted {
  readonly script: string;
  readonly commands: Commands;
}

/** Whether every command of a script can be recorded in a shell. */
export function isComparable({ commands }: Accepted, dialect: Dialect): boolean {
  return commands.every(([name = ""]) => !dialect.isKept(name) && (dialect.isFunction(name) || !isElsewhere(name)));
}

/** The runs in which every command of a script is reached: one, or two where pipes, `&&` and `||` come together. */
export function jobsOf({ script, commands }: Accepted, dialect: Dialect): readonly Job[] {
  const names = commands.map(([name = ""]) => name);
  const bare = script.replace(/'[^']*'|"[^"]*"/g, "q");
  const [and, or, pipe] = [bare.includes("&&"), bare.includes("||"), hasPipe(script)];
  const isCounted = !pipe && names.every((name) => dialect.isFunction(name));
  const plans = isCounted ? [exitCodes(bare)] : and && or ? ["z", "o"] : [or ? "o" : "z"];
  return plans.map((plan) => ({ script, names, plan }));
}

/** Whether what a shell ran is what the lexer read. The parts of a pipe begin in any order. */
export function agrees({ script, commands }: Accepted, runs: readonly Seen[]): boolean {
  if (runs.some(({ ended }) => !ended)) return false;
  const seen = runs.flatMap((run) => run.commands);
  if (runs.length > 1) return equal(distinct(commands), distinct(seen));
  return hasPipe(script) ? equal(sorted(commands), sorted(seen)) : equal(commands, seen);
}

function hasPipe(script: string): boolean {
  return script
    .replace(/'[^']*'|"[^"]*"/g, "q")
    .replaceAll("||", ";")
    .includes("|");
}

/** One digit per command: 1 before `||`, else 0, so that what follows is reached. */
function exitCodes(bare: string): string {
  const pieces = bare.split(/(&&|\|\||[;\n])/);
  return pieces
    .flatMap((piece, index) => (index % 2 === 0 && piece.trim() !== "" ? [pieces[index + 1] === "||" ? "1" : "0"] : []))
    .join("");
}

function equal(left: Commands | readonly string[], right: Commands | readonly string[]): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function sorted(commands: Commands): readonly string[] {
  return commands.map((words) => JSON.stringify(words)).toSorted();
}

function distinct(commands: Commands): readonly string[] {
  return [...new Set(sorted(commands))];
}
