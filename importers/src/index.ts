export { readOpencodeFolder } from "./foreign/agents/opencode-folder.ts";
export { textAt } from "./foreign/fields.ts";
export { readForeign } from "./foreign/read-foreign.ts";
export { type ImportedJournal, toJournal } from "./foreign/to-journal.ts";
export { readTetherPolicy } from "./tether/tether-policy.ts";
