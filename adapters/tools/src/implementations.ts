/** The code of the built-in tools. One module, because loading many small ones costs more than loading all their code. */
export { createCommandOutputTool, createStopCommandTool } from "./background/command-output.ts";
export { createSpawnAgentTool } from "./agents/spawn-agent.ts";
export { createApplyPatchTool } from "./apply-patch.ts";
export { createListDirectoryTool } from "./directory/list-directory.ts";
export { createReadManyFilesTool } from "./directory/read-many-files.ts";
export { createEditFileTool } from "./edit-file.ts";
export { createGlobTool } from "./glob.ts";
export { WorkspacePaths } from "./paths/workspace-paths.ts";
export { createRecallTool } from "./facts/recall.ts";
export { createRememberTool } from "./facts/remember.ts";
export { createReadFileTool } from "./read-file.ts";
export { createRunCommandTool } from "./run-command/run-command.ts";
export { createSearchTool } from "./search/search.ts";
export { createAskUserTool } from "./session/ask-user.ts";
export { createExitPlanModeTool } from "./session/exit-plan-mode.ts";
export { createSkillTool } from "./skills/skill.ts";
export { createUpdatePlanTool } from "./session/update-plan.ts";
export { createWriteFileTool } from "./write-file.ts";
