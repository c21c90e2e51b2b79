import type { JsonObject, ToolDefinition } from "@capstan/protocol";
import type { ToolsOptions } from "../options.ts";
import { maxContextLines, maxSearchResults } from "../search/limits.ts";

/** The limits of the configuration are part of what the model is told. */
export function searchDefinition(options: ToolsOptions): ToolDefinition {
  return { name: "search", description, inputSchema: inputSchema(options) };
}

const description =
  "Find lines in files by regular expression (Rust syntax, line by line, no look-around). Binary files and what .gitignore excludes are " +
  'skipped. Result: totals, then "path:line: text", sorted. To find files by name use glob.';

function inputSchema(options: ToolsOptions): JsonObject {
  const globs = { type: "array", items: { type: "string" } };
  return {
    type: "object",
    properties: {
      pattern: { type: "string" },
      path: { type: "string" },
      case: { enum: ["smart", "sensitive", "insensitive"] },
      fixed_strings: { type: "boolean" },
      word_regexp: { type: "boolean" },
      include_glob: { ...globs, description: 'Such as ["*.ts"]' },
      exclude_glob: globs,
      hidden: { type: "boolean", description: "Also dot files" },
      context: { type: "integer", maximum: maxContextLines },
      max_results: {
        type: "integer",
        maximum: maxSearchResults,
        description: `Default ${options.limits.searchResults}`,
      },
      output: { enum: ["content", "files"] },
    },
    required: ["pattern"],
    additionalProperties: false,
  };
}
