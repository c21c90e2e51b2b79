import type { JsonObject } from "@capstan/protocol";
import { maxListingDepth, maxListingEntries } from "../directory/limits.ts";
import { directory, dropped, path, renamed } from "../arguments/argument-alias.ts";
import type { ToolEntry, ToolText } from "../tool-entry.ts";

export const listDirectory: ToolEntry = {
  name: "list_directory",
  definition: () => definition,
  effect: "read",
  settles: false,
  rules: { names: ["ls", "list", "list_dir"], pattern: "path", contents: "untouched" },
  aliases: [
    "LS",
    "ls",
    "list_dir",
    "list_files",
    "ListDirectory",
    "list",
    "List",
    "dir",
    "view_directory",
    "read_directory",
  ],
  argumentAliases: [
    renamed("path", [
      "target_directory",
      "relative_workspace_path",
      "directory_path",
      "DirectoryPath",
      "dirPath",
      "uri",
    ]),
    directory,
    path,
    renamed("depth", ["max_depth", "maxDepth", "level", "levels"]),
    { from: ["recursive"], convert: depthWhenTrue },
    renamed("limit", ["max_results", "max_entries", "page_size"]),
    renamed("offset", ["start", "skip"]),
    renamed("ignore", ["exclude", "ignore_patterns", "excludePatterns"]),
    dropped(["file_filtering_options", "respect_git_ignore", "show_hidden", "hidden", "description", "explanation"]),
  ],
  load: async ({ options, paths }) =>
    (await import("../implementations.ts")).createListDirectoryTool(options, await paths()),
};

const definition: ToolText = {
  description: "List a directory, directories with a slash behind. What git ignores is named and not entered.",
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string" },
      depth: { type: "integer", minimum: 1, maximum: maxListingDepth, description: "Levels, default 1" },
      offset: { type: "integer", minimum: 1 },
      limit: { type: "integer", minimum: 1, maximum: maxListingEntries },
      ignore: { type: "array", items: { type: "string" }, description: "Globs" },
    },
    additionalProperties: false,
  },
};

function depthWhenTrue(args: JsonObject): JsonObject | undefined {
  const { recursive } = args;
  if (recursive === false || recursive === "false") return {};
  return recursive === true || recursive === "true" ? { depth: maxListingDepth } : undefined;
}
