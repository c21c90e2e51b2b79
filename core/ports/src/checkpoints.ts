import type { Checkpoint, FileChange, FileEffect, Workspace } from "@capstan/protocol";

/**
 * Keeps what files were, outside the user's own repository, so that what a call did can be reported and undone.
 *
 * Contract:
 * - `keep`, `since`, `foresee` and `describe` change nothing in the workspace, in its repositories and in their indexes, and run nothing
 *   that the workspace configures (hooks, filters, attributes).
 * - What `keep`, `since` and `describe` name can be restored later by another process: content is on the disk when they resolve.
 * - `apply` never overwrites or removes content other than `before` (or `after`: done already); it goes file by file and is
 *   idempotent: killed anywhere, the same call again finishes it.
 * - Files that are too large, special or unreadable are left out and reported in `left`. Nothing throws for one file's sake.
 */
export interface Checkpoints {
  /**
   * Files as they are now.
   * @param scope  absolute real paths, or everything in the workspace that is not ignored
   */
  keep(workspace: Workspace, scope: readonly string[] | "everything", signal: AbortSignal): Promise<Checkpoint>;
  /** What has changed since, file by file, in order of path. */
  since(checkpoint: Checkpoint, signal: AbortSignal): Promise<readonly FileEffect[]>;
  /** Brings files from `before` to `after`. One answer for each, in the same order. */
  apply(workspace: Workspace, effects: readonly FileEffect[], signal: AbortSignal): Promise<readonly AppliedEffect[]>;
  /** What `apply` would answer now, for a user who decides whether to; the files may change until then. */
  foresee(workspace: Workspace, effects: readonly FileEffect[], signal: AbortSignal): Promise<readonly AppliedEffect[]>;
  /** The effects for people: kinds, counted lines, diffs cut at a limit. Paths relative to the workspace where they lie in it. */
  describe(workspace: Workspace, effects: readonly FileEffect[], signal: AbortSignal): Promise<readonly FileChange[]>;
}

export type AppliedEffect =
  | { readonly type: "done"; readonly path: string }
  /** Somebody else changed the file since, or it cannot be written; it was left as it is. */
  | { readonly type: "conflict"; readonly path: string; readonly reason: string };
