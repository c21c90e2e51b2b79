import { readingPrograms, takesText } from "./reading-programs.ts";
import { checkArguments } from "./option-check.ts";
import { withoutExclusions } from "./exclusions.ts";

/**
 * The words of a command that may be files whose content it reads or changes. Names that it looks for, tests or lists, patterns, programs
 * and messages are none of them. Good enough where the sandbox keeps protected files closed by itself, and nowhere else.
 */
export function fileWords(words: readonly string[]): readonly string[] {
  const [first = "", ...rest] = words;
  const program = first.replace(/^(?:\/usr)?\/bin\//, "");
  if (takesText([program]) || program === "printf") return [];
  if (program === "git") return gitFileWords(rest);
  if (naming.has(program)) return onlyNames(program, rest) ? [] : rest;
  const script = scripts.get(program);
  return script === undefined ? withoutExclusions(words).slice(1) : withoutScript(rest, script);
}

/** They tell names, places, sizes and times. */
const naming: ReadonlySet<string> = new Set("ls stat du realpath readlink find tree test [".split(" "));

function onlyNames(program: string, words: readonly string[]): boolean {
  switch (program) {
    case "test":
    case "[":
      return true;
    case "find":
      return !words.some((word) => /^-(?:exec|ok|delete|fprint|fls|files0)/.test(word));
    case "tree":
      return !words.some((word) => /^-(?!-)\w*o|^--(?:from|out|info)/.test(word));
    default:
      return looksReading([program, ...words]);
  }
}

/** Whether the words are those of a program that only reads, with arguments that are known. */
export function looksReading([program = "", ...words]: readonly string[]): boolean {
  const usage = readingPrograms.get(program);
  return usage !== undefined && checkArguments(words, usage).type === "known";
}

/** A program whose first operand is a pattern or a program of its own, unless one of these options gives it. */
interface ScriptUsage {
  /** As the next word. */
  readonly given?: RegExp;
  /** In any other way: then every operand is a file. */
  readonly givenElsewhere: RegExp;
  /** Options that choose files by the next word: it is as good as a file. */
  readonly choosing?: RegExp;
}

const grepUsage: ScriptUsage = {
  given: /^(?:-e|--regexp)$/,
  givenElsewhere: /^(?:-(?!-)\w*[ef]|--(?:reg|file))/,
  choosing: /^--inc[a-z]*$/,
};
const awkUsage: ScriptUsage = {
  given: /^(?:-e|--source)$/,
  givenElsewhere: /^(?:-(?![-Fv])\w*[efEi]|--(?:so|fi|ex|in))/,
};
const evalUsage: ScriptUsage = { given: /^(?:-[ep]|-pe|--eval|--print)$/, givenElsewhere: /^/ };

const scripts: ReadonlyMap<string, ScriptUsage> = new Map([
  ...["grep", "egrep", "fgrep"].map((name) => [name, grepUsage] as const),
  [
    "rg",
    {
      ...grepUsage,
      givenElsewhere: /^(?:-(?!-)\w*[ef]|--(?:reg|file|type-list))/,
      choosing: /^(?:-(?!-)\w*g|--i?glob)$/,
    },
  ],
  ["sed", { given: /^(?:-e|--expression)$/, givenElsewhere: /^(?:-(?!-)\w*[ef]|--(?:ex|fi))/ }],
  ...["awk", "gawk", "mawk"].map((name) => [name, awkUsage] as const),
  ["jq", { givenElsewhere: /^(?:-(?!-)\w*f|--from)/ }],
  ["node", evalUsage],
  ["python", { ...evalUsage, given: /^-c$/ }],
  ["python3", { ...evalUsage, given: /^-c$/ }],
]);

function withoutScript(words: readonly string[], { given, givenElsewhere, choosing }: ScriptUsage): readonly string[] {
  const others = words.filter((_, at) => given?.test(words[at - 1] ?? "") !== true);
  if (others.length < words.length || others.some((word) => givenElsewhere.test(word))) return others;
  const at = words.findIndex((word, index) => !word.startsWith("-") && choosing?.test(words[index - 1] ?? "") !== true);
  return words.filter((_, index) => index !== at);
}

/** Subcommands that show what the repository holds, or compare it with the working tree. */
const showing: ReadonlySet<string> = new Set(
  "log show diff status ls-files ls-tree check-ignore check-attr blame rev-list rev-parse shortlog grep describe".split(
    " ",
  ),
);
const recording: ReadonlySet<string> = new Set("commit tag merge stash".split(" "));
/** With these, files that need not be the repository's are read or written, or a program is run. */
const beyondRepository = /^(?:--(?:no-index|untracked|output|contents|open-files|ext-diff|textconv|[a-z-]*file)|-[fO])/;

function gitFileWords(words: readonly string[]): readonly string[] {
  let at = 0;
  while (words[at] === "--no-pager" || words[at] === "-C") at += words[at] === "-C" ? 2 : 1;
  const [subcommand = "", ...rest] = words.slice(at);
  if (showing.has(subcommand)) return rest.some((word) => beyondRepository.test(word)) ? words : [];
  if (subcommand === "clean") return words.filter((_, index) => !/^(?:-e|--exclude)$/.test(words[index - 1] ?? ""));
  return recording.has(subcommand) ? withoutMessages(words) : words;
}

function withoutMessages(words: readonly string[]): readonly string[] {
  return words.filter(
    (word, at) => !/^(?:-(?!-)\w*m|--message)$/.test(words[at - 1] ?? "") && !word.startsWith("--message="),
  );
}
