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
    const answers = await checkpoints.apply(workspace, files, signal);
    const conflicts = answers.flatMap((answer) =>
      answer.type === "conflict" ? [{ path: answer.path, reason: answer.reason }] : [],
    );
    const left = new Set(conflicts.map((conflict) => conflict.path));
    return { restored: files.filter((file) => !left.has(file.path)), conflicts };
  } catch (error) {
    return { restored: [], conflicts: files.map(({ path }) => ({ path, reason: messageOf(error) })) };
  }
}
