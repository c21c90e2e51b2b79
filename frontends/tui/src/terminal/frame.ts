import type { Row } from "@capstan/view";

/** Cells of a terminal. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** A cell of a frame, from 0. */
export interface Caret {
  readonly row: number;
  readonly column: number;
}

/** What stands at the end of a screen, or fills it. No row is wider than the screen. */
export interface Frame {
  readonly rows: readonly Row[];
  /** Where the next character is typed; `null`: nowhere. */
  readonly caret: Caret | null;
}

/** Around every change of the screen, so that a terminal shows it at once. */
export function synchronized(bytes: string): string {
  return bytes === "" ? "" : `\u001b[?2026h${bytes}\u001b[?2026l`;
}

export const showCursor = "\u001b[?25h";
export const hideCursor = "\u001b[?25l";
