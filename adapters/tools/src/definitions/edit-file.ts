import { renamed, dropped, path } from "../arguments/argument-alias.ts";
import type { ToolEntry, ToolText } from "../tool-entry.ts";

export const editFile: ToolEntry = {
  name: "edit_file",
  definition: () => definition,
  effect: "write",
  settles: true,
  rules: { names: ["str_replace", "edit", "write", "multi_edit", "patch"], pattern: "path", contents: "written" },
  // `Edit` takes old_string and new_string in nearly every agent; the one that means a patch by it sends a field `patch`.
  aliases: ["Edit", "edit", "file_edit", "EditFile", "str_replace", "replace_in_file", "replace"],
  argumentAliases: [
    path,
    renamed("old_string", ["old_text", "old_str", "oldString", "oldText", "oldStr", "old", "search", "find"]),
    renamed("new_string", ["new_text", "new_str", "newString", "newText", "newStr", "new", "replace", "replacement"]),
    renamed("replace_all", ["replaceAll", "all"]),
    dropped(["description", "explanation", "instruction"]),
  ],
  load: async ({ options, paths }) =>
    (await import("../implementations.ts")).createEditFileTool(options, await paths()),
};

const definition: ToolText = {
  description:
    "Replace old_string by new_string in a file that was read before. old_string must be the file's exact text, white space " +
    "included, without line numbers, and occur once: quote enough lines around the change, or set replace_all. For several " +
    "changes at once use apply_patch. Answers with one line.",
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string", description: "Relative to the working directory, or absolute inside the workspace." },
      old_string: { type: "string", description: "Text to replace; empty to create a missing file." },
      new_string: { type: "string", description: "Text to put in its place." },
      replace_all: { type: "boolean", default: false },
    },
    required: ["path", "old_string", "new_string"],
    additionalProperties: false,
  },
  offered: "not-plan",
};
