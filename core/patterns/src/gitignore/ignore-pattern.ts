import { AutomatonBuilder, type Examination, type State, type UnitTest } from "../automaton.ts";
import { parseCharacterSet } from "../character-set.ts";

/** A pattern of a .gitignore without its marks. Works on bytes, as Git does: patterns and names are bytes written as characters. */
export interface IgnorePattern {
  readonly matches: (text: string) => boolean;
  /** The same with the number of steps it took. */
  readonly examine: (text: string) => Examination;
}

/** @returns `undefined` for a pattern that Git takes for broken: it matches nothing */
export function compileIgnorePattern(pattern: string): IgnorePattern | undefined {
  const wildcard = pattern.search(/[*?[\\]/);
  // Git compares what stands before the first wildcard by itself, so that the rest starts over: `a**` continues below `a`.
  const prefix = wildcard === -1 ? pattern : pattern.slice(0, wildcard);
  const rest = pattern.slice(prefix.length);
  if (rest === "") return withPrefix(prefix, (text) => ({ matches: text === "", steps: 1 }));
  const tokens = readTokens(Array.from(rest));
  if (tokens === undefined) return undefined;
  const builder = new AutomatonBuilder();
  const automaton = builder.build(startOf(tokens, builder));
  return withPrefix(prefix, (text) => automaton.examine(Array.from(text)));
}

function withPrefix(prefix: string, examineRest: (rest: string) => Examination): IgnorePattern {
  const examine = (text: string): Examination =>
    text.startsWith(prefix) ? examineRest(text.slice(prefix.length)) : { matches: false, steps: 1 };
  return { examine, matches: (text) => examine(text).matches };
}

/** `any-names` stands for what it finds; with the slash behind it, also for nothing. */
type Token =
  | { readonly type: "one"; readonly test: UnitTest; readonly isPlainSlash?: boolean }
  | { readonly type: "any-bytes" }
  | { readonly type: "any-names" };

function readTokens(units: readonly string[]): readonly Token[] | undefined {
  const tokens: Token[] = [];
  for (let at = 0; at < units.length;) {
    const found = readToken(units, at);
    if (found === undefined) return undefined;
    tokens.push(found.token);
    at = found.end;
  }
  return tokens;
}

function readToken(units: readonly string[], at: number): { readonly token: Token; readonly end: number } | undefined {
  const unit = units[at];
  switch (unit) {
    case "*": {
      let end = at + 1;
      while (units[end] === "*") end += 1;
      return { token: { type: isWholeName(units, at, end) ? "any-names" : "any-bytes" }, end };
    }
    case "?":
      return { token: { type: "one", test: isInName }, end: at + 1 };
    case "[": {
      const set = parseCharacterSet(units, at);
      if (set === undefined) return undefined;
      const { lists, negated, end } = set;
      return { token: { type: "one", test: (byte) => byte !== "/" && lists(byte) !== negated }, end };
    }
    case "\\": {
      const escaped = units[at + 1];
      return escaped === undefined ? undefined : { token: byteToken(escaped, false), end: at + 2 };
    }
    default:
      return { token: byteToken(unit ?? "", true), end: at + 1 };
  }
}

/** Two stars or more, between slashes or ends. */
function isWholeName(units: readonly string[], start: number, end: number): boolean {
  if (end - start < 2 || (start > 0 && units[start - 1] !== "/")) return false;
  return end === units.length || units[end] === "/" || (units[end] === "\\" && units[end + 1] === "/");
}

function byteToken(byte: string, isPlain: boolean): Token {
  return { type: "one", test: (unit) => unit === byte, isPlainSlash: isPlain && byte === "/" };
}

function isInName(byte: string): boolean {
  return byte !== "/";
}

function startOf(tokens: readonly Token[], builder: AutomatonBuilder): State {
  let next = builder.accept;
  let afterNext = builder.accept;
  for (const [index, token] of [...tokens.entries()].toReversed()) {
    const following = tokens[index + 1];
    const isSkipped = following?.type === "one" && following.isPlainSlash === true;
    const state = stateOf(token, { next, afterNext: isSkipped ? afterNext : builder.never }, builder);
    [next, afterNext] = [state, next];
  }
  return next;
}

function stateOf(
  token: Token,
  { next, afterNext }: { readonly next: State; readonly afterNext: State },
  builder: AutomatonBuilder,
): State {
  switch (token.type) {
    case "one":
      return builder.one(token.test, next);
    case "any-bytes":
      return builder.loop(isInName, next);
    case "any-names":
      return builder.fork(
        builder.loop(() => true, next),
        afterNext,
      );
  }
}
