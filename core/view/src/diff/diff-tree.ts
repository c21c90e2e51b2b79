/** A unified diff of one or more files, as a screen draws it. Everything in it is inert. */
export interface DiffTree {
  readonly files: readonly DiffFile[];
  /** Lines beyond the limit, or that the diff itself says were left out. */
  readonly linesLeftOut: number;
}

export interface DiffFile {
  /** `null`: there was no such file, or there is none any more. */
  readonly before: string | null;
  readonly after: string | null;
  readonly hunks: readonly DiffHunk[];
}

export interface DiffHunk {
  /** What stands after the numbers, such as the function the hunk lies in; mostly empty. */
  readonly heading: string;
  readonly lines: readonly DiffLine[];
}

export type DiffLine =
  /** Numbers from 1: of the line in the file before and after. */
  | { readonly type: "same"; readonly before: number; readonly after: number; readonly text: string }
  | { readonly type: "removed"; readonly before: number; readonly text: string; readonly marks: Marks }
  | { readonly type: "added"; readonly after: number; readonly text: string; readonly marks: Marks }
  /** About the line before it, such as that no line end follows. */
  | { readonly type: "note"; readonly text: string };

/** What of a line differs from its counterpart; `null`: it has none, or all of it differs. */
export type Marks = readonly WordMark[] | null;

/** Places in a line's text. */
export interface WordMark {
  readonly from: number;
  readonly to: number;
}
