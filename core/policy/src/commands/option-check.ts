/** Which arguments of a program are known to do nothing but read. Whatever is not listed is not known. */
export interface ProgramUsage {
  /** One-letter options without a value. */
  readonly flags?: string;
  /** One-letter options with a value, joined or as the next word. */
  readonly valued?: string;
  /** Long options, spelt out; a GNU abbreviation is unknown. May carry `=value`. */
  readonly long?: string;
  /** Long options whose value may be the next word. */
  readonly longValued?: string;
  /** `-5` for a count of lines. */
  readonly counts?: true;
  readonly operands: "none" | "text" | "paths" | "pattern-then-paths";
  /** Options after which every operand is a path, for `pattern-then-paths`. */
  readonly patternOptions?: string;
}

export type CheckedArguments =
  | { readonly type: "known"; readonly paths: readonly string[] }
  | { readonly type: "unknown"; readonly why: string };

/** Sorts the arguments of a command by its program's usage, the way GNU programs read them: options anywhere before `--`. */
export function checkArguments(words: readonly string[], usage: ProgramUsage): CheckedArguments {
  const operands: string[] = [];
  const used = new Set<string>();
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (word === "--") {
      operands.push(...words.slice(index + 1));
      break;
    }
    if (word === "-" || !word.startsWith("-")) {
      operands.push(word);
      continue;
    }
    const option = word.startsWith("--") ? longOption(word, usage) : shortOptions(word, usage);
    if (option === undefined)
      return { type: "unknown", why: `its option \`${word.slice(0, 40)}\` is not known to be harmless` };
    used.add(option.name);
    if (option.takesNext) index += 1;
  }
  return sortOperands(operands, used, usage);
}

interface FoundOption {
  readonly name: string;
  readonly takesNext: boolean;
}

function longOption(word: string, usage: ProgramUsage): FoundOption | undefined {
  const equals = word.indexOf("=");
  const name = equals === -1 ? word.slice(2) : word.slice(2, equals);
  if (listed(usage.longValued, name)) return { name, takesNext: equals === -1 };
  return listed(usage.long, name) ? { name, takesNext: false } : undefined;
}

function shortOptions(word: string, usage: ProgramUsage): FoundOption | undefined {
  if (usage.counts === true && /^-\d+$/.test(word)) return { name: "count", takesNext: false };
  for (let index = 1; index < word.length; index += 1) {
    const letter = word[index] ?? "";
    if (usage.valued?.includes(letter) === true) return { name: letter, takesNext: index === word.length - 1 };
    if (usage.flags?.includes(letter) !== true) return undefined;
  }
  return { name: word.slice(1), takesNext: false };
}

function sortOperands(operands: readonly string[], used: ReadonlySet<string>, usage: ProgramUsage): CheckedArguments {
  switch (usage.operands) {
    case "none":
      return operands.length === 0 ? { type: "known", paths: [] } : { type: "unknown", why: "it has an argument" };
    case "text":
      return { type: "known", paths: [] };
    case "paths":
      return { type: "known", paths: operands };
    case "pattern-then-paths": {
      const hasPattern = [...used].some((name) => listed(usage.patternOptions, name));
      return { type: "known", paths: hasPattern ? operands : operands.slice(1) };
    }
  }
}

function listed(names: string | undefined, name: string): boolean {
  return names?.split(" ").includes(name) === true;
}
