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
  /**
   * Keeps what files would become.
   * @param over  what was proposed before: such a file is changed from what it would be then
   */
  propose(files: readonly PlannedFile[], over: readonly FileEffect[]): Promise<ProposedChanges>;
  /**
   * A private copy of the workspace, with changes in it that its files do not have. Copies that killed processes left are removed.
   * @throws AppError `tool.failed` where the workspace is too large
   */
  copy(workspace: Workspace, over: readonly FileEffect[], signal: AbortSignal): Promise<WorkspaceCopy>;
}

/** A file as a call would leave it. `before`: SHA-256 (hex) of the content that it was worked out from; `null`: there is none. `mode`: permission bits, where they are not the usual ones. */
export interface PlannedFile {
  readonly path: string;
  readonly before: string | null;
  readonly after: Uint8Array | null;
  readonly mode?: number;
}

export type ProposedChanges =
  | { readonly type: "kept"; readonly effects: readonly FileEffect[] }
  /** It is no longer what the change was worked out from. */
  | { readonly type: "changed"; readonly path: string };

/** Folders of the workspace with their copies. */
export interface CopiedWorkspace {
  readonly folders: readonly { readonly path: string; readonly copy: string }[];
  /** The workspace of the copies. */
  readonly workspace: Workspace;
}

export interface WorkspaceCopy extends CopiedWorkspace {
  /** What has changed in it, as changes of the workspace itself. */
  changes(signal: AbortSignal): Promise<CopyChanges>;
  remove(): Promise<void>;
}

/** `left`: files that changed and are too large to be kept; real paths. */
export interface CopyChanges {
  readonly effects: readonly FileEffect[];
  readonly left: readonly string[];
}

export type AppliedEffect =
  | { readonly type: "done"; readonly path: string }
  /** Somebody else changed the file since, or it cannot be written; it was left as it is. */
  | { readonly type: "conflict"; readonly path: string; readonly reason: string };
