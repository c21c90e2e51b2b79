import { dropped, renamed } from "../arguments/argument-alias.ts";
import { maxFactEntities, maxFactLength } from "../facts/limits.ts";
import type { MemoryOptions } from "../options.ts";
import type { ToolEntry, ToolText } from "../tool-entry.ts";

/** Stores a fact beyond the session. @see seed P26 */
export function remember(memory: MemoryOptions): ToolEntry {
  return { ...rememberEntry, load: async () => (await import("../implementations.ts")).createRememberTool(memory) };
}

export const rememberEntry: Omit<ToolEntry, "load"> = {
  name: "remember",
  definition: () => definition,
  effect: "write",
  settles: true,
  rules: { names: ["memory", "save_memory", "memory_record"], pattern: "none", contents: "untouched" },
  aliases: ["Memory", "save_memory", "memory_record", "add_memory", "create_memory"],
  argumentAliases: [
    renamed("content", ["fact", "text", "memory", "note"]),
    renamed("entities", ["tags", "keywords"]),
    dropped(["title", "explanation", "description"]),
  ],
};

const definition: ToolText = {
  description:
    "Remember a fact for later sessions: what the user wants, a decision, a convention. One short statement, true by itself; no secrets.",
  inputSchema: {
    type: "object",
    properties: {
      content: { type: "string", minLength: 1, maxLength: maxFactLength },
      scope: {
        type: "string",
        enum: ["session", "workspace", "user"],
        description: "Where it holds; default workspace",
      },
      entities: {
        type: "array",
        items: { type: "string" },
        maxItems: maxFactEntities,
        description: "Names; a path ties it to that file",
      },
    },
    required: ["content"],
    additionalProperties: false,
  },
};
