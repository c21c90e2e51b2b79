import { AppError } from "@capstan/protocol";
import { typedLine } from "../asking/typed-line.ts";

/** More are not read: whoever wants another names it. */
const maxChoices = 9;

/** Something that a user can pick. `line`: what it is, inert. */
export interface Choice<Value> {
  readonly value: Value;
  readonly line: string;
}

/** Whether somebody sits there who can pick something. */
export function canChoose(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/**
 * A numbered choice on the terminal; Enter takes the first.
 * @throws {AppError} `usage.invalid` when nothing was chosen
 */
export async function choose<Value>(title: string, choices: readonly Choice<Value>[]): Promise<Value> {
  const offered = choices.slice(0, maxChoices);
  const left = choices.length - offered.length;
  const lines = offered.map(({ line }, at) => `  ${at + 1}  ${line}`);
  const more = left === 0 ? [] : [`     and ${left} more, to be named by their ids`];
  process.stderr.write([title, ...lines, ...more, ""].join("\n"));
  const typed = await typedLine(`1-${offered.length}, Enter for 1> `);
  const chosen = typed === null ? undefined : offered[typed.trim() === "" ? 0 : numberOf(typed) - 1];
  if (chosen !== undefined) return chosen.value;
  throw new AppError("usage.invalid", `nothing was chosen: expected a number from 1 to ${offered.length}`);
}

function numberOf(text: string): number {
  return /^\s*\d+\s*$/.test(text) ? Number(text) : 0;
}
