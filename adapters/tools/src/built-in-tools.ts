import type { Tool } from "@capstan/ports";
import { applyPatchDefinition } from "./definitions/apply-patch-definition.ts";
import { editFileDefinition } from "./definitions/edit-file-definition.ts";
import { globDefinition } from "./definitions/glob-definition.ts";
import { readFileDefinition } from "./definitions/read-file-definition.ts";
import { runCommandDefinition } from "./definitions/run-command-definition.ts";
import { searchDefinition } from "./definitions/search-definition.ts";
import { writeFileDefinition } from "./definitions/write-file-definition.ts";
import { lazyTool, type ToolOutline } from "./lazy-tool.ts";
import type { ToolsOptions } from "./options.ts";
import type { WorkspacePaths } from "./paths/workspace-paths.ts";

type MakeTool = (options: ToolsOptions, paths: WorkspacePaths) => Tool;

/** Every tool, in the order the model reads them; each one's code comes with its first call. */
export function builtInTools(options: ToolsOptions): readonly Tool[] {
  let paths: WorkspacePaths | undefined;
  const tool = (outline: ToolOutline, load: () => Promise<MakeTool>): Tool =>
    lazyTool(outline, async () => {
      const [make, { WorkspacePaths: Paths }] = await Promise.all([load(), import("./paths/workspace-paths.ts")]);
      paths ??= new Paths(options);
      return make(options, paths);
    });
  const reading = { effect: "read", stages: false } as const;
  const writing = { effect: "write", stages: true } as const;
  return [
    tool(
      { definition: readFileDefinition, ...reading },
      async () => (await import("./read-file.ts")).createReadFileTool,
    ),
    tool(
      { definition: writeFileDefinition, ...writing },
      async () => (await import("./write-file.ts")).createWriteFileTool,
    ),
    tool(
      { definition: editFileDefinition, ...writing },
      async () => (await import("./edit-file.ts")).createEditFileTool,
    ),
    tool(
      { definition: applyPatchDefinition, ...writing },
      async () => (await import("./apply-patch.ts")).createApplyPatchTool,
    ),
    tool(
      { definition: runCommandDefinition(options), effect: "execute", stages: false },
      async () => (await import("./run-command/run-command.ts")).createRunCommandTool,
    ),
    tool({ definition: globDefinition(options), ...reading }, async () => (await import("./glob.ts")).createGlobTool),
    tool(
      { definition: searchDefinition(options), ...reading },
      async () => (await import("./search/search.ts")).createSearchTool,
    ),
  ];
}
