import { dropped, renamed } from "../arguments/argument-alias.ts";
import { maxRecalled, usualRecalled } from "../facts/limits.ts";
import type { MemoryOptions } from "../options.ts";
import type { ToolEntry, ToolText } from "../tool-entry.ts";

/** Reads what is remembered. @see seed F25 */
export function recall({ facts }: MemoryOptions): ToolEntry {
  return { ...recallEntry, load: async () => (await import("../implementations.ts")).createRecallTool(facts) };
}

export const recallEntry: Omit<ToolEntry, "load"> = {
  name: "recall",
  definition: () => definition,
  effect: "read",
  settles: false,
  rules: { names: ["memory_recall"], pattern: "none", contents: "untouched" },
  aliases: ["memory_recall", "search_memory", "memory_search"],
  argumentAliases: [
    renamed("query", ["words", "text", "search", "q", "question"]),
    renamed("limit", ["max_results", "top_k", "count", "n"]),
    dropped(["scope", "explanation", "description"]),
  ],
};

const definition: ToolText = {
  description: "Find what was said earlier in this session, and facts from earlier work, by words.",
  inputSchema: {
    type: "object",
    properties: {
      query: { type: "string", minLength: 1, maxLength: 1000 },
      limit: { type: "integer", minimum: 1, maximum: maxRecalled, description: `Default ${usualRecalled}` },
    },
    required: ["query"],
    additionalProperties: false,
  },
};
