import { type Draft, type Line, type Place, remembered } from "../draft.ts";
import type { Command } from "./commands.ts";
import type { Find } from "./motions.ts";

export type VimMode = "normal" | "insert" | "visual" | "visual-line";

/** What the editor knows besides the draft. Nothing in it changes: a key makes another. */
export interface Vim {
  readonly mode: VimMode;
  /** Keys of a command that is not whole yet. */
  readonly keys: readonly string[];
  /** Where the selection began. */
  readonly anchor: Place;
  readonly find: Find | null;
  /** Lines that were taken whole; what is put in is whole lines as long as they are the draft's `killed`. */
  readonly wholeLines: readonly Line[] | null;
  /** The last change, for `.`. */
  readonly change: Change | null;
  readonly insertion: Insertion | null;
}

export interface Change {
  readonly command: Command;
  /** What was written in insert mode, where the command led there. */
  readonly written: readonly Line[];
}

/** The visit to insert mode that lasts. */
export interface Insertion {
  /** `null`: nothing that `.` could do again led there. */
  readonly command: Command | null;
  /** The draft before the command: all of it is one version to return to. */
  readonly before: Draft;
  /** The draft as it was when insert mode began. */
  readonly from: Draft;
}

export interface Edited {
  readonly vim: Vim;
  readonly draft: Draft;
}

export const vimAtStart: Vim = {
  mode: "insert",
  keys: [],
  anchor: { line: 0, at: 0 },
  find: null,
  wholeLines: null,
  change: null,
  insertion: null,
};

/** One version to return to, whatever was done in between. */
export function changed(before: Draft, after: Draft): Draft {
  if (before.lines === after.lines) return after;
  const { past, future } = remembered(before);
  return { ...after, past, future, isTyping: false };
}
