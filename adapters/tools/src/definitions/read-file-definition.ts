import type { ToolDefinition } from "@capstan/protocol";

export const readFileDefinition: ToolDefinition = {
  name: "read_file",
  description:
    "Read a UTF-8 text file. Each line comes as its number, a tab, and the text; numbers and tab are not part of the file. " +
    "Long output is cut, with a note that says how to read on. Needed before a file is changed with edit_file, apply_patch or " +
    "write_file. For directories use glob, to find text use search.",
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string", description: "Relative to the working directory, or absolute inside the workspace." },
      start_line: { type: "integer", minimum: 1, description: "First line, from 1." },
      end_line: { type: "integer", minimum: 1, description: "Last line, included." },
    },
    required: ["path"],
    additionalProperties: false,
  },
};
