export { builtInSource, loadBuiltIns, toolFamilies } from "./catalog/built-in-source.ts";
export { composeCatalog, type ComposedCatalog } from "./catalog/compose-catalog.ts";
export { openFileFinder } from "./find-files/open-file-finder.ts";
export { programSource } from "./catalog/program-source.ts";
export type { ToolsOptions } from "./options.ts";
export { withTrustedPath } from "./run-command/environment/search-path.ts";
export { RipgrepFinder } from "./search/ripgrep/find-ripgrep.ts";
