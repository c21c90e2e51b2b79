export { createToolCatalog } from "./catalog.ts";
export type { ToolsOptions } from "./options.ts";
export { WorkspacePaths } from "./paths/workspace-paths.ts";
