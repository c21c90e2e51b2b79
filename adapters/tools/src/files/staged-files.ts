import type { Staged, ToolResult } from "@capstan/ports";
import { AppError, type FileChange, type FileObservation } from "@capstan/protocol";
import type { FileEdit } from "./commit/file-edit.ts";
import type { ResolvedPath } from "../paths/workspace-paths.ts";
import { commitFiles } from "./commit-files.ts";
import { failedResult } from "./failed-result.ts";
import { fileChange } from "./file-diff.ts";
import { sha256 } from "./sha256.ts";
import { decodeText } from "./text-content.ts";

/** One file of a change that was worked out. `null`: it does not exist. */
export interface PlannedFile {
  readonly resolved: ResolvedPath;
  readonly before: Buffer | null;
  readonly after: Buffer | null;
  /** Permission bits of a file that is new; absent: the usual ones. */
  readonly mode?: number;
}

/**
 * A change of files, worked out and not yet applied: what recovery needs, what people see, and what `commitStaged` applies.
 * @param done  what the model reads once it is applied
 */
export function stageFiles(files: readonly PlannedFile[], done: string): Staged {
  const edits = files.map(toEdit);
  const changes = files.filter(isChanged).map(toChange);
  return {
    settle: {
      files: edits.map(({ resolved, before, content }) => ({
        path: resolved.real,
        before,
        after: content === null ? null : sha256(content),
        afterBytes: content?.length ?? 0,
      })),
    },
    changes,
    files: files.map(({ resolved, after, mode }) => ({
      path: resolved.real,
      content: after,
      ...(mode === undefined ? {} : { mode }),
    })),
    proposal: `Proposed for review, not applied: ${done}`,
    data: new StagedFiles(edits, changes, done),
  };
}

/** Applies what `stageFiles` worked out, all or none. A file that changed in between is a failed result (`file.stale`). */
export async function commitStaged(staged: Staged, signal: AbortSignal): Promise<ToolResult> {
  const { data } = staged;
  if (!(data instanceof StagedFiles)) throw new AppError("internal.bug", "this change was staged by another tool");
  signal.throwIfAborted();
  try {
    await commitFiles(data.edits.filter(({ before, content }) => before !== hashOf(content)));
  } catch (error) {
    return failedResult(error);
  }
  return { status: "ok", content: data.done, changes: data.changes, observed: data.edits.flatMap(toObservation) };
}

/** Changes of different files as one. */
export function joinStaged(parts: readonly Staged[], done: string): Staged {
  const data = parts.flatMap((part) => (part.data instanceof StagedFiles ? [part.data] : []));
  const changes = parts.flatMap((part) => part.changes);
  return {
    settle: { files: parts.flatMap(({ settle }) => settle.files) },
    changes,
    files: parts.flatMap(({ files = [] }) => files),
    proposal: `Proposed for review, not applied: ${done}`,
    data: new StagedFiles(
      data.flatMap(({ edits }) => edits),
      changes,
      done,
    ),
  };
}

class StagedFiles {
  readonly edits: readonly FileEdit[];
  readonly changes: readonly FileChange[];
  readonly done: string;

  constructor(edits: readonly FileEdit[], changes: readonly FileChange[], done: string) {
    this.edits = edits;
    this.changes = changes;
    this.done = done;
  }
}

function toEdit({ resolved, before, after, mode }: PlannedFile): FileEdit {
  return { resolved, before: hashOf(before), content: after, ...(mode === undefined ? {} : { mode }) };
}

function isChanged({ before, after }: PlannedFile): boolean {
  return before === null || after === null || !before.equals(after);
}

function toChange({ resolved, before, after }: PlannedFile): FileChange {
  const [old, now] = [textOrNothing(before), textOrNothing(after)];
  if (old !== undefined && now !== undefined) return fileChange(resolved.shown, old, now);
  const kind = before === null ? "created" : after === null ? "deleted" : "modified";
  return { path: resolved.shown, kind, addedLines: 0, removedLines: 0 };
}

/** `undefined` for content that is not text and has no lines to count. */
function textOrNothing(content: Buffer | null): string | null | undefined {
  return content === null ? null : decodeText(content)?.text;
}

function toObservation({ resolved, content }: FileEdit): readonly FileObservation[] {
  return content === null ? [] : [{ path: resolved.real, sha256: sha256(content) }];
}

function hashOf(content: Buffer | null): string | null {
  return content === null ? null : sha256(content);
}
