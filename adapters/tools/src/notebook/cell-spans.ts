/** Where something stands in a text. */
export interface Span {
  readonly begin: number;
  /** Behind its last character. */
  readonly end: number;
}

/** Where the list of cells stands, brackets included, and each cell in it. */
export interface CellSpans {
  readonly list: Span;
  readonly cells: readonly Span[];
}

/**
 * Finds the value of the outermost `cells` in a text that is known to be JSON, so that a cell can be changed and every other character stays.
 * @returns `undefined`: there is no such list
 */
export function cellSpans(json: string): CellSpans | undefined {
  const top = parts(json, skipBlanks(json, 0));
  // Of a name that is there twice, the last counts for whoever reads JSON.
  const member = top.filter(({ begin }) => nameAt(json, begin) === "cells").at(-1);
  if (member === undefined) return undefined;
  const begin = skipBlanks(json, skipBlanks(json, endOfValue(json, member.begin)) + 1);
  if (json.charAt(begin) !== "[") return undefined;
  return { list: { begin, end: endOfValue(json, begin) }, cells: parts(json, begin) };
}

/** What stands between the commas of the object or list that begins here. */
function parts(json: string, open: number): readonly Span[] {
  const found: Span[] = [];
  let at = skipBlanks(json, open + 1);
  while (at < json.length && !isClosing(json.charAt(at))) {
    const begin = at;
    let end = endOfValue(json, at);
    at = skipBlanks(json, end);
    if (json.charAt(at) === ":") {
      end = endOfValue(json, skipBlanks(json, at + 1));
      at = skipBlanks(json, end);
    }
    found.push({ begin, end });
    if (json.charAt(at) === ",") at = skipBlanks(json, at + 1);
  }
  return found;
}

function endOfValue(json: string, begin: number): number {
  const first = json.charAt(begin);
  if (first === '"') return endOfText(json, begin);
  if (first !== "{" && first !== "[") return endOfWord(json, begin);
  let depth = 0;
  for (let at = begin; at < json.length; at += 1) {
    const character = json.charAt(at);
    if (character === '"') at = endOfText(json, at) - 1;
    else if (character === "{" || character === "[") depth += 1;
    else if (isClosing(character)) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return json.length;
}

function endOfText(json: string, begin: number): number {
  for (let at = begin + 1; at < json.length; at += 1) {
    if (json.charAt(at) === "\\") at += 1;
    else if (json.charAt(at) === '"') return at + 1;
  }
  return json.length;
}

function endOfWord(json: string, begin: number): number {
  let at = begin;
  while (at < json.length && !/[\s,\]}:]/.test(json.charAt(at))) at += 1;
  return at;
}

function nameAt(json: string, begin: number): unknown {
  return json.charAt(begin) === '"' ? JSON.parse(json.slice(begin, endOfText(json, begin))) : undefined;
}

function skipBlanks(json: string, begin: number): number {
  let at = begin;
  while (at < json.length && /\s/.test(json.charAt(at))) at += 1;
  return at;
}

function isClosing(character: string): boolean {
  return character === "}" || character === "]";
}
