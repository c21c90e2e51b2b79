import { createApplyPatchTool } from "./apply-patch.ts";
import { createEditFileTool } from "./edit-file.ts";
import { createGlobTool } from "./glob.ts";
import { WorkspacePaths } from "./paths/workspace-paths.ts";
import { createReadFileTool } from "./read-file.ts";
import { createRunCommandTool } from "./run-command/run-command.ts";
import { createSearchTool } from "./search/search.ts";
import { createAskUserTool } from "./session/ask-user.ts";
import { createExitPlanModeTool } from "./session/exit-plan-mode.ts";
import { createUpdatePlanTool } from "./session/update-plan.ts";
import { createWriteFileTool } from "./write-file.ts";
import type { ToolsOptions } from "./options.ts";
import type { Tool } from "@capstan/ports";

/** Makes all tools, by name. One module, because loading many small ones costs more than loading all their code. */
export function makeTools(options: ToolsOptions): ReadonlyMap<string, Tool> {
  const paths = new WorkspacePaths(options);
  const tools = [
    createReadFileTool(options, paths),
    createWriteFileTool(options, paths),
    createEditFileTool(options, paths),
    createApplyPatchTool(options, paths),
    createRunCommandTool(options, paths),
    createGlobTool(options, paths),
    createSearchTool(options, paths),
    createAskUserTool(),
    createUpdatePlanTool(),
    createExitPlanModeTool(paths),
  ];
  return new Map(tools.map((tool) => [tool.definition.name, tool]));
}
