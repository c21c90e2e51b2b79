import type { Command } from "commander";

/**
 * `capstan -p PROMPT` is `capstan run PROMPT`, as users of such tools know it; `capstan run -p PROMPT` says it twice. The flag is
 * one only where a flag can stand: values of other flags and what follows `--` are text, whatever they look like.
 * @param run  the command whose flags these are; made only when it is needed
 */
export function withRunAlias(
  args: readonly string[],
  isCommand: (word: string) => boolean,
  run: () => Command,
): readonly string[] {
  const position = args.some(isPrintFlag) ? placeOfFlag(args, run()) : -1;
  if (position === -1) return args;
  const rest = args.toSpliced(position, 1);
  // Only the first word can be a command: later ones may be values of flags, such as a directory named `tools`.
  const [first = ""] = args;
  if (first === "run") return rest;
  return isCommand(first) ? args : ["run", ...rest];
}

function isPrintFlag(word: string): boolean {
  return word === "-p" || word === "--print";
}

function placeOfFlag(args: readonly string[], run: Command): number {
  const options = run.options.filter((option) => option.required);
  const takeValue = new Set(options.flatMap(({ short, long }) => [short, long]));
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? "";
    if (word === "--") return -1;
    if (isPrintFlag(word)) return index;
    if (takeValue.has(word)) index += 1;
  }
  return -1;
}
