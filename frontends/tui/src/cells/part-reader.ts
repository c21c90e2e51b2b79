import type { AnswerPart, Row } from "@capstan/view";
import type { CellView } from "./cell-view.ts";

/** Reads a part of an answer while it is written. */
export interface PartReader {
  readonly type: AnswerPart["type"];
  /** Rows that became final; all of them when the part is no longer open and was read to its end. */
  take(part: AnswerPart, isOpen: boolean, view: CellView, characters: number): Taken;
  open(view: CellView): readonly Row[];
  /** @param isWhole  all that was read is compared, and not its end alone */
  continues(part: AnswerPart | undefined, isWhole: boolean): boolean;
}

export interface Taken {
  readonly rows: readonly Row[];
  /** So many were read. */
  readonly characters: number;
  /** There are more. */
  readonly isBehind: boolean;
}

export const nothingTaken: Taken = { rows: [], characters: 0, isBehind: false };
