import {
  type Draft,
  endOf,
  insertLines,
  isBefore,
  type Item,
  linesBetween,
  type Place,
  placed,
  remembered,
  removeBetween,
} from "./draft.ts";
import { movedByRow } from "./draft-rows.ts";

/** Moves of the caret. */
export type Motion =
  | "left"
  | "right"
  | "word-left"
  | "word-right"
  | "line-start"
  | "line-end"
  | "draft-start"
  | "draft-end"
  | "up"
  | "down";

export type EditAction =
  | Motion
  | "newline"
  | "delete-left"
  | "delete-right"
  | "kill-word-left"
  | "kill-word-right"
  | "kill-line-start"
  | "kill-line-end"
  | "yank"
  | "undo"
  | "redo"
  | "clear";

/** @param columns  cells of a row of the draft, for moves by row */
export function editDraft(draft: Draft, action: EditAction, columns: number): Draft {
  switch (action) {
    case "up":
    case "down":
      return movedByRow({ ...draft, isTyping: false }, action === "up" ? -1 : 1, columns);
    case "newline":
      return insertLines(remembered(draft), [[], []]);
    case "delete-left":
      return removed(draft, placeOf(draft, "left"));
    case "delete-right":
      return removed(draft, placeOf(draft, "right"));
    case "kill-word-left":
      return killed(draft, placeOf(draft, "word-left"));
    case "kill-word-right":
      return killed(draft, placeOf(draft, "word-right"));
    case "kill-line-start":
      return killed(draft, draft.caret.at === 0 ? placeOf(draft, "left") : placeOf(draft, "line-start"));
    case "kill-line-end":
      return killed(draft, isAtLineEnd(draft) ? placeOf(draft, "right") : placeOf(draft, "line-end"));
    case "yank":
      return draft.killed.length === 0 ? draft : insertLines(remembered(draft), draft.killed);
    case "undo":
      return undone(draft);
    case "redo":
      return redone(draft);
    case "clear":
      return isSame(draft.caret, { line: 0, at: 0 }) && draft.lines.length === 1 && draft.lines[0]?.length === 0
        ? draft
        : placed(remembered(draft), [[]], { line: 0, at: 0 });
    default:
      return { ...draft, caret: placeOf(draft, action), goal: null, isTyping: false };
  }
}

/** Where a motion leads; the caret itself where there is nothing further. */
function placeOf(draft: Draft, motion: Exclude<Motion, "up" | "down">): Place {
  const { lines, caret } = draft;
  const line = lines[caret.line] ?? [];
  switch (motion) {
    case "left":
      if (caret.at > 0) return { line: caret.line, at: caret.at - 1 };
      return caret.line === 0 ? caret : { line: caret.line - 1, at: lines[caret.line - 1]?.length ?? 0 };
    case "right":
      if (caret.at < line.length) return { line: caret.line, at: caret.at + 1 };
      return caret.line >= lines.length - 1 ? caret : { line: caret.line + 1, at: 0 };
    case "word-left":
      return wordLeft(draft);
    case "word-right":
      return wordRight(draft);
    case "line-start":
      return { line: caret.line, at: 0 };
    case "line-end":
      return { line: caret.line, at: line.length };
    case "draft-start":
      return { line: 0, at: 0 };
    case "draft-end":
      return endOf(lines);
  }
}

function wordLeft(draft: Draft): Place {
  let place = draft.caret;
  const step = (): Place => placeOf({ ...draft, caret: place }, "left");
  const before = (): Item | undefined => draft.lines[place.line]?.[place.at - 1];
  while (!isWord(before()) && !isSame(step(), place)) place = step();
  while (isWord(before())) place = step();
  return place;
}

function wordRight(draft: Draft): Place {
  let place = draft.caret;
  const step = (): Place => placeOf({ ...draft, caret: place }, "right");
  const after = (): Item | undefined => draft.lines[place.line]?.[place.at];
  while (!isWord(after()) && !isSame(step(), place)) place = step();
  while (isWord(after())) place = step();
  return place;
}

function isWord(item: Item | undefined): boolean {
  return item !== undefined && (typeof item !== "string" || /[\p{L}\p{N}\p{M}_]/u.test(item));
}

function isAtLineEnd({ lines, caret }: Draft): boolean {
  return caret.at >= (lines[caret.line]?.length ?? 0);
}

function removed(draft: Draft, to: Place): Draft {
  return isSame(draft.caret, to) ? draft : removeBetween(remembered(draft), draft.caret, to);
}

/** Taken out, and kept for `yank`. */
function killed(draft: Draft, to: Place): Draft {
  return isSame(draft.caret, to) ? draft : { ...removed(draft, to), killed: linesBetween(draft, draft.caret, to) };
}

function undone(draft: Draft): Draft {
  const { lines, caret, past, future } = draft;
  const version = past.at(-1);
  if (version === undefined) return draft;
  return {
    ...placed(draft, version.lines, version.caret),
    past: past.slice(0, -1),
    future: [...future, { lines, caret }],
    isTyping: false,
  };
}

function redone(draft: Draft): Draft {
  const { lines, caret, past, future } = draft;
  const version = future.at(-1);
  if (version === undefined) return draft;
  return {
    ...placed(draft, version.lines, version.caret),
    past: [...past, { lines, caret }],
    future: future.slice(0, -1),
    isTyping: false,
  };
}

function isSame(one: Place, other: Place): boolean {
  return isBefore(one, other) && isBefore(other, one);
}
