import { unreachable } from "@capstan/protocol";
import type { FileModel } from "./file-model.ts";
import { findMatches } from "./find-matches.ts";
import { nearestLimits, patchLimits } from "./limits.ts";
import { describeNearestLines } from "./nearest-lines.ts";
import { type MatchOperation, type Operation, operationLetters } from "./patch.ts";

/** What became of a section's operations: the new model, or the first one that does not fit (`operation` is 1-based). */
export type ApplyResult =
  | { readonly type: "applied"; readonly model: FileModel; readonly lineVisits: number }
  | { readonly type: "failed"; readonly operation: number; readonly problem: string; readonly advice: string };

/**
 * Applies operations in order, each to what the one before left. Nothing is kept when one fails.
 * @param visitedBefore  lines times operations that earlier sections of the patch took; the sum is bounded
 */
export function applyOperations(
  model: FileModel,
  operations: readonly Operation[],
  visitedBefore: number = 0,
): ApplyResult {
  let state: State = { lines: model.lines, finalNewline: model.finalNewline, wanted: model.finalNewline };
  let lineVisits = visitedBefore;
  for (const [index, operation] of operations.entries()) {
    lineVisits += state.lines.length;
    const step = lineVisits > patchLimits.maxLineVisits ? tooMuchWork : applyOperation(state, operation);
    if (step.type === "misfit") {
      return { type: "failed", operation: index + 1, problem: step.problem, advice: step.advice };
    }
    state = step.state;
  }
  return { type: "applied", model: { ...model, lines: state.lines, finalNewline: state.finalNewline }, lineVisits };
}

/** `wanted`: the final newline of the pre-image, or what the last `N` asked for; it counts whenever there are lines. */
interface State {
  readonly lines: readonly string[];
  readonly finalNewline: boolean;
  readonly wanted: boolean;
}

interface Misfit {
  readonly type: "misfit";
  readonly problem: string;
  readonly advice: string;
}

const tooMuchWork: Misfit = {
  type: "misfit",
  problem: "Too many operations for a file of this length",
  advice: "Send several patches.",
};

type Step = { readonly type: "state"; readonly state: State } | Misfit;

function applyOperation(state: State, operation: Operation): Step {
  switch (operation.type) {
    case "append":
      return withLines(state, [...state.lines, ...operation.block]);
    case "prepend":
      return withLines(state, [...operation.block, ...state.lines]);
    case "final-newline":
      return { type: "state", state: operation.present ? endedWithNewline(state) : endedWithoutNewline(state) };
    case "replace":
    case "insert-after":
    case "insert-before":
    case "erase": {
      const place = locate(state.lines, operation);
      return place.type === "misfit" ? place : withLines(state, spliced(state.lines, operation, place.index));
    }
    default:
      return unreachable(operation);
  }
}

function withLines(state: State, lines: readonly string[]): Step {
  return { type: "state", state: { lines, finalNewline: lines.length > 0 && state.wanted, wanted: state.wanted } };
}

function endedWithNewline(state: State): State {
  return { lines: state.lines.length === 0 ? [""] : state.lines, finalNewline: true, wanted: true };
}

function endedWithoutNewline(state: State): State {
  const onlyNewline = state.lines.length === 1 && state.lines[0] === "" && state.finalNewline;
  return { lines: onlyNewline ? [] : state.lines, finalNewline: false, wanted: false };
}

function spliced(lines: readonly string[], operation: MatchOperation, index: number): readonly string[] {
  const end = index + operation.find.length;
  switch (operation.type) {
    case "replace":
      return [...lines.slice(0, index), ...operation.block, ...lines.slice(end)];
    case "insert-after":
      return [...lines.slice(0, end), ...operation.block, ...lines.slice(end)];
    case "insert-before":
      return [...lines.slice(0, index), ...operation.block, ...lines.slice(index)];
    case "erase":
      return [...lines.slice(0, index), ...lines.slice(end)];
    default:
      return unreachable(operation);
  }
}

type Place = { readonly type: "place"; readonly index: number } | Misfit;

function locate(lines: readonly string[], operation: MatchOperation): Place {
  if (operation.find.length === 0) return locateEmpty(lines, operation.occurrence);
  const matches = findMatches(lines, operation.find);
  const first = matches[0];
  if (first === undefined) return misfit("Match not found", describeNearestLines(lines, operation.find));
  if (operation.occurrence === null) {
    if (matches.length === 1) return { type: "place", index: first };
    return misfit(
      "Match is not unique",
      `It occurs ${matches.length} times, at ${listed(matches)}; add neighbouring lines to the find block, or name the occurrence, such as \`${operationLetters[operation.type]} 2\`.`,
    );
  }
  const index = matches[operation.occurrence - 1];
  if (index !== undefined) return { type: "place", index };
  return misfit(
    "Occurrence out of range",
    `Asked for ${operation.occurrence}, but it occurs at ${listed(matches)} only.`,
  );
}

/** An empty find block stands for a position between lines: occurrence 1 is before the first one. */
function locateEmpty(lines: readonly string[], occurrence: number | null): Place {
  if (occurrence === null) {
    return misfit(
      "Empty match requires occurrence",
      "Write the lines to find, or a position such as `I 1` (1 = before the first line).",
    );
  }
  if (occurrence - 1 <= lines.length) return { type: "place", index: occurrence - 1 };
  return misfit(
    "Occurrence out of range",
    `The file has ${lines.length} lines, so positions go from 1 to ${lines.length + 1}.`,
  );
}

function misfit(problem: string, advice: string): Misfit {
  return { type: "misfit", problem, advice };
}

function listed(matches: readonly number[]): string {
  const numbers = matches.slice(0, nearestLimits.maxListedPositions).map((index) => index + 1);
  const more = matches.length > numbers.length ? ", …" : "";
  return `${matches.length === 1 ? "line" : "lines"} ${numbers.join(", ")}${more}`;
}
