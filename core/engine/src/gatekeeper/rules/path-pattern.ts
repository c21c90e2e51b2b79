import picomatch from "picomatch";
import { compileRegex, occursInText, type Regex } from "../regex/regex.ts";
import { regexMark } from "./regex-mark.ts";
import { maxPathPartCharacters, maxPatternCharacters, maxStarsPerPathPart } from "../limits.ts";

/**
 * A glob over paths: `*`, `?`, `[…]`, `{a,b}` inside a part, `**` for any number of parts; dot files match; a pattern that
 * does not begin with `/` is taken from the workspace's top, so that `src/**` is not `x/src/y`.
 */
export interface PathPattern {
  readonly text: string;
  readonly absolute: boolean;
  /** One test per part; `undefined` stands for `**`. */
  readonly parts: readonly (PartTest | undefined)[];
  /** Letters that every name it fits holds. */
  readonly letters: string;
  /** In place of the parts: it may match anywhere in a name. */
  readonly regex?: Regex;
}

/** Reads a path pattern, or says what is expected. */
export function compilePathPattern(pattern: string): PathPattern | { readonly problem: string } {
  if (pattern.trim().startsWith(regexMark)) return regexPattern(pattern.trim());
  const text = pattern
    .trim()
    .replace(/^(?:\.\/)+/, "")
    .replace(/^\/{2,}/, "/");
  const problem = problemOfPath(text);
  if (problem !== undefined) return { problem };
  const absolute = text.startsWith("/");
  const body = text.slice(absolute ? 1 : 0);
  const whole = body === "*" ? "**" : body.endsWith("/") ? `${body}**` : body;
  const parts = whole.split("/").filter((part, index, all) => part !== "**" || all[index - 1] !== "**");
  return {
    text,
    absolute,
    letters: longestLiteral(text),
    parts: parts.map((part) => (part === "**" ? undefined : compilePart(part))),
  };
}

/**
 * Whether a path has a name that fits.
 * @param names  the path as it may be called: relative to the workspace, absolute
 */
export function matchesPath(pattern: PathPattern, names: readonly string[]): boolean {
  const { regex } = pattern;
  if (regex !== undefined) return names.some((name) => occursInText(regex, name));
  return names.some((name) => {
    if (name.startsWith("/") !== pattern.absolute) return pattern.parts.length > 0 && matchesAnywhere(pattern, name);
    const plain = name.replace(/^(?:\.\/)+/, "");
    return plain === pattern.text || matchesParts(pattern.parts, splitPath(plain));
  });
}

function regexPattern(text: string): PathPattern | { readonly problem: string } {
  const regex = compileRegex(text.slice(regexMark.length));
  return "problem" in regex ? regex : { text, absolute: false, parts: [], letters: "", regex };
}

function longestLiteral(pattern: string): string {
  const runs = pattern.split(/[*?[\]{},/\\]+/);
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), "");
}

type PartTest = (part: string) => boolean;

/** A pattern that begins with `**` speaks of paths outside the workspace too; otherwise relative and absolute never meet. */
function matchesAnywhere(pattern: PathPattern, name: string): boolean {
  return !pattern.absolute && pattern.parts[0] === undefined && matchesParts(pattern.parts, splitPath(name));
}

/** Table over pattern parts × path parts, row by row: no pattern makes it slow. */
function matchesParts(tests: readonly (PartTest | undefined)[], path: readonly string[]): boolean {
  // reached[i]: the tests so far match the first i parts of the path.
  let reached: readonly boolean[] = [true, ...path.map(() => false)];
  for (const test of tests) {
    const next: boolean[] = [];
    for (let count = 0; count <= path.length; count += 1) {
      const part = path[count - 1];
      const before = reached[count - 1] === true;
      if (test === undefined) next.push(reached[count] === true || next[count - 1] === true);
      else next.push(before && part !== undefined && test(part));
    }
    reached = next;
  }
  return reached[path.length] === true;
}

function compilePart(part: string): PartTest {
  const isMatch = picomatch(part, { dot: true, noextglob: true, nonegate: true, windows: false });
  return (name) => name === part || (name.length <= maxPathPartCharacters && isMatch(name));
}

function splitPath(name: string): readonly string[] {
  return name.split("/").filter((part) => part !== "" && part !== ".");
}

function problemOfPath(text: string): string | undefined {
  if (text === "") return "the pattern is empty; leave the parentheses out to mean every path";
  if (text.length > maxPatternCharacters) return `the pattern is over ${maxPatternCharacters} characters`;
  if (text === "~" || text.startsWith("~/")) return "`~` is not expanded; write the absolute path, as in `/home/me/**`";
  if (text.startsWith("!")) return "a pattern cannot be negated; write a second rule with another verdict";
  const parts = text.split("/");
  if (parts.includes("..")) return "`..` never matches; write an absolute path";
  if (/\{[^}]*\/[^}]*\}/.test(text)) return "braces may not hold a `/`; write one rule per path";
  if (parts.some((part) => part !== "**" && part.includes("**"))) return "`**` must be a whole part, as in `src/**`";
  if (parts.some((part) => part !== "**" && part.split("*").length - 1 > maxStarsPerPathPart)) {
    return `more than ${maxStarsPerPathPart} \`*\` in one part of the path`;
  }
  return undefined;
}
