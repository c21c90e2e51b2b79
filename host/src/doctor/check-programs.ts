import { execFile } from "node:child_process";
import { messageOf } from "@capstan/protocol";
import { RipgrepFinder } from "@capstan/tools";
import type { Check } from "@capstan/protocol";
import { bad, good, note } from "@capstan/doctor";
import { programTimeoutMs } from "../limits.ts";

/** A program that sessions need. */
export interface NeededProgram {
  readonly name: string;
  readonly words: readonly string[];
  /** What to do when it is not there. */
  readonly advice: string;
}

/** Whether a program on a search path starts and says something. */
export async function checkProgram({ name, words, advice }: NeededProgram, searchPath: string): Promise<Check> {
  const [program = "", ...args] = words;
  const said = await firstLineOf(program, args, searchPath);
  return "line" in said ? good(name, said.line) : bad(name, `${program} does not start: ${said.problem}`, advice);
}

/** Without ripgrep the tool `search` does not work; all the others do. */
export async function checkSearch(searchPath: string): Promise<Check> {
  const program = await new RipgrepFinder(searchPath).find([]);
  const said = program === undefined ? undefined : await firstLineOf(program, ["--version"], searchPath);
  if (said !== undefined && "line" in said) return good("search", said.line);
  return note("search", "ripgrep is not there, so the tool search does not work; install ripgrep");
}

function firstLineOf(
  program: string,
  args: readonly string[],
  searchPath: string,
): Promise<{ readonly line: string } | { readonly problem: string }> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: programTimeoutMs, env: { PATH: searchPath } }, (error, stdout) => {
      resolve(error === null ? { line: stdout.split("\n")[0] ?? "" } : { problem: messageOf(error) });
    });
  });
}
