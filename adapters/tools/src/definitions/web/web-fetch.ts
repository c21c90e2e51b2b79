import type { WebPages } from "@capstan/ports";
import { dropped, renamed } from "../../arguments/argument-alias.ts";
import type { ToolEntry, ToolText } from "../../tool-entry.ts";
import { maxChunkTokens, minChunkTokens } from "../../web/limits.ts";

/** Reads a page of the web. @see seed F24 */
export function webFetch(pages: WebPages): ToolEntry {
  return {
    ...webFetchEntry,
    load: async ({ options }) => (await import("../../implementations.ts")).createWebFetchTool(options, pages),
  };
}

export const webFetchEntry: Omit<ToolEntry, "load"> = {
  name: "web_fetch",
  definition: () => definition,
  accepts: {
    properties: {
      max_chunk_tokens: { type: "integer", minimum: minChunkTokens, maximum: maxChunkTokens },
      no_cache: { type: "boolean" },
      force_browser: { type: "boolean" },
    },
    required: ["url"],
  },
  effect: "read",
  settles: false,
  rules: { names: ["fetch"], pattern: "host", contents: "untouched" },
  aliases: ["WebFetch", "fetch", "fetch_url", "read_url", "url_fetch", "browse", "open_url", "read_web_page"],
  argumentAliases: [
    renamed("url", ["uri", "link", "address", "href", "page"]),
    renamed("no_cache", ["noCache", "fresh", "refresh"]),
    renamed("max_chunk_tokens", ["maxChunkTokens"]),
    renamed("force_browser", ["forceBrowser"]),
    dropped(["prompt", "description", "explanation", "format", "timeout"]),
  ],
};

const definition: ToolText = {
  description: "Read a public web page.",
  inputSchema: {
    type: "object",
    properties: { url: { type: "string" } },
    required: ["url"],
    additionalProperties: false,
  },
};
