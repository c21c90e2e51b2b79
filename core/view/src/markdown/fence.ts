import { inertText } from "@capstan/patterns";
import type { Token } from "marked";

/** The opening line of a code block. */
export interface Fence {
  /** The line that closes it consists of so many of these signs, or more. */
  readonly sign: "`" | "~";
  readonly count: number;
  /** Blanks before it, which are taken away from each line. */
  readonly indentation: number;
  /** What stands after the signs. */
  readonly info: string;
}

/** `null`: the token is no fenced code. */
export function fenceOf({ type, raw }: Token): Fence | null {
  const found = type === "code" ? /^( {0,3})(`{3,}|~{3,})([^\n]*)\n/.exec(raw) : null;
  if (found === null) return null;
  const [, blanks = "", signs = "", info = ""] = found;
  return { sign: signs.startsWith("`") ? "`" : "~", count: signs.length, indentation: blanks.length, info };
}

export function closes(line: string, { sign, count }: Fence): boolean {
  const signs = line.replace(/^ {0,3}/, "").trimEnd();
  return signs.length >= count && signs === sign.repeat(signs.length);
}

/** A line of the code, inert. */
export function codeLine(line: string, { indentation }: Fence): string {
  const blanks = /^ */.exec(line)?.[0].length ?? 0;
  return inertText(line.slice(Math.min(blanks, indentation)));
}
