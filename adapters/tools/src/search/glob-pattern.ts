import { maxGlobExpansions } from "./limits.ts";

/**
 * A glob, matched without regular expressions: the time is bounded by the product of the lengths, whatever a repository or
 * a model writes. `*`, `?` and `[…]` stay inside one name; `**` as a whole name stands for any number of names.
 */
export interface GlobPattern {
  /** @param path  names joined by "/", relative to where the pattern is anchored */
  matches(path: string): boolean;
}

/**
 * @param dot  whether wildcards match a leading dot
 * @returns `undefined` for what no glob means: an open bracket, a backslash at the end
 */
export function compileGlob(pattern: string, dot: boolean): GlobPattern | undefined {
  const segments: Segment[] = [];
  for (const name of pattern.split("/")) {
    if (name === "**") {
      if (segments.at(-1)?.type !== "any-names") segments.push({ type: "any-names" });
      continue;
    }
    const tokens = parseName(Array.from(name));
    if (tokens === undefined) return undefined;
    segments.push({ type: "name", tokens });
  }
  // `a/**` means what is inside of `a`, not `a`.
  if (segments.at(-1)?.type === "any-names") segments.splice(-1, 0, { type: "name", tokens: [{ type: "star" }] });
  return { matches: (path) => matchSegments(segments, path.split("/"), dot) };
}

/** @returns the alternatives of `{a,b}` and `{1..3}`; `undefined` when there are too many */
export function expandBraces(pattern: string): readonly string[] | undefined {
  const done: string[] = [];
  const waiting = [pattern];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const group = findGroup(next);
    if (group === undefined) done.push(next);
    else waiting.push(...group.toReversed());
    if (done.length + waiting.length > maxGlobExpansions) return undefined;
  }
  return done;
}

type Token =
  | { readonly type: "literal"; readonly character: string }
  | { readonly type: "any" }
  | { readonly type: "star" }
  | { readonly type: "class"; readonly negated: boolean; readonly ranges: readonly (readonly [string, string])[] };

type Segment = { readonly type: "any-names" } | { readonly type: "name"; readonly tokens: readonly Token[] };

function parseName(characters: readonly string[]): readonly Token[] | undefined {
  const tokens: Token[] = [];
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index] ?? "";
    if (character === "*") {
      if (tokens.at(-1)?.type !== "star") tokens.push({ type: "star" });
    } else if (character === "?") {
      tokens.push({ type: "any" });
    } else if (character === "[") {
      const parsed = parseClass(characters, index);
      if (parsed === undefined) return undefined;
      tokens.push(parsed.token);
      index = parsed.end;
    } else if (character === "\\") {
      index += 1;
      const escaped = characters[index];
      if (escaped === undefined) return undefined;
      tokens.push({ type: "literal", character: escaped });
    } else {
      tokens.push({ type: "literal", character });
    }
  }
  return tokens;
}

function parseClass(characters: readonly string[], begin: number): { token: Token; end: number } | undefined {
  const negated = ["!", "^"].includes(characters[begin + 1] ?? "");
  const ranges: (readonly [string, string])[] = [];
  const first = begin + (negated ? 2 : 1);
  for (let index = first; index < characters.length; index += 1) {
    // A bracket that comes first is one of the characters.
    if (characters[index] === "]" && index > first) return { token: { type: "class", negated, ranges }, end: index };
    if (characters[index] === "\\") index += 1;
    const from = characters[index];
    if (from === undefined) return undefined;
    const isRange = characters[index + 1] === "-" && ![undefined, "]"].includes(characters[index + 2]);
    ranges.push([from, isRange ? (characters[index + 2] ?? from) : from]);
    if (isRange) index += 2;
  }
  return undefined;
}

