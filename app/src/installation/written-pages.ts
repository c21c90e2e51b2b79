/** What only these commands need, loaded together. */
export { commandTable, completionTable } from "./command-table.ts";
export { bashCompletion } from "./bash-completion.ts";
export { zshCompletion } from "./zsh-completion.ts";
export { fishCompletion } from "./fish-completion.ts";
export { manualPage } from "./manual-page.ts";
export { knownIds } from "./known-ids.ts";
