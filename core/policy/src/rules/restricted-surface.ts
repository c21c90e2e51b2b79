import { occursInText } from "../regex/regex.ts";
import { type CommandPattern, joinWords, occursIn, shellWords, startsCommand } from "./command-pattern.ts";
import { looseWords } from "./loose-words.ts";
import { carriedScripts, startsOtherCommands } from "../commands/wrappers.ts";

/**
 * What deny and ask rules look at in one command: the command itself, whatever path its program is called by, and everything
 * a wrapper (`sudo`, `timeout 9`, `sh -c`) may start.
 */
export interface RestrictedSurface {
  /** The command by `joinWords`, and the same with its program's bare name in lower case. */
  readonly commands: readonly string[];
  /** Words to search through, joined by NUL, in lower case. */
  readonly texts: readonly string[];
  /** The same as it was written, for regular expressions. */
  readonly written: readonly string[];
}

/** The surface of a command whose words are certain. */
export function surfaceOfCommand(words: readonly string[]): RestrictedSurface {
  const [program = "", ...others] = words;
  const started = startsOtherCommands(words);
  const texts = [
    ...(started.length === 0 ? [] : [joinWords(started).toLowerCase()]),
    ...carriedScripts(words).map(looseWords),
  ];
  return {
    commands: [joinWords(words), joinWords([program.slice(program.lastIndexOf("/") + 1).toLowerCase(), ...others])],
    texts,
    written: [
      ...new Set([shellWords(words), words.join(" ")]),
      ...(started.length === 0 ? [] : [shellWords(started)]),
      ...carriedScripts(words),
    ],
  };
}

/** Whether a deny or ask pattern applies. */
export function reachesSurface(pattern: CommandPattern, surface: RestrictedSurface): boolean {
  return (
    pattern.type === "everything" ||
    (pattern.type === "regex" && surface.written.some((text) => occursInText(pattern.regex, text))) ||
    surface.commands.some((text) => startsCommand(pattern, text)) ||
    surface.texts.some((text) => occursIn(pattern, text))
  );
}