/** The last `**` is the only one that ever needs another try; the same holds for `*` inside a name. */
function matchSegments(segments: readonly Segment[], names: readonly string[], dot: boolean): boolean {
  let at = 0;
  let retry: { segment: number; name: number } | undefined;
  let index = 0;
  while (index < names.length) {
    const segment = segments[at];
    const name = names[index] ?? "";
    if (segment?.type === "any-names") {
      retry = { segment: at, name: index };
      at += 1;
    } else if (segment !== undefined && matchName(segment.tokens, name, dot)) {
      at += 1;
      index += 1;
    } else if (retry !== undefined && (dot || !(names[retry.name] ?? "").startsWith("."))) {
      retry.name += 1;
      at = retry.segment + 1;
      index = retry.name;
    } else {
      return false;
    }
  }
  return segments.slice(at).every(({ type }) => type === "any-names");
}

function matchName(tokens: readonly Token[], name: string, dot: boolean): boolean {
  const characters = Array.from(name);
  const first = tokens[0];
  if (!dot && name.startsWith(".") && !(first?.type === "literal" && first.character === ".")) return false;
  let at = 0;
  let retry: { token: number; index: number } | undefined;
  let index = 0;
  while (index < characters.length) {
    const token = tokens[at];
    if (token?.type === "star") {
      retry = { token: at, index };
      at += 1;
    } else if (token !== undefined && matchCharacter(token, characters[index] ?? "")) {
      at += 1;
      index += 1;
    } else if (retry !== undefined) {
      retry.index += 1;
      at = retry.token + 1;
      index = retry.index;
    } else {
      return false;
    }
  }
  return tokens.slice(at).every(({ type }) => type === "star");
}

function matchCharacter(token: Token, character: string): boolean {
  if (token.type === "literal") return token.character === character;
  if (token.type !== "class") return token.type === "any";
  return token.ranges.some(([from, to]) => from <= character && character <= to) !== token.negated;
}

/** The alternatives of the first group that is one: balanced, with a comma or a range. */
function findGroup(pattern: string): readonly string[] | undefined {
  for (let begin = pattern.indexOf("{"); begin !== -1; begin = pattern.indexOf("{", begin + 1)) {
    if (isEscaped(pattern, begin)) continue;
    const commas: number[] = [];
    const end = findGroupEnd(pattern, begin, commas);
    if (end === undefined) continue;
    const inner = pattern.slice(begin + 1, end);
    const items = commas.length > 0 ? splitAt(pattern, [begin, ...commas, end]) : expandRange(inner);
    if (items !== undefined) return items.map((item) => `${pattern.slice(0, begin)}${item}${pattern.slice(end + 1)}`);
  }
  return undefined;
}

function findGroupEnd(pattern: string, begin: number, commas: number[]): number | undefined {
  let depth = 0;
  for (let index = begin; index < pattern.length; index += 1) {
    const character = pattern[index];
    if (character === "\\") index += 1;
    else if (character === "{") depth += 1;
    else if (character === "," && depth === 1) commas.push(index);
    else if (character === "}") depth -= 1;
    if (depth === 0) return index;
  }
  return undefined;
}

function splitAt(pattern: string, marks: readonly number[]): readonly string[] {
  return marks.slice(1).map((mark, index) => pattern.slice((marks[index] ?? 0) + 1, mark));
}

function expandRange(inner: string): readonly string[] | undefined {
  const [, fromText = "", toText = ""] = /^(\d{1,6}|[a-zA-Z])\.\.(\d{1,6}|[a-zA-Z])$/.exec(inner) ?? [];
  const numeric = /^\d/.test(fromText);
  if (fromText === "" || numeric !== /^\d/.test(toText)) return undefined;
  const [from, to] = [fromText, toText].map((text) => (numeric ? Number(text) : text.charCodeAt(0)));
  if (from === undefined || to === undefined || Math.abs(to - from) >= maxGlobExpansions) return undefined;
  const step = from <= to ? 1 : -1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => {
    const value = from + index * step;
    return numeric ? String(value) : String.fromCharCode(value);
  });
}

function isEscaped(pattern: string, index: number): boolean {
  const backslashes = /\\*$/.exec(pattern.slice(0, index))?.[0] ?? "";
  return backslashes.length % 2 === 1;
}
