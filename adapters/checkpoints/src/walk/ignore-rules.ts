import { maxIgnoreRules } from "../limits.ts";
import { NamePattern, splitPattern } from "./name-pattern.ts";

/** The rules of one .gitignore, and of those in the folders above it. */
export interface IgnoreRules {
  /** Names between the root and the folder of these rules. */
  readonly depth: number;
  readonly rules: readonly IgnoreRule[];
  readonly above: IgnoreRules | undefined;
}

interface IgnoreRule {
  readonly negated: boolean;
  readonly folderOnly: boolean;
  readonly matches: Matcher;
}

/** Reads a .gitignore as Git does; lines that mean nothing are left out. */
export function parseIgnoreRules(content: Buffer): readonly IgnoreRule[] {
  return content
    .toString("latin1")
    .replace(/^\xef\xbb\xbf/, "")
    .split("\n", maxIgnoreRules)
    .map(parseLine)
    .filter((rule) => rule !== undefined);
}

/** A name in a folder that is not ignored itself; as latin1 text of the bytes. */
export interface NamedEntry {
  /** From the root to the folder. */
  readonly folders: readonly string[];
  readonly name: string;
  readonly isFolder: boolean;
}

/** Whether it is ignored: the last rule that speaks of it decides, those of deeper folders first. */
export function isIgnored(rules: IgnoreRules | undefined, entry: NamedEntry): boolean {
  for (let level = rules; level !== undefined; level = level.above) {
    for (let at = level.rules.length - 1; at >= 0; at -= 1) {
      const rule = level.rules[at];
      if (rule === undefined || (rule.folderOnly && !entry.isFolder)) continue;
      if (rule.matches(entry, level.depth)) return !rule.negated;
    }
  }
  return false;
}

/** @param depth  names between the root and the folder of the rule */
type Matcher = (entry: NamedEntry, depth: number) => boolean;

function parseLine(line: string): IgnoreRule | undefined {
  if (line.startsWith("#")) return undefined;
  const text = withoutTrailingSpaces(line.replace(/\r$/, ""));
  const negated = text.startsWith("!");
  const body = negated ? text.slice(1) : text;
  const folderOnly = body.endsWith("/");
  const path = folderOnly ? body.slice(0, -1) : body;
  if (path === "") return undefined;
  const matches = path.includes("/") ? pathMatcher(path.replace(/^\//, "")) : nameMatcher(path);
  return matches === undefined ? undefined : { negated, folderOnly, matches };
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

function nameMatcher(text: string): Matcher | undefined {
  if (!/[*?[\\]/.test(text)) return ({ name }) => name === text;
  const pattern = NamePattern.parse(text);
  return pattern === undefined ? undefined : ({ name }) => pattern.matches(name);
}

/** Any number of folders, at the place of `**` between slashes. */
const anyFolders = "any-folders";

function pathMatcher(text: string): Matcher | undefined {
  const parts = splitPattern(text)?.map((part) => (part === "**" ? anyFolders : NamePattern.parse(part)));
  if (parts === undefined || !parts.every((part) => part !== undefined)) return undefined;
  const last = parts.at(-1);
  const isOpen = parts.includes(anyFolders);
  return ({ folders, name }, depth) => {
    // Nearly every name is none of it, and that is seen at a glance.
    if (!isOpen && folders.length - depth + 1 !== parts.length) return false;
    if (last !== undefined && last !== anyFolders && !last.matches(name)) return false;
    return matchParts(parts, [...folders.slice(depth), name]);
  };
}

/** Part by part; `reached` are the numbers of names that the parts so far can stand for. */
function matchParts(parts: readonly (NamePattern | typeof anyFolders)[], names: readonly string[]): boolean {
  let reached = new Set([0]);
  for (const [at, part] of parts.entries()) {
    const next = new Set<number>();
    for (const count of reached) {
      if (part === anyFolders) {
        // At the end it stands for what lies in the folder: at least one name.
        const least = at === parts.length - 1 ? count + 1 : count;
        for (let further = least; further <= names.length; further += 1) next.add(further);
      } else if (part.matches(names[count] ?? "") && count < names.length) next.add(count + 1);
    }
    if (next.size === 0) return false;
    reached = next;
  }
  return reached.has(names.length);
}
