export { createToolCatalog } from "./catalog.ts";
export { defaultDeniedPatterns } from "./denied-patterns.ts";
export type { ToolsOptions } from "./options.ts";
export { WorkspacePaths } from "./paths/workspace-paths.ts";
