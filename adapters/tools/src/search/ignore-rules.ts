import { compileGlob, type GlobPattern } from "./glob-pattern.ts";

/** One line of a .gitignore. */
export interface IgnoreRule {
  readonly negated: boolean;
  readonly directoryOnly: boolean;
  readonly pattern: GlobPattern;
}

/** Reads a .gitignore as git does; lines that mean nothing are left out. */
export function parseIgnoreRules(text: string): readonly IgnoreRule[] {
  return text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .map(parseLine)
    .filter((rule) => rule !== undefined);
}

/**
 * The last rule that speaks of the path decides.
 * @param path  relative to the directory of the rules
 */
export function judgeByRules(
  rules: readonly IgnoreRule[],
  path: string,
  isDirectory: boolean,
): "ignored" | "kept" | undefined {
  const rule = rules.findLast((one) => (isDirectory || !one.directoryOnly) && one.pattern.matches(path));
  if (rule === undefined) return undefined;
  return rule.negated ? "kept" : "ignored";
}

function parseLine(line: string): IgnoreRule | undefined {
  if (line.startsWith("#")) return undefined;
  const trimmed = /\\\s$/.test(line) ? line : line.trimEnd();
  const negated = trimmed.startsWith("!");
  const body = negated ? trimmed.slice(1) : trimmed;
  const directoryOnly = body.endsWith("/");
  const path = directoryOnly ? body.slice(0, -1) : body;
  if (path === "") return undefined;
  const anchored = path.includes("/") ? path.replace(/^\//, "") : `**/${path}`;
  const pattern = compileGlob(anchored, true);
  return pattern === undefined ? undefined : { negated, directoryOnly, pattern };
}
