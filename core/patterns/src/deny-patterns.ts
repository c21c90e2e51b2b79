import { denyExceptions } from "./deny-exceptions.ts";
import { foldLetters, foldPath, isPlainPath } from "./fold-path.ts";
import { type PatternText, percentDecoded } from "./pattern-text.ts";
import { compileGlob, type Glob } from "./glob/glob.ts";
import type { GlobProblem } from "./glob/glob-parts.ts";

/**
 * Protected paths, judged the same by the policy, the file tools and the sandbox. A pattern is a glob; dot files match. One without a slash
 * counts at any depth, one with a slash from a folder the user opened on, one that begins with a slash is absolute. It covers what
 * it matches and everything beneath, as written, with `%2e` decoded, and as a lenient file system would see it.
 */
export class DenyPatterns {
  readonly #patterns: readonly DenyPattern[];

  /** Finds letters, in lower case, without which no pattern covers a plain path. */
  readonly #demanded: RegExp;

  private constructor(patterns: readonly DenyPattern[]) {
    this.#patterns = patterns;
    const letters = patterns.flatMap(({ exact, folded }) => [exact.letters.toLowerCase(), folded.letters]);
    this.#demanded = new RegExp([...new Set(letters)].map(literally).join("|"));
  }

  /** Reads the patterns, or says which cannot be read, why, and what to write instead. */
  static read(patterns: readonly string[]): DenyPatterns | DenyProblem {
    const read: DenyPattern[] = [];
    for (const text of patterns) {
      const pattern = readPattern(text);
      if ("problem" in pattern) return { pattern: text, problem: pattern.problem };
      read.push(pattern);
    }
    return new DenyPatterns(read);
  }

  /**
   * The first pattern that covers a path.
   * @param names  the path as `namesOfPath` gives it for the folders that the user opened; folders above those are not judged by themselves
   */
  find(names: readonly string[]): string | undefined {
    if (!names.some((name) => this.#mayCover(name))) return undefined;
    const spellings = names.flatMap((name) => spellingsOf(name, floorOf(name, names)));
    return this.#patterns.find((pattern) => spellings.some((spelling) => covers(pattern, spelling)))?.text;
  }

  /** Folders of many files are looked through: nearly every path lacks the letters of all patterns, however it is spelled. */
  #mayCover(name: string): boolean {
    return this.#demanded.test(name.toLowerCase()) || !isPlainPath(name) || name.includes("%");
  }

  /** Whether a text may hold a path that a pattern covers: most do not, and that is seen at a glance. */
  mayName(text: PatternText): boolean {
    const { decoded } = text;
    return (decoded === text ? [text] : [text, decoded]).some((spelling) =>
      this.#patterns.some(
        ({ exact, folded }) => spelling.text.includes(exact.letters) || spelling.letters.includes(folded.letters),
      ),
    );
  }
}

function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

/** A pattern that protects nothing because nobody can read it. */
export interface DenyProblem {
  readonly pattern: string;
  readonly problem: string;
}

/** What is wrong with a pattern over paths before it is read as a glob: it would never match. */
export function pathPatternProblem(text: string): string | undefined {
  if (text.trim() === "") return "the pattern is empty";
  if (text === "~" || text.startsWith("~/")) return "`~` is not expanded; write the absolute path, as in `/home/me/**`";
  if (text.startsWith("!")) return "a pattern cannot be negated";
  return text.split("/").includes("..") ? "`..` never matches; write an absolute path" : undefined;
}

/** Some shells know `@(a|b)`; read as written, it would protect nothing. */
function extendedProblem(text: string): string | undefined {
  return /(?<!\\)[?*+@!]\(/.test(text)
    ? "`@(a|b)` and the like are not read; write `{a,b}`, or `\\(` for a parenthesis in a name"
    : undefined;
}

interface DenyPattern {
  readonly text: string;
  readonly exact: Glob;
  readonly folded: Glob;
  /** What it does not cover although it matches. */
  readonly except: DenyPattern | undefined;
}

function readPattern(text: string): DenyPattern | GlobProblem {
  const problem = pathPatternProblem(text) ?? extendedProblem(text);
  if (problem !== undefined) return { problem };
  const plain = text.replace(/^(?:\.\/+)+/, "");
  const options = { dot: true, folderItself: true, literalSets: true, anyDepth: plain === text } as const;
  const exact = compileGlob(plain, options);
  if ("problem" in exact) return { problem: exact.problem };
  const folded = compileGlob(plain, { ...options, fold: foldLetters });
  if ("problem" in folded) return folded;
  const exception = denyExceptions.get(text);
  const except = exception === undefined ? undefined : readPattern(exception);
  return except !== undefined && "problem" in except ? except : { text, exact, folded, except };
}

/** A name in the ways it may be understood, with the length of the part that is not judged by itself. */
interface Spelling {
  readonly exact: string;
  readonly exactFloor: number;
  readonly folded: string;
  readonly foldedFloor: number;
}

function spellingsOf(name: string, floor: number): readonly Spelling[] {
  const above = name.slice(0, floor);
  const decoded = percentDecoded(name);
  const spelling = spell(name, above);
  return decoded === name ? [spelling] : [spelling, spell(decoded, percentDecoded(above))];
}

function spell(name: string, above: string): Spelling {
  return { exact: name, exactFloor: above.length, folded: foldPath(name), foldedFloor: foldPath(above).length };
}

function covers({ exact, folded, except }: DenyPattern, spelling: Spelling): boolean {
  return (
    reaches(exact, except?.exact, spelling.exact, spelling.exactFloor) ||
    reaches(folded, except?.folded, spelling.folded, spelling.foldedFloor)
  );
}

/** What is excepted is a name by itself: neither what lies beneath it, nor what lies in a folder that is covered. */
function reaches(glob: Glob, except: Glob | undefined, path: string, floor: number): boolean {
  if (!glob.covers(path, floor)) return false;
  if (except?.matches(path) !== true) return true;
  const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  return folder.length > floor && glob.covers(folder, floor);
}

/** The length of the deepest opened folder that an absolute name lies below. */
function floorOf(name: string, names: readonly string[]): number {
  if (!name.startsWith("/")) return 0;
  const inside = names.filter((other) => !other.startsWith("/") && name.endsWith(`/${other}`));
  return inside.reduce((floor, other) => Math.max(floor, name.length - other.length - 1), 0);
}
