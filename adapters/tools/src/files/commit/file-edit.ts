import type { ResolvedPath } from "../../paths/workspace-paths.ts";

/** One file's change. `before` is the SHA-256 the file must still have, `null`: it must not exist. `content: null` deletes. */
export interface FileEdit {
  readonly resolved: ResolvedPath;
  readonly before: string | null;
  readonly content: Buffer | null;
  /** Permission bits of a new file; absent: the usual ones. */
  readonly mode?: number;
}
