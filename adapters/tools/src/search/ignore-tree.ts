import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { dirname, join } from "node:path";
import { bytesText, type IgnoreRules, judgeIgnored, maxIgnoreFileBytes, parseIgnoreRules } from "@capstan/patterns";

/** The rules that hold in one directory, with those of the directories above. */
interface Level {
  /** The names from the root of the disk to the directory. */
  readonly folders: readonly string[];
  readonly rules: IgnoreRules | undefined;
  /** Of `.git/info/exclude`: weaker than every .gitignore. */
  readonly excluded: IgnoreRules | undefined;
}

/**
 * What a tree ignores: `.gitignore` at every depth and `.git/info/exclude`, whether or not there is a repository. Above the
 * start they hold up to the repository, or else up to the root of the workspace; nobody's home directory has a say.
 * The start itself was asked for by name and is never ignored.
 */
export class IgnoreTree {
  readonly #start: string;
  readonly #levels = new Map<string, Level>();

  /** @param start  absolute real path of the directory walked, in or at `root` */
  constructor(start: string, root: string) {
    this.#start = start;
    this.#levels.set("", levelsAbove(start, root));
  }

  /** Whether an entry is ignored by itself, its directory not being so. @param path  relative to the start */
  ignores(path: string, isDirectory: boolean): boolean {
    const { folders, rules, excluded } = this.#levelOf(parentOf(path));
    const entry = { folders, name: bytesText(nameOf(path)), isFolder: isDirectory };
    return (judgeIgnored(rules, entry) ?? judgeIgnored(excluded, entry)) === "ignored";
  }

  #levelOf(directory: string): Level {
    const known = this.#levels.get(directory);
    if (known !== undefined) return known;
    const level = readLevel(join(this.#start, directory), this.#levelOf(parentOf(directory)));
    this.#levels.set(directory, level);
    return level;
  }
}

function levelsAbove(start: string, root: string): Level {
  const chain = [start];
  for (let at = start; !existsSync(join(at, ".git")) && dirname(at) !== at;) {
    at = dirname(at);
    chain.push(at);
  }
  const top = chain.at(-1) ?? start;
  const inRepository = existsSync(join(top, ".git"));
  const rooted = chain.indexOf(root);
  const used = inRepository ? chain : chain.slice(0, rooted === -1 ? 1 : rooted + 1);
  const nothing: Level = { folders: [], rules: undefined, excluded: undefined };
  return used.reduceRight((above, directory) => readLevel(directory, above), nothing);
}

function readLevel(directory: string, above: Level): Level {
  const folders = bytesText(directory)
    .split("/")
    .filter((name) => name !== "");
  const withRules = (file: string, rulesAbove: IgnoreRules | undefined): IgnoreRules | undefined => {
    const rules = readRules(join(directory, file));
    return rules.length === 0 ? rulesAbove : { depth: folders.length, rules, above: rulesAbove };
  };
  return {
    folders,
    rules: withRules(".gitignore", above.rules),
    excluded: withRules(".git/info/exclude", above.excluded),
  };
}

function readRules(path: string): IgnoreRules["rules"] {
  try {
    // Git does not follow a link here either; a pipe must not make us wait.
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!fstatSync(descriptor).isFile()) return [];
      const buffer = Buffer.allocUnsafe(Math.min(fstatSync(descriptor).size, maxIgnoreFileBytes));
      return parseIgnoreRules(buffer.toString("latin1", 0, readSync(descriptor, buffer, 0, buffer.length, 0)));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return [];
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
