import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { dirname, join } from "node:path";
import { type IgnoreRule, judgeByRules, parseIgnoreRules } from "./ignore-rules.ts";
import { ignoreFileBytes } from "./limits.ts";

/** The rules that hold in one directory, with those of the directories above. */
interface Level {
  /** Absolute. */
  readonly directory: string;
  readonly rules: readonly IgnoreRule[];
  /** Of `.git/info/exclude`: weaker than every .gitignore. */
  readonly excluded: readonly IgnoreRule[];
  readonly above: Level | undefined;
}

/**
 * What a tree ignores: `.gitignore` at every depth and `.git/info/exclude`, whether or not there is a repository. Above the
 * start they hold up to the repository, or else up to the root of the workspace; nobody's home directory has a say.
 * The start itself was asked for by name and is never ignored.
 */
export class IgnoreTree {
  readonly #start: string;
  readonly #levels = new Map<string, Level | undefined>();
  readonly #ignoredDirectories = new Map<string, boolean>();

  /** @param start  absolute real path of the directory walked, in or at `root` */
  constructor(start: string, root: string) {
    this.#start = start;
    this.#levels.set("", levelsAbove(start, root));
  }

  /** Whether an entry is ignored by itself, its directory not being so. @param path  relative to the start */
  ignores(path: string, isDirectory: boolean): boolean {
    const level = this.#levelOf(parentOf(path));
    const absolute = join(this.#start, path);
    return (
      (judge(level, "rules", absolute, isDirectory) ?? judge(level, "excluded", absolute, isDirectory)) === "ignored"
    );
  }

  /** Whether a file or a directory above it is ignored. */
  ignoresFile(path: string): boolean {
    return this.#isInIgnored(parentOf(path)) || this.ignores(path, false);
  }

  #isInIgnored(directory: string): boolean {
    if (directory === "") return false;
    const known = this.#ignoredDirectories.get(directory);
    if (known !== undefined) return known;
    const ignored = this.#isInIgnored(parentOf(directory)) || this.ignores(directory, true);
    this.#ignoredDirectories.set(directory, ignored);
    return ignored;
  }

  #levelOf(directory: string): Level | undefined {
    if (this.#levels.has(directory)) return this.#levels.get(directory);
    const level = readLevel(join(this.#start, directory), this.#levelOf(parentOf(directory)));
    this.#levels.set(directory, level);
    return level;
  }
}

function judge(
  level: Level | undefined,
  kind: "rules" | "excluded",
  absolute: string,
  isDirectory: boolean,
): "ignored" | "kept" | undefined {
  for (let one = level; one !== undefined; one = one.above) {
    if (one[kind].length === 0) continue;
    const path = absolute.slice(one.directory === "/" ? 1 : one.directory.length + 1);
    const verdict = judgeByRules(one[kind], path, isDirectory);
    if (verdict !== undefined) return verdict;
  }
  return undefined;
}

function levelsAbove(start: string, root: string): Level | undefined {
  const chain = [start];
  for (let at = start; !existsSync(join(at, ".git")) && dirname(at) !== at;) {
    at = dirname(at);
    chain.push(at);
  }
  const top = chain.at(-1) ?? start;
  const inRepository = existsSync(join(top, ".git"));
  const rooted = chain.indexOf(root);
  const used = inRepository ? chain : chain.slice(0, rooted === -1 ? 1 : rooted + 1);
  return used.reduceRight<Level | undefined>((above, directory) => readLevel(directory, above), undefined);
}

/** A directory without rules needs no level of its own. */
function readLevel(directory: string, above: Level | undefined): Level | undefined {
  const rules = readRules(join(directory, ".gitignore"));
  const excluded = readRules(join(directory, ".git", "info", "exclude"));
  return rules.length + excluded.length === 0 ? above : { directory, rules, excluded, above };
}

function readRules(path: string): readonly IgnoreRule[] {
  try {
    // Git does not follow a link here either; a pipe must not make us wait.
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!fstatSync(descriptor).isFile()) return [];
      const buffer = Buffer.allocUnsafe(Math.min(fstatSync(descriptor).size, ignoreFileBytes));
      return parseIgnoreRules(buffer.toString("utf8", 0, readSync(descriptor, buffer, 0, buffer.length, 0)));
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
