import picomatch from "picomatch";
import { maxRememberedDirectories } from "./limits.ts";

/**
 * The protected paths. A pattern covers what it matches and everything beneath. It is compared with the path as written
 * and as a file system without case, Unicode forms, trailing dots or data streams would see it.
 */
export class DenyRules {
  readonly #patterns: readonly CompiledPattern[];
  readonly #any: CompiledPattern;
  readonly #remembered = new Map<string, string | null>();

  /** @param patterns  globs (picomatch, dot files included); one without a slash counts at any depth */
  constructor(patterns: readonly string[]) {
    this.#patterns = patterns.map(compilePattern);
    this.#any = {
      pattern: "",
      exact: union(this.#patterns.map(({ exact }) => exact)),
      folded: union(this.#patterns.map(({ folded }) => folded)),
    };
  }

  /**
   * The first pattern that covers the path or a directory above it.
   * @param path  with "/" between components; absolute or relative, without "." and ".."
   * @param floor  length of the leading part whose directories are not judged by themselves
   */
  find(path: string, floor = 0): string | undefined {
    const parent = path.slice(0, Math.max(path.lastIndexOf("/"), 0));
    const above = parent.length > floor ? this.#findRemembered(parent, floor) : undefined;
    return above ?? this.#match(path);
  }

  #findRemembered(directory: string, floor: number): string | undefined {
    const key = `${floor}:${directory}`;
    const known = this.#remembered.get(key);
    if (known !== undefined) return known ?? undefined;
    const found = this.find(directory, floor);
    if (this.#remembered.size >= maxRememberedDirectories) this.#remembered.clear();
    this.#remembered.set(key, found ?? null);
    return found;
  }

  #match(path: string): string | undefined {
    const folded = foldPath(path);
    if (!matches(this.#any, path, folded)) return undefined;
    return this.#patterns.find((compiled) => matches(compiled, path, folded))?.pattern;
  }
}

interface CompiledPattern {
  readonly pattern: string;
  readonly exact: RegExp;
  readonly folded: RegExp;
}

function matches(compiled: CompiledPattern, path: string, folded: string): boolean {
  return compiled.exact.test(path) || compiled.folded.test(folded);
}

function compilePattern(pattern: string): CompiledPattern {
  const anywhere = pattern.includes("/") ? pattern.replace(/\/$/, "") : `**/${pattern}`;
  return { pattern, exact: compileGlob(anywhere), folded: compileGlob(foldLetters(anywhere)) };
}

function compileGlob(glob: string): RegExp {
  // "s": a name may hold a line break, and `**` must cross it.
  return new RegExp(picomatch.makeRe(glob, { dot: true, nonegate: true }).source, "s");
}

function union(expressions: readonly RegExp[]): RegExp {
  if (expressions.length === 0) return /(?!)/;
  return new RegExp(expressions.map(({ source }) => `(?:${source})`).join("|"), "s");
}

/** How the most lenient file systems see a path. */
function foldPath(path: string): string {
  return foldLetters(path)
    .split("/")
    .map((name) => name.replace(/(?<=.):.*$/s, "").replace(/(?<=[^. ])[. ]+$/, ""))
    .join("/");
}

function foldLetters(text: string): string {
  // Invisible characters are dropped: HFS+ ignores them in names. The long s and the Kelvin sign fold onto s and k.
  return text
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFC");
}
