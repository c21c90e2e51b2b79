import { maxRobotsRules } from "../limits.ts";

/** What a robots.txt says to us. */
export interface RobotsRules {
  mayFetch(path: string): boolean;
}

interface Rule {
  readonly allows: boolean;
  readonly pattern: string;
}

export const everythingAllowed: RobotsRules = { mayFetch: () => true };

/**
 * Reads a robots.txt (RFC 9309). Of the groups whose name is a part of ours the longest name counts, else `*`; of the rules that match the
 * longest counts, and one that allows beats another of its length.
 * @param userAgent  ours
 */
export function parseRobots(text: string, userAgent: string): RobotsRules {
  const groups = readGroups(text);
  const ours = userAgent.toLowerCase();
  const names = [...groups.keys()].filter((name) => name !== "*" && name !== "" && ours.includes(name));
  const best = names.toSorted((a, b) => b.length - a.length)[0] ?? "*";
  const rules = groups.get(best) ?? [];
  return { mayFetch: (path) => judge(rules, path) };
}

function judge(rules: readonly Rule[], path: string): boolean {
  let best: Rule | undefined;
  for (const rule of rules) {
    if (best !== undefined && rule.pattern.length < best.pattern.length) continue;
    if (!matches(rule.pattern, path)) continue;
    if (best === undefined || rule.pattern.length > best.pattern.length || rule.allows) best = rule;
  }
  return best?.allows ?? true;
}

function readGroups(text: string): ReadonlyMap<string, readonly Rule[]> {
  const groups = new Map<string, Rule[]>();
  let named: string[] = [];
  let isNaming = false;
  let count = 0;
  for (const line of text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/)) {
    const [, key = "", value = ""] = /^\s*([A-Za-z-]+)\s*:\s*([^#]*)/.exec(line) ?? [];
    switch (key.toLowerCase()) {
      case "user-agent":
        named = isNaming ? [...named, value.trim().toLowerCase()] : [value.trim().toLowerCase()];
        isNaming = true;
        for (const name of named) groups.set(name, groups.get(name) ?? []);
        break;
      case "allow":
      case "disallow": {
        isNaming = false;
        count += 1;
        const pattern = normal(value.trim());
        if (pattern === "" || count > maxRobotsRules) break;
        for (const name of named) groups.get(name)?.push({ allows: key.toLowerCase() === "allow", pattern });
        break;
      }
      default:
        break;
    }
  }
  return groups;
}

/** Letters that an address spells by number are spelled so in rules, too. */
function normal(pattern: string): string {
  return pattern.replaceAll(/[^\u0021-\u007e]+/gu, (letters) => encodeURI(letters.toWellFormed()));
}

/** `*` stands for anything, `$` at the end for the end. Each piece is looked for once, from left to right. */
function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith("$");
  const [first = "", ...pieces] = (isWhole ? pattern.slice(0, -1) : pattern).split("*");
  if (!path.startsWith(first)) return false;
  let at = first.length;
  const last = isWhole && pieces.length > 0 ? (pieces.pop() ?? "") : undefined;
  for (const piece of pieces) {
    const found = path.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  if (last !== undefined) return path.length - last.length >= at && path.endsWith(last);
  return !isWhole || at === path.length;
}
