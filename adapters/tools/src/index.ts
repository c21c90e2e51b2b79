export { createToolCatalog } from "./catalog.ts";
export type { ToolsOptions } from "./options.ts";
export { withTrustedPath } from "./run-command/confine/search-path.ts";
export { RipgrepFinder } from "./search/ripgrep/find-ripgrep.ts";
