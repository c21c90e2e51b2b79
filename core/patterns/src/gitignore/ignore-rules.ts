import { maxIgnoreRules } from "../limits.ts";
import { compileIgnorePattern } from "./ignore-pattern.ts";

/** The rules of one .gitignore, and of those in the folders above it. */
export interface IgnoreRules {
  /** Names between the root and the folder of these rules. */
  readonly depth: number;
  readonly rules: readonly IgnoreRule[];
  readonly above: IgnoreRules | undefined;
}

export interface IgnoreRule {
  readonly negated: boolean;
  readonly folderOnly: boolean;
  /** What the pattern is compared with: the entry's name, or its path from the folder of the rules on. */
  readonly subject: "name" | "path";
  readonly matches: (subject: string) => boolean;
}

/**
 * Reads a .gitignore as Git does; lines that mean nothing are left out.
 * @param content  the file's bytes, each written as one character (latin1)
 */
export function parseIgnoreRules(content: string): readonly IgnoreRule[] {
  return content
    .replace(/^\xef\xbb\xbf/, "")
    .split("\n")
    .map(parseLine)
    .filter((rule) => rule !== undefined)
    .slice(0, maxIgnoreRules);
}

/** A name in a folder that is not ignored itself; as `bytesText` gives them. */
export interface NamedEntry {
  /** From the root to the folder. */
  readonly folders: readonly string[];
  readonly name: string;
  readonly isFolder: boolean;
}

/** Whether it is ignored; `undefined`: no rule speaks of it. The last rule that does decides, those of deeper folders first. */
export function judgeIgnored(rules: IgnoreRules | undefined, entry: NamedEntry): "ignored" | "kept" | undefined {
  for (let level = rules; level !== undefined; level = level.above) {
    let path: string | undefined;
    for (let at = level.rules.length - 1; at >= 0; at -= 1) {
      const rule = level.rules[at];
      if (rule === undefined || (rule.folderOnly && !entry.isFolder)) continue;
      if (rule.subject === "path") path ??= [...entry.folders.slice(level.depth), entry.name].join("/");
      if (rule.matches(rule.subject === "path" ? (path ?? "") : entry.name)) return rule.negated ? "kept" : "ignored";
    }
  }
  return undefined;
}

/** The UTF-8 bytes of a name, each written as one character: what rules are compared with. */
export function bytesText(name: string): string {
  // oxlint-disable-next-line no-control-regex -- that is what ASCII is
  if (/^[\0-\x7f]*$/.test(name)) return name;
  const encoded = encodeURIComponent(name.toWellFormed());
  return encoded.replaceAll(/%(..)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

function parseLine(line: string): IgnoreRule | undefined {
  if (line.startsWith("#")) return undefined;
  const text = withoutTrailingSpaces(line.replace(/\r$/, ""));
  const negated = text.startsWith("!");
  const body = negated ? text.slice(1) : text;
  const folderOnly = body.endsWith("/");
  const path = folderOnly ? body.slice(0, -1) : body;
  if (path === "") return undefined;
  const subject = path.includes("/") ? "path" : "name";
  const pattern = compileIgnorePattern(path.replace(/^\//, ""));
  return pattern === undefined ? undefined : { negated, folderOnly, subject, matches: pattern.matches };
}

function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " " && !isEscaped(line, end - 1)) end -= 1;
  return line.slice(0, end);
}

function isEscaped(line: string, at: number): boolean {
  let slashes = 0;
  while (line[at - 1 - slashes] === "\\") slashes += 1;
  return slashes % 2 === 1;
}
