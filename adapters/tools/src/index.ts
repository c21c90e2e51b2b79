export { createToolCatalog } from "./catalog.ts";
export type { ToolsOptions } from "./options.ts";
export { RipgrepFinder } from "./search/ripgrep/find-ripgrep.ts";
