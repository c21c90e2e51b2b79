import type { Workspace } from "@capstan/protocol";
import { isInsideWorkspace } from "../inside-workspace.ts";
import { isPrintableAscii } from "./lexer.ts";
import { checkArguments } from "./option-check.ts";
import { readingPrograms } from "./reading-programs.ts";

export type Safety = { readonly safe: true } | { readonly safe: false; readonly why: string };

/**
 * Whether a command certainly only reads, and only inside the workspace. Everything unknown is not: an option nobody listed,
 * a path outside, a program called by a path.
 * @param argv  started in a directory inside the workspace
 */
export function knownSafe(argv: readonly string[], workspace: Workspace): Safety {
  const [program = "", ...words] = argv;
  if (!argv.every(isPrintableAscii)) return unsafe("it has characters that are not printable ASCII");
  switch (program) {
    case "find":
      return safeFind(words, workspace);
    case "sed":
      return safeSed(words, workspace);
    case "cd":
      return safeChangeOfFolder(words, workspace);
    default:
      return safeProgram(program, words, workspace);
  }
}

/** Whether a known-safe command reads the contents of every file below a folder, so that its words do not name them. */
export function readsWholeFolders(argv: readonly string[]): boolean {
  const [program = "", ...words] = argv;
  if (program === "rg") return true;
  return program === "grep" && words.some((word) => word === "--recursive" || /^-(?!-)[a-zA-Z]*r/.test(word));
}

function safeProgram(program: string, words: readonly string[], workspace: Workspace): Safety {
  const usage = readingPrograms.get(program);
  if (usage === undefined) return unsafe("it is not one of the commands known to only read");
  const checked = checkArguments(words, usage);
  if (checked.type === "unknown") return unsafe(checked.why);
  // `tail +5f` follows the file on some systems.
  if (program === "tail" && checked.paths.some((path) => path.startsWith("+")))
    return unsafe("`+` begins an old option");
  return allInside(checked.paths, workspace);
}

const findTests: ReadonlySet<string> = new Set(
  (
    "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -maxdepth -mindepth -size -mtime " +
    "-mmin -atime -amin -ctime -cmin -perm -user -group -uid -gid -links -printf"
  ).split(" "),
);
const findWords: ReadonlySet<string> = new Set(
  "! ( ) , -not -and -or -a -o -print -print0 -prune -depth -xdev -mount -true -false -ls -quit -empty -readable -writable -executable -nouser -nogroup -daystart".split(
    " ",
  ),
);

function safeFind(words: readonly string[], workspace: Workspace): Safety {
  const paths: string[] = [];
  const start = words.findIndex((word) => word.startsWith("-") || word === "!" || word === "(");
  const expression = start === -1 ? [] : words.slice(start);
  paths.push(...(start === -1 ? words : words.slice(0, start)));
  for (let index = 0; index < expression.length; index += 1) {
    const word = expression[index] ?? "";
    if (word === "-newer" || word === "-anewer" || word === "-cnewer" || word === "-samefile") {
      index += 1;
      paths.push(expression[index] ?? "");
    } else if (findTests.has(word)) {
      index += 1;
    } else if (!findWords.has(word)) {
      return unsafe(`its argument \`${word.slice(0, 40)}\` is not known to be harmless`);
    }
  }
  return allInside(paths, workspace);
}

/** `sed -n 10,20p FILE…`, the form that shows lines; every other script can write files or run commands. */
function safeSed([flag, script = "", ...paths]: readonly string[], workspace: Workspace): Safety {
  if (flag !== "-n" || !/^\d{1,9}(?:,\d{1,9})?p$/.test(script))
    return unsafe("only `sed -n N,Mp` is known to only read");
  const option = paths.find((path) => path.startsWith("-"));
  if (option !== undefined) return unsafe(`its option \`${option.slice(0, 40)}\` is not known to be harmless`);
  return allInside(paths, workspace);
}

function safeChangeOfFolder(words: readonly string[], workspace: Workspace): Safety {
  const [folder, ...others] = words[0] === "--" ? words.slice(1) : words;
  if (folder === undefined || folder === "" || folder.startsWith("-") || others.length > 0) {
    return unsafe("only `cd` into one folder of the workspace is known to be harmless");
  }
  return allInside([folder], workspace);
}

function allInside(paths: readonly string[], workspace: Workspace): Safety {
  const outside = paths.find((path) => !isInsideWorkspace(path, workspace));
  return outside === undefined
    ? { safe: true }
    : unsafe(`\`${outside.slice(0, 80)}\` is not certainly inside the workspace`);
}

function unsafe(why: string): Safety {
  return { safe: false, why };
}
