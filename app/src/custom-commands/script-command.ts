import { createHash } from "node:crypto";
import { AppError } from "@capstan/protocol";
import type { CustomCommand } from "./custom-command.ts";

/** How programs that scripts name read one from standard input, with arguments of its own. */
const interpreters: Readonly<Record<string, readonly string[]>> = {
  sh: ["-s", "--"],
  bash: ["-s", "--"],
  dash: ["-s", "--"],
  zsh: ["-s", "--"],
  node: ["-"],
  perl: ["-"],
  python: ["-"],
  python3: ["-"],
  ruby: ["-"],
};

/** Reads a script; a line of comment behind the first says what it does. `null`: it is none that can be run. */
export function readScriptCommand(
  place: Pick<CustomCommand, "name" | "file" | "from">,
  text: string,
): CustomCommand | null {
  const [, first = ""] = /^#!\s*(.*)\n/.exec(text) ?? [];
  const words = first.trim().split(/\s+/);
  const program = (words[0]?.endsWith("/env") === true ? words[1] : words[0])?.split("/").at(-1) ?? "";
  const flags = interpreters[program];
  if (flags === undefined) return null;
  const [, description = `a script for ${program}`] = /^#!.*\n(?:#|\/\/)\s*(\S.*)/.exec(text) ?? [];
  return { ...place, description, body: text, interpreter: [program, ...flags] };
}

/**
 * The line for the shell that runs a script with these arguments. The script itself stands in it: the sandbox hides its user's home, and the journal
 * says what ran. @throws AppError `usage.invalid`
 */
export function scriptLine(command: CustomCommand, words: readonly string[], given: string): string {
  const { name, body, interpreter } = command;
  if (interpreter === undefined || Buffer.byteLength(body) > maxScriptBytes)
    throw new AppError("usage.invalid", `/${name}: a script has at most ${maxScriptBytes} bytes`, {
      hint: "Let it start a program that lies in the workspace.",
    });
  // No text holds the beginning of its own digest.
  const end = `CAPSTAN_${createHash("sha256").update(body).digest("hex").slice(0, digestCharacters)}`;
  const variables = `CAPSTAN_COMMAND=${quoted(name)} CAPSTAN_ARGUMENTS=${quoted(given)}`;
  const argv = [...interpreter, ...words.map(quoted)].join(" ");
  return `${variables} ${argv} <<'${end}'\n${body.endsWith("\n") ? body : `${body}\n`}${end}`;
}

/** A line for a shell is one argument, which systems hold to 128 KB. */
const maxScriptBytes = 64 * 1024;
const digestCharacters = 16;

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
