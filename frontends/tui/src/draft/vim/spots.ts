import type { Draft, Item, Line, Place } from "../draft.ts";

/** What a letter is to motions by word: runs of one kind in one line are a word. */
export type Kind = "empty" | "blank" | "word" | "sign" | "token";

/** A letter of the draft, or a line that has none. */
export interface Spot extends Place {
  readonly kind: Kind;
}

/** From one place up to another, without what stands at it; or whole lines, both included. */
export interface Range {
  readonly from: Place;
  readonly to: Place;
  readonly isLines: boolean;
}

/** @param isBig  whatever is not blank is of one kind */
export function spotsOf({ lines }: Draft, isBig: boolean): readonly Spot[] {
  return lines.flatMap((items, line): readonly Spot[] =>
    items.length === 0
      ? [{ line, at: 0, kind: "empty" }]
      : items.map((item, at) => ({ line, at, kind: kindOf(item, isBig) })),
  );
}

export function kindOf(item: Item, isBig: boolean): Kind {
  if (isBlank(item)) return "blank";
  if (isBig) return "word";
  if (typeof item !== "string") return "token";
  return /[\p{L}\p{N}\p{M}_]/u.test(item) ? "word" : "sign";
}

export function isBlank(item: Item | undefined): boolean {
  return typeof item === "string" && /^\s/.test(item);
}

/** Of the spot under the caret; a caret behind the last letter counts as on it. */
export function spotUnder(spots: readonly Spot[], { line, at }: Place): number {
  return Math.max(
    0,
    spots.findLastIndex((spot) => spot.line === line && spot.at <= at),
  );
}

export function startsWord(spots: readonly Spot[], at: number): boolean {
  const [before, spot] = [spots[at - 1], spots[at]];
  if (spot === undefined || spot.kind === "blank") return false;
  return before === undefined || before.line !== spot.line || before.kind !== spot.kind;
}

export function endsWord(spots: readonly Spot[], at: number): boolean {
  const [spot, after] = [spots[at], spots[at + 1]];
  if (spot === undefined || spot.kind === "blank" || spot.kind === "empty") return false;
  return after === undefined || after.line !== spot.line || after.kind !== spot.kind;
}

export function lineAt({ lines }: Draft, line: number): Line {
  return lines[line] ?? [];
}

/** The first letter of a line that is not blank; of a blank line, its last. */
export function firstWritten(line: Line): number {
  const at = line.findIndex((item) => !isBlank(item));
  return at === -1 ? Math.max(0, line.length - 1) : at;
}

/** Outside insert mode the caret stands on a letter, where its line has one. */
export function onLetter(draft: Draft): Draft {
  const { lines, caret } = draft;
  const last = Math.max(0, (lines[caret.line]?.length ?? 0) - 1);
  return caret.at <= last ? draft : { ...draft, caret: { line: caret.line, at: last } };
}
