import { AppError, messageOf, ToolRefusal } from "@capstan/protocol";
import type { FileEdit } from "./commit/file-edit.ts";
import { quotedPath } from "../paths/path-syntax.ts";
import { systemRefusal } from "../paths/system-refusal.ts";
import type { ResolvedPath } from "../paths/workspace-paths.ts";
import { FileReplacement } from "./commit/file-replacement.ts";
import { maxFilesPerCommit } from "./limits.ts";
import { PinnedTree } from "./commit/pinned-tree.ts";

/**
 * Changes several files, all or none. New content is on disk under temporary names first; then every original is checked
 * again, by descriptor; then all are renamed in. When anything fails, what was done is taken back.
 *
 * Directories on the way are made, and removed again on failure. Modes are kept. A file with several names gets a new inode,
 * so the other names keep the old content. A killed process may leave a file `.capstan-PID-….new` behind, which the next commit
 * in that directory removes.
 * @throws {ToolRefusal} `file.stale` when a file is not as expected; `path.*`; `tool.failed`. Nothing is changed then.
 * @throws {AppError} `tool.failed` when taking back failed too; names what was left
 */
export async function commitFiles(edits: readonly FileEdit[]): Promise<void> {
  checkEdits(edits);
  const tree = new PinnedTree();
  const replacements: FileReplacement[] = [];
  try {
    await inTurn(edits, async (edit) => {
      const replacement = new FileReplacement(edit, await tree.parentOf(edit.resolved));
      replacements.push(replacement);
      await replacement.prepare();
    });
    await inTurn(edits, async (_, index) => await replacements[index]?.verify());
    await inTurn(edits, async (_, index) => await replacements[index]?.apply());
  } catch (error) {
    await takeBack(replacements, tree, error);
    throw error;
  }
  await settle(replacements, tree);
}

function checkEdits(edits: readonly FileEdit[]): void {
  if (edits.length > maxFilesPerCommit) {
    const text = `${edits.length} files at once are too many; the limit is ${maxFilesPerCommit}. Split the change.`;
    throw new ToolRefusal("rejected", "tool.failed", text);
  }
  if (new Set(edits.map(({ resolved }) => resolved.real)).size !== edits.length) {
    throw new AppError("internal.bug", "one commit names the same file twice");
  }
  for (const { resolved, before, content } of edits) {
    if (before === null && content === null)
      throw new AppError("internal.bug", `${resolved.shown} is to be nothing from nothing`);
    if (resolved.access === "read")
      throw new AppError("internal.bug", `${resolved.shown} was resolved for reading only`);
    if (resolved.kind === "directory") throw directory(resolved);
  }
}

async function inTurn(
  edits: readonly FileEdit[],
  step: (edit: FileEdit, index: number) => Promise<void>,
): Promise<void> {
  for (const [index, edit] of edits.entries()) {
    try {
      await step(edit, index);
    } catch (error) {
      throw systemRefusal(error, edit.resolved.shown);
    }
  }
}

async function takeBack(replacements: readonly FileReplacement[], tree: PinnedTree, cause: unknown): Promise<void> {
  const left: string[] = [];
  // In any order: no replacement needs another one's place.
  for (const replacement of replacements) {
    try {
      await replacement.takeBack();
    } catch (error) {
      left.push(`${replacement.shown} (${messageOf(error)})`);
    }
  }
  await tree.removeMade();
  await tree.close();
  if (left.length === 0) return;
  const text = `${messageOf(cause)} Taking the change back failed for: ${left.join("; ")}.`;
  throw new AppError("tool.failed", text, { cause });
}

/** The change stands; what remains is tidying, whose failure must not be reported as a failed change. */
async function settle(replacements: readonly FileReplacement[], tree: PinnedTree): Promise<void> {
  for (const replacement of replacements) await replacement.tidy();
  // The contents were flushed before; only the names could be lost, and only in a power cut.
  await tree.sync().catch(() => undefined);
  await tree.sweep();
  await tree.close();
}

function directory(resolved: ResolvedPath): ToolRefusal {
  return new ToolRefusal("rejected", "path.not-a-file", `${quotedPath(resolved.shown)} is a directory.`);
}
