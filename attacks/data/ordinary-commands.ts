import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Commands as models write them at real work, for row C24 of the catalogue. */
export interface OrdinaryCommands {
  /** They only read. */
  readonly reading: readonly string[];
  /** They build, test, write, commit. */
  readonly working: readonly string[];
}

/** Reads `ordinary-commands.txt`: one command a line below a heading; a line in double quotes is a JSON string. */
export function ordinaryCommands(): OrdinaryCommands {
  const lines = readFileSync(join(import.meta.dirname, "ordinary-commands.txt"), "utf8").split("\n");
  const middle = lines.indexOf("# working");
  return { reading: readLines(lines.slice(1, middle)), working: readLines(lines.slice(middle + 1)) };
}

function readLines(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => line !== "").map(readLine);
}

function readLine(line: string): string {
  if (!line.startsWith('"')) return line;
  const text: string = JSON.parse(line);
  return text;
}
