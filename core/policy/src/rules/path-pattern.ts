import {
  compileGlob,
  DenyPatterns,
  foldLetters,
  foldPath,
  type Glob,
  pathPatternProblem,
  type PatternText,
} from "@capstan/patterns";
import { compileRegex, occursInText, type Regex } from "../regex/regex.ts";
import { regexMark } from "./regex-mark.ts";
import { maxPatternCharacters } from "../limits.ts";

/** What a rule says about paths. */
export type PathPattern = PathGlob | PathRegex | ProtectedPath;

/**
 * A glob over paths: `*`, `?`, `[…]`, `{a,b}` inside a part, `**` for any number of parts; dot files match; a pattern that
 * does not begin with `/` is taken from the workspace's top, so that `src/**` is not `x/src/y`.
 */
interface PathGlob {
  readonly type: "glob";
  readonly text: string;
  readonly absolute: boolean;
  /** It begins with `**` and so speaks of paths outside the workspace, too. */
  readonly anywhere: boolean;
  readonly exact: Glob;
  readonly folded: Glob;
}

/** It may match anywhere in a name. */
interface PathRegex {
  readonly type: "regex";
  readonly regex: Regex;
}

/** A deny pattern, as the file tools and the sandbox read it. */
interface ProtectedPath {
  readonly type: "protected";
  readonly denied: DenyPatterns;
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
  const options = { dot: true, folderItself: true, literalSets: true } as const;
  const exact = compileGlob(whole, options);
  const folded = compileGlob(whole, { ...options, fold: foldLetters });
  if ("problem" in exact) return exact;
  if ("problem" in folded) return folded;
  return { type: "glob", text, absolute, anywhere: !absolute && /^\*\*(?:\/|$)/.test(whole), exact, folded };
}

/** Reads a deny pattern, or says what is expected. */
export function protectedPath(pattern: string): PathPattern | { readonly problem: string } {
  const denied = DenyPatterns.read([pattern]);
  return "problem" in denied ? { problem: denied.problem } : { type: "protected", denied };
}

/**
 * Whether a path has a name that fits.
 * @param names  the path as it may be called: relative to the workspace, absolute
 */
export function matchesPath(pattern: PathPattern, names: readonly string[]): boolean {
  switch (pattern.type) {
    case "glob":
      return names.some((name) => matchesName(pattern, pattern.exact, name));
    case "regex":
      return names.some((name) => occursInText(pattern.regex, name));
    case "protected":
      return pattern.denied.find(names) !== undefined;
  }
}

/** The same for a rule that denies or asks: it also means what a file system without case and Unicode forms takes for the same name. */
export function restrictsPath(pattern: PathPattern, names: readonly string[]): boolean {
  if (matchesPath(pattern, names)) return true;
  return pattern.type === "glob" && names.some((name) => matchesName(pattern, pattern.folded, foldPath(name)));
}

/** Whether a text may hold a name that the pattern restricts: most do not, and that is seen at a glance. */
export function mayName(pattern: PathPattern, text: PatternText): boolean {
  switch (pattern.type) {
    case "glob":
      return text.text.includes(pattern.exact.letters) || text.letters.includes(pattern.folded.letters);
    case "regex":
      return true;
    case "protected":
      return pattern.denied.mayName(text);
  }
}

function matchesName({ text, absolute, anywhere }: PathGlob, glob: Glob, name: string): boolean {
  const plain = name.replace(/^(?:\.\/)+/, "");
  if (name.startsWith("/") !== absolute && !anywhere) return false;
  return plain === text || glob.matches(withoutEmptyNames(plain));
}

function regexPattern(text: string): PathPattern | { readonly problem: string } {
  const regex = compileRegex(text.slice(regexMark.length));
  return "problem" in regex ? regex : { type: "regex", regex };
}

function withoutEmptyNames(path: string): string {
  return path
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");
}

function problemOfPath(text: string): string | undefined {
  if (text === "") return "the pattern is empty; leave the parentheses out to mean every path";
  if (text.length > maxPatternCharacters) return `the pattern is over ${maxPatternCharacters} characters`;
  if (text.startsWith("!")) return "a pattern cannot be negated; write a second rule with another verdict";
  if (/\{[^}]*\/[^}]*\}/.test(text)) return "braces may not hold a `/`; write one rule per path";
  if (text.split("/").some((part) => part !== "**" && part.includes("**")))
    return "`**` must be a whole part, as in `src/**`";
  return pathPatternProblem(text);
}
