import { AppError } from "@capstan/protocol";
import { quoted } from "../installation/shell-text.ts";
import { isSimilar } from "../installation/similar-word.ts";

/** The commands there are. */
export interface KnownCommands {
  readonly names: readonly string[];
  /** Whether a command could take these words; nothing is carried out. */
  takes(name: string, words: readonly string[]): boolean;
}

/** Flags of the program, not of a run. */
const ownFlags: ReadonlySet<string> = new Set(["-h", "--help", "-v", "-V", "--version"]);
/** A shorter word is too often one letter away from another. */
const minSimilarCharacters = 5;

/**
 * The first word decides: the name of a command is that command, everything else begins a prompt, or flags of a run.
 * @throws {AppError} `usage.invalid` for a word that is nearly the name of a command which could take the rest
 */
export function withRun(words: readonly string[], commands: KnownCommands): readonly string[] {
  const [first, ...rest] = words;
  if (first === undefined || first === "help" || commands.names.includes(first) || ownFlags.has(first)) return words;
  const meant = commands.names.find(
    (name) => isSimilar(first, name, minSimilarCharacters) && commands.takes(name, rest),
  );
  if (meant === undefined) return ["run", ...words];
  const line = ["capstan", meant, ...rest].join(" ");
  throw new AppError(
    "usage.invalid",
    `"${first}" is no command, but nearly one: write \`${line}\` for it, or \`capstan run ${quoted(words.join(" "))}\` to ask the model`,
    { hint: `Try: ${line}${rest.length === 0 ? " --help" : ""}` },
  );
}
