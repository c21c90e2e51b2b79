import type { Workspace } from "@capstan/protocol";

/** Files that are to be shown together: globs below the working directory. */
export interface FilePack {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** Of one turn, over all packs. */
export interface PackLimits {
  readonly files: number;
  readonly bytes: number;
}

export interface PackedFile {
  /** Relative to the working directory, with "/". */
  readonly path: string;
  readonly text: string;
}

/** What was named and is not shown. An empty path: what was not looked at. */
export interface RefusedFile {
  readonly path: string;
  readonly bytes: number;
  readonly reason: string;
}

/** Reads a pack. Contract: what is ignored or protected is never read; each file that is left out for its size or kind is named. */
export type PackFiles = (
  workspace: Workspace,
  pack: FilePack,
  limits: PackLimits,
  signal: AbortSignal,
) => Promise<{ readonly files: readonly PackedFile[]; readonly refused: readonly RefusedFile[] }>;
