import { relative } from "node:path";
import type { ToolContext, ToolResult } from "@capstan/ports";
import { type Action, ToolRefusal } from "@capstan/protocol";
import type { ResolvedPath, WorkspacePaths } from "../paths/workspace-paths.ts";

/**
 * The place an action was judged for, with what is needed to use it.
 * @throws {ToolRefusal} when the path now leads elsewhere
 */
export async function resolveAgain(action: Action, context: ToolContext, paths: WorkspacePaths): Promise<ResolvedPath> {
  const [judged] = action.paths;
  if (judged === undefined) throw new Error(`${action.tool} was given an action without a path`);
  const { workspace } = context;
  const now = await paths.resolve(workspace, relative(workspace.cwd, judged.real) || ".", "read", context);
  if (now.real === judged.real) return now;
  throw new ToolRefusal("rejected", "file.stale", `${judged.shown} now leads to another place. Try again.`);
}

/** Once an action runs, a refusal is an answer like any other: the place changed after it was judged. */
export async function asResult(run: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ToolRefusal)) throw error;
    return { status: "failed", code: error.code, content: error.message };
  }
}
