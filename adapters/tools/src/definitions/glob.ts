import type { JsonObject } from "@capstan/protocol";
import type { ToolsOptions } from "../options.ts";
import { maxGlobResults } from "../search/limits.ts";
import { renamed, path, directory } from "../arguments/argument-alias.ts";
import type { ToolEntry } from "../tool-entry.ts";

/** The limits of the configuration are part of what the model reads. */
export const glob: ToolEntry = {
  name: "glob",
  definition: (options) => ({ description, inputSchema: inputSchema(options) }),
  effect: "read",
  settles: false,
  rules: { names: [], pattern: "path", contents: "untouched" },
  aliases: ["Glob", "find_files", "file_glob", "glob_file_search"],
  argumentAliases: [
    renamed("pattern", ["glob", "glob_pattern", "globPattern", "query", "file_pattern"]),
    renamed("path", ["cwd"]),
    directory,
    path,
    renamed("limit", ["max_results", "maxResults", "head_limit"]),
    renamed("hidden", ["include_hidden", "includeHidden", "dot"]),
  ],
  load: async ({ options, paths }) => (await import("../implementations.ts")).createGlobTool(options, await paths()),
};

const description =
  'Find files by name. Lists paths that match a glob such as "src/**/*.{ts,tsx}". `*` stays inside one name, `**` spans ' +
  "directories; a bare name is looked for only at the top, so write **/name. What .gitignore excludes, and .git, is left out.";

function inputSchema(options: ToolsOptions): JsonObject {
  return {
    type: "object",
    properties: {
      pattern: { type: "string", minLength: 1 },
      path: { type: "string" },
      hidden: { type: "boolean", description: "Also dot files" },
      limit: {
        type: "integer",
        minimum: 1,
        maximum: maxGlobResults,
        description: `Default ${options.limits.globResults}`,
      },
    },
    required: ["pattern"],
    additionalProperties: false,
  };
}
