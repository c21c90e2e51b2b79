import type { AppliedEffect } from "@capstan/ports";
import { type FileConflict, type FileEffect, messageOf, type Workspace } from "@capstan/protocol";
import type { ActionPorts } from "../runtime-ports.ts";

/** Brings files to where they should be. Whatever stands in the way of one of them is reported, and the others continue. */
export async function restoreFiles(
  { checkpoints }: ActionPorts,
  workspace: Workspace,
  files: readonly FileEffect[],
  signal: AbortSignal,
): Promise<{ readonly restored: readonly FileEffect[]; readonly conflicts: readonly FileConflict[] }> {
  try {
    const conflicts = conflictsOf(await checkpoints.apply(workspace, files, signal));
    const left = new Set(conflicts.map((conflict) => conflict.path));
    return { restored: files.filter((file) => !left.has(file.path)), conflicts };
  } catch (error) {
    return { restored: [], conflicts: files.map(({ path }) => ({ path, reason: messageOf(error) })) };
  }
}

/** The files that restoring would leave alone now. */
export async function foreseeConflicts(
  { checkpoints }: Pick<ActionPorts, "checkpoints">,
  workspace: Workspace,
  files: readonly FileEffect[],
): Promise<readonly FileConflict[]> {
  if (files.length === 0) return [];
  try {
    return conflictsOf(await checkpoints.foresee(workspace, files, new AbortController().signal));
  } catch (error) {
    return files.map(({ path }) => ({ path, reason: messageOf(error) }));
  }
}

function conflictsOf(answers: readonly AppliedEffect[]): readonly FileConflict[] {
  return answers.flatMap((answer) =>
    answer.type === "conflict" ? [{ path: answer.path, reason: answer.reason }] : [],
  );
}
