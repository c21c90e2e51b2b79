import type { ToolDefinition } from "@capstan/protocol";

export const editFileDefinition: ToolDefinition = {
  name: "edit_file",
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
