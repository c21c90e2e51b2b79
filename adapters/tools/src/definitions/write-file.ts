import { renamed, path } from "../arguments/argument-alias.ts";
import type { ToolEntry, ToolText } from "../tool-entry.ts";

export const writeFile: ToolEntry = {
  name: "write_file",
  definition: () => definition,
  effect: "write",
  settles: true,
  rules: { names: ["create_file", "edit", "write", "multi_edit", "patch"], pattern: "path", contents: "written" },
  aliases: ["Write", "write", "file_write", "WriteFile", "create_file", "file_create", "write_to_file"],
  argumentAliases: [
    path,
    renamed("content", ["text", "contents", "file_text", "file_content", "fileContent", "CodeContent", "data"]),
    renamed("overwrite", ["force", "replace"]),
  ],
  load: async ({ options, paths }) =>
    (await import("../implementations.ts")).createWriteFileTool(options, await paths()),
};

const definition: ToolText = {
  description:
    "Create a text file with exactly this content. To change a file use " +
    "edit_file or apply_patch. To replace a whole file set overwrite, after reading it.",
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string" },
      content: { type: "string", description: "The whole file" },
      overwrite: { type: "boolean", description: "Replace an existing file" },
    },
    required: ["path", "content"],
    additionalProperties: false,
  },
  offered: "not-plan",
  planRole: { type: "writes", argument: "content" },
};
