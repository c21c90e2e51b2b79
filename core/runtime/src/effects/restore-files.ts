import type { AppliedEffect } from "@capstan/ports";
import { type FileConflict, type FileEffect, messageOf, type Workspace } from "@capstan/protocol";
import type { ActionPorts } from "../runtime-ports.ts";

/** Brings files to where they should be. Whatever stands in the way of one of them is reported, and the others continue. */
export async function restoreFiles(
  { checkpoints }: ActionPorts,
  workspace: Workspace,
  { files, together }: { readonly files: readonly FileEffect[]; readonly together: readonly (readonly string[])[] },
  signal: AbortSignal,
): Promise<{ readonly restored: readonly FileEffect[]; readonly conflicts: readonly FileConflict[] }> {
  try {
    const foreseen = together.length === 0 ? [] : conflictsOf(await checkpoints.foresee(workspace, files, signal));
    const held = heldBack(together, foreseen);
    const free = files.filter(({ path }) => !held.some((conflict) => conflict.path === path));
    const conflicts = [...held, ...conflictsOf(await checkpoints.apply(workspace, free, signal))];
    const left = new Set(conflicts.map((conflict) => conflict.path));
    return { restored: files.filter((file) => !left.has(file.path)), conflicts };
  } catch (error) {
    return { restored: [], conflicts: files.map(({ path }) => ({ path, reason: messageOf(error) })) };
  }
}

/** Files of which others are left alone, that they are to be changed together with. */
function heldBack(
  together: readonly (readonly string[])[],
  foreseen: readonly FileConflict[],
): readonly FileConflict[] {
  const reasons = new Map(foreseen.map((conflict) => [conflict.path, conflict.reason]));
  const held = together.filter((paths) => paths.some((path) => reasons.has(path))).flat();
  return [...new Set(held)].map((path) => ({ path, reason: reasons.get(path) ?? heldReason }));
}

const heldReason = "another file of the same change was left alone";

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
