import type { Staged, ToolContext } from "@capstan/ports";
import { type Action, type ActionDraft, AppError, type JsonObject, ToolRefusal } from "@capstan/protocol";
import { pathUse, resolveActionPath, summaryLine } from "../files/action-path.ts";
import { readSeenFile } from "../files/current-file.ts";
import { stageFiles } from "../files/staged-files.ts";
import type { ToolsOptions } from "../options.ts";
import { quotedPath } from "../paths/path-syntax.ts";
import type { WorkspacePaths } from "../paths/workspace-paths.ts";
import type { ToolCode } from "../tool-entry.ts";

/** Removes a file that the model has seen, as a part of a set. */
export function createDeletion({ limits }: ToolsOptions, paths: WorkspacePaths): Pick<ToolCode, "prepare" | "stage"> {
  return {
    prepare: async (args: JsonObject, context: ToolContext): Promise<ActionDraft> => {
      const path = pathOf(args);
      // Resolved for reading, one that is not there is refused with the names of similar files.
      await paths.resolve(context.workspace, path, "read");
      const resolved = await paths.resolve(context.workspace, path, "write");
      if (resolved.kind !== "file")
        throw new ToolRefusal("rejected", "path.not-a-file", `${quotedPath(path)} is a directory. Name a file in it.`);
      const use = { ...pathUse(resolved), access: "delete" as const };
      const summary = summaryLine("Delete", resolved, path, "");
      return { tool: "propose_changes", arguments: args, effect: "write", risk: "medium", paths: [use], summary };
    },
    stage: async (action: Action, context: ToolContext): Promise<Staged> => {
      const resolved = await resolveActionPath(paths, context, action, pathOf(action.arguments));
      const { content } = await readSeenFile(resolved, context, Math.max(limits.writeBytes, limits.scanBytes));
      return stageFiles([{ resolved, before: content, after: null }], `Deleted ${resolved.shown}.`);
    },
  };
}

function pathOf({ path }: JsonObject): string {
  if (typeof path !== "string") throw new AppError("internal.bug", "a deletion without a path");
  return path;
}
