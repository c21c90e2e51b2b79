import type { SearchHit, ToolResult, WebSearch } from "@capstan/ports";
import type { ActionDraft, JsonObject } from "@capstan/protocol";
import type { ToolsOptions } from "../options.ts";
import type { ToolCode } from "../tool-entry.ts";
import { maxQueryLength, maxSearchHits, maxShownUrl, usualSearchHits } from "./limits.ts";
import { shownLine, untrustedHeading } from "./shown-text.ts";
import { failedResult } from "./web-fetch.ts";

/** `web_search`: finds pages by words. The service's host is asked about unless a rule allows it. */
export function createWebSearchTool({ redact = (text) => text }: ToolsOptions, search: WebSearch): ToolCode {
  return {
    prepare: async (args) => await Promise.resolve(prepare(args, search.host, redact)),
    run: async ({ arguments: args }, _staged, { signal }) => {
      const { query, maxResults } = questionOf(args);
      const answer = await search.search(query, maxResults, signal);
      return answer.type === "found"
        ? foundResult(query, answer.hits, search.host)
        : failedResult("web_search", answer);
    },
  };
}

function prepare(args: JsonObject, host: string, redact: (text: string) => string): ActionDraft {
  const { query, maxResults } = questionOf(args);
  const carries = redact(query) === query ? {} : { carries: "the words hold what looks like a secret" };
  return {
    tool: "web_search",
    arguments: { query, maxResults },
    effect: "read",
    risk: "medium",
    paths: [],
    network: { host, path: "/", ...carries },
    summary: shownLine(redact(`search the web for ${query}`), maxShownUrl),
  };
}

function questionOf({ query, maxResults }: JsonObject): { readonly query: string; readonly maxResults: number } {
  const wanted = typeof maxResults === "number" ? Math.floor(maxResults) : usualSearchHits;
  return {
    query: typeof query === "string" ? query.slice(0, maxQueryLength) : "",
    maxResults: Math.min(maxSearchHits, Math.max(1, wanted)),
  };
}

function foundResult(query: string, hits: readonly SearchHit[], host: string): ToolResult {
  const shown = hits.map(({ title, url, excerpt }) => ({
    title: shownLine(title, maxShownUrl),
    url: shownLine(url, maxShownUrl),
    excerpt: shownLine(excerpt, maxExcerptLength),
  }));
  const lines = shown.map(({ title, url, excerpt }, index) => `${index + 1}. ${title}\n   ${url}\n   ${excerpt}`);
  const content =
    lines.length === 0
      ? `No page was found for: ${shownLine(query, maxShownUrl)}`
      : [untrustedHeading(host), ...lines].join("\n");
  return { status: "ok", content, details: { count: shown.length, results: shown } };
}

/** UTF-16 units of an excerpt. */
const maxExcerptLength = 800;
