/** A parsed LP1 patch. Lines are 1-based lines of the patch text. */
export interface Patch {
  readonly sections: readonly FileSection[];
}

/** What one `F` line opens: operations on one file, in order. */
export interface FileSection {
  readonly path: string;
  readonly line: number;
  readonly operations: readonly Operation[];
}

/** An operation that looks for a block of whole lines. `occurrence`: 1-based, or `null` for "must be unique". */
export type MatchOperation = {
  readonly line: number;
  readonly occurrence: number | null;
  readonly find: readonly string[];
} & (
  | { readonly type: "replace" | "insert-after" | "insert-before"; readonly block: readonly string[] }
  | { readonly type: "erase" }
);

/** One step of a section. Blocks hold lines without line ends, already un-stuffed. */
export type Operation =
  | MatchOperation
  | { readonly type: "append" | "prepend"; readonly line: number; readonly block: readonly string[] }
  | { readonly type: "final-newline"; readonly line: number; readonly present: boolean };

/** The letter an operation is written with. */
export const operationLetters: Readonly<Record<Operation["type"], string>> = {
  replace: "R",
  "insert-after": "I",
  "insert-before": "P",
  erase: "E",
  append: "T",
  prepend: "B",
  "final-newline": "N",
};

/** True for operations that need something to match, and so a file that exists. */
export function isMatchOperation(operation: Operation): operation is MatchOperation {
  return "find" in operation;
}
