import type { ToolDefinition } from "@capstan/protocol";

export const writeFileDefinition: ToolDefinition = {
  name: "write_file",
  description:
    "Create a text file with exactly this content; missing directories are made. To change a file use edit_file or apply_patch, " +
    "which need less text. To replace a whole file set overwrite, after reading it. Answers with one line.",
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string", description: "Relative to the working directory, or absolute inside the workspace." },
      content: { type: "string", description: "The whole file, with its final line end." },
      overwrite: { type: "boolean", default: false, description: "Replace an existing file." },
    },
    required: ["path", "content"],
    additionalProperties: false,
  },
  offered: "not-plan",
};
