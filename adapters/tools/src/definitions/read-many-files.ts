import { dropped, renamed } from "../arguments/argument-alias.ts";
import { maxFilesRead } from "../directory/limits.ts";
import type { ToolEntry, ToolText } from "../tool-entry.ts";

/** Not shown to models: several calls of read_file are as good. It is there for models that know it. */
export const readManyFiles: ToolEntry = {
  name: "read_many_files",
  definition: () => definition,
  effect: "read",
  settles: false,
  rules: { names: ["read", "view"], pattern: "path", contents: "read" },
  aliases: ["ReadManyFiles", "read_multiple_files", "read_files", "batch_read"],
  argumentAliases: [
    renamed("paths", ["include", "files", "file_paths", "filePaths", "patterns"]),
    renamed("exclude", ["ignore", "excludes"]),
    dropped(["recursive", "useDefaultExcludes", "file_filtering_options", "description", "explanation"]),
  ],
  load: async ({ options, paths }) =>
    (await import("../implementations.ts")).createReadManyFilesTool(options, await paths()),
};

const definition: ToolText = {
  description: `Read up to ${maxFilesRead} text files, by paths or globs. Each counts as read only when shown whole.`,
  inputSchema: {
    type: "object",
    properties: {
      paths: { type: "array", items: { type: "string" }, minItems: 1 },
      exclude: { type: "array", items: { type: "string" }, description: "Globs" },
    },
    required: ["paths"],
    additionalProperties: false,
  },
  offered: "unlisted",
};
