/** A parsed patch in the Codex form. Lines are 1-based lines of the patch text. */
export type CodexSection =
  /** The whole content of a file, which takes the place of one that is there. */
  | { readonly type: "add"; readonly path: string; readonly line: number; readonly lines: readonly string[] }
  | { readonly type: "delete"; readonly path: string; readonly line: number }
  | {
      readonly type: "update";
      readonly path: string;
      readonly line: number;
      /** Where the file goes; `null`: it stays. */
      readonly moveTo: string | null;
      readonly chunks: readonly CodexChunk[];
    };

/** One change of a file: lines that stand together, and what takes their place. */
export interface CodexChunk {
  readonly line: number;
  /** Lines after `@@`, each looked for below the one before; the change lies below the last. */
  readonly contexts: readonly string[];
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  /** The old lines must be the last ones of the file. */
  readonly atEnd: boolean;
}

/** What a step of the parser holds on to: the lines before the end marker, and the next one to read (0-based). */
export interface CodexCursor {
  readonly lines: readonly string[];
  next: number;
}
