import type { JsonObject, ToolDefinition } from "@capstan/protocol";
import type { ToolsOptions } from "../options.ts";
import { maxGlobResults } from "../search/limits.ts";

/** The limits of the configuration are part of what the model is told. */
export function globDefinition(options: ToolsOptions): ToolDefinition {
  return { name: "glob", description, inputSchema: inputSchema(options) };
}

const description =
  'Find files by name. Lists paths that match a glob such as "src/**/*.{ts,tsx}", sorted, one per line. `*` stays inside one name, `**` spans ' +
  "directories; a bare name is looked for only at the top, so write **/name. What .gitignore excludes, and .git, is left out. " +
  "To look inside files use search.";

function inputSchema(options: ToolsOptions): JsonObject {
  return {
    type: "object",
    properties: {
      pattern: { type: "string", minLength: 1 },
      path: { type: "string", description: "Directory to start in" },
      hidden: { type: "boolean", description: "Also names that begin with a dot. Default false" },
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
