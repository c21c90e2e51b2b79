import { dropped, renamed } from "../../arguments/argument-alias.ts";
import { maxCodeLength } from "../../run-js/limits.ts";
import type { ToolEntry, ToolText } from "../../tool-entry.ts";

/** Runs code that reaches nothing. @see seed P23 */
export const runJs: ToolEntry = {
  name: "run_js",
  definition: () => definition,
  effect: "read",
  settles: false,
  rules: { names: ["run_javascript"], pattern: "none", contents: "untouched" },
  aliases: ["run_javascript", "execute_javascript", "javascript", "code_interpreter"],
  argumentAliases: [
    renamed("code", ["script", "source", "javascript", "js", "input"]),
    dropped(["explanation", "description", "timeout"]),
  ],
  load: async () => (await import("../../implementations.ts")).createRunJsTool(),
};

const definition: ToolText = {
  description:
    "Run JavaScript that computes something: parsing, arithmetic, dates, text. It reaches no files, network, processes, modules or timers; 2 s, 64 MB. " +
    "The result is what it prints with console.log and the value of its last expression.",
  inputSchema: {
    type: "object",
    properties: { code: { type: "string", minLength: 1, maxLength: maxCodeLength } },
    required: ["code"],
    additionalProperties: false,
  },
  deferred: true,
};
