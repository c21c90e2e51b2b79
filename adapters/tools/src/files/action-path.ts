import type { ToolContext } from "@capstan/ports";
import { type Action, type PathUse, ToolRefusal } from "@capstan/protocol";
import { inertText } from "../paths/inert-text.ts";
import { quotedPath } from "../paths/path-syntax.ts";
import type { ResolvedPath, WorkspacePaths } from "../paths/workspace-paths.ts";
import { isObeyedByGit } from "./git-folder.ts";
import { maxSummaryLength } from "./limits.ts";

/**
 * Resolves the path of an action again, and insists that it still leads where it led when the action was judged.
 * @throws {ToolRefusal} `file.stale` when it leads elsewhere now; what `WorkspacePaths.resolve` throws
 */
export async function resolveActionPath(
  paths: WorkspacePaths,
  context: ToolContext,
  action: Action,
  requested: string,
): Promise<ResolvedPath> {
  const judged = action.paths[0];
  const resolved = await paths.resolve(context.workspace, requested, judged?.access ?? "read", context);
  if (resolved.real === judged?.real) return resolved;
  const text = `${quotedPath(requested)} leads to another place than when the call was checked; nothing was done.`;
  throw new ToolRefusal("rejected", "file.stale", text);
}

/** How an action records a resolved path. */
export function pathUse({ real, shown, access }: ResolvedPath): PathUse {
  const governs = access !== "read" && isObeyedByGit({ real });
  return { real, shown, access, ...(governs ? { governs } : {}) };
}

/** One inert line for people: what is done, to which real place, and through which link if there was one. */
export function summaryLine(verb: string, resolved: ResolvedPath, requested: string, about = ""): string {
  const plain = requested.replace(/^(\.\/+)+/, "").replace(/\/+$/, "");
  const written =
    resolved.shown === plain || resolved.real === plain || requested === resolved.shown
      ? ""
      : ` (written ${requested})`;
  return inertText(`${verb} ${resolved.shown}${about}${written}`, maxSummaryLength);
}
