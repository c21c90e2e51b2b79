export { createToolCatalog } from "./catalog.ts";
export type { ToolsOptions } from "./options.ts";
