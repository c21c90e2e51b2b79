import type { WebSearch } from "@capstan/ports";
import { dropped, renamed } from "../../arguments/argument-alias.ts";
import type { ToolEntry, ToolText } from "../../tool-entry.ts";
import { maxQueryLength, maxSearchHits, usualSearchHits } from "../../web/limits.ts";

/** Finds pages of the web. @see seed P14 */
export function webSearch(search: WebSearch): ToolEntry {
  return {
    ...webSearchEntry,
    load: async ({ options }) => (await import("../../implementations.ts")).createWebSearchTool(options, search),
  };
}

export const webSearchEntry: Omit<ToolEntry, "load"> = {
  name: "web_search",
  definition: () => definition,
  effect: "read",
  settles: false,
  rules: { names: [], pattern: "host", contents: "untouched" },
  aliases: ["WebSearch", "tavily", "search_web", "google_web_search", "google_search"],
  argumentAliases: [
    renamed("query", ["q", "search_term", "search_query", "text"]),
    renamed("maxResults", ["max_results", "limit", "count", "num_results"]),
    dropped(["description", "explanation"]),
  ],
};

const definition: ToolText = {
  description: "Search the web. Result: titles, addresses and excerpts; read pages with web_fetch.",
  inputSchema: {
    type: "object",
    properties: {
      query: { type: "string", minLength: 1, maxLength: maxQueryLength },
      maxResults: { type: "integer", minimum: 1, maximum: maxSearchHits, description: `Default ${usualSearchHits}` },
    },
    required: ["query"],
    additionalProperties: false,
  },
};
