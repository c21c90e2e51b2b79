import type { Draft, Place } from "../draft.ts";
import { lineAt, spotsOf, spotUnder } from "./spots.ts";

/** Brackets, each with its other half. */
const halves: Readonly<Record<string, string>> = {
  "(": ")",
  ")": "(",
  "[": "]",
  "]": "[",
  "{": "}",
  "}": "{",
};

const openers = "([{";

/** The other half of the first bracket at or behind the caret in its line. */
export function otherBracket(draft: Draft): Place | null {
  const { line, at } = draft.caret;
  const items = lineAt(draft, line);
  const from = items.findIndex((item, index) => index >= at && typeof item === "string" && halves[item] !== undefined);
  const bracket = items[from];
  if (typeof bracket !== "string") return null;
  return half(draft, { line, at: from }, { bracket, other: halves[bracket], by: openers.includes(bracket) ? 1 : -1 });
}

/** The brackets around the caret, or under it. */
export function bracketsAround(draft: Draft, opener: string, closer: string, count: number): [Place, Place] | null {
  let open: Place | null = draft.caret;
  for (let left = count; left > 0 && open !== null; left -= 1) {
    const isUnder = left === count && lineAt(draft, open.line)[open.at] === opener;
    if (!isUnder) open = half(draft, open, { bracket: closer, other: opener, by: -1 });
  }
  const close = open === null ? null : half(draft, open, { bracket: opener, other: closer, by: 1 });
  return open === null || close === null ? null : [open, close];
}

interface Search {
  /** One more of these, and one more of the other is passed over. */
  readonly bracket: string;
  readonly other: string | undefined;
  readonly by: 1 | -1;
}

/** From a bracket, or from within a pair, to the other half. */
function half(draft: Draft, from: Place, { bracket, other, by }: Search): Place | null {
  const spots = spotsOf(draft, false);
  let depth = 1;
  for (let at = spotUnder(spots, from) + by; ; at += by) {
    const spot = spots[at];
    if (spot === undefined) return null;
    const item = lineAt(draft, spot.line)[spot.at];
    if (item === bracket) depth += 1;
    if (item === other) depth -= 1;
    if (depth === 0) return { line: spot.line, at: spot.at };
  }
}

/** The empty line behind (or before) the block of lines, or the end of the draft. */
export function blockEdge(draft: Draft, by: 1 | -1, count: number): Place {
  let { line } = draft.caret;
  const isThere = (): boolean => line >= 0 && line < draft.lines.length;
  const isEmpty = (): boolean => lineAt(draft, line).length === 0;
  for (let left = count; left > 0 && isThere(); left -= 1) {
    while (isThere() && isEmpty()) line += by;
    while (isThere() && !isEmpty()) line += by;
  }
  if (line < 0) return { line: 0, at: 0 };
  const last = draft.lines.length - 1;
  return line > last ? { line: last, at: lineAt(draft, last).length } : { line, at: 0 };
}
