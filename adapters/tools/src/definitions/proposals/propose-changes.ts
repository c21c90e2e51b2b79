import { dropped, renamed } from "../../arguments/argument-alias.ts";
import type { ToolEntry, ToolText } from "../../tool-entry.ts";

export const proposeChanges: ToolEntry = {
  name: "propose_changes",
  definition: () => definition,
  effect: "write",
  settles: true,
  rules: { names: ["propose_file_changes", "edit", "write"], pattern: "path", contents: "written" },
  aliases: ["propose_file_changes", "ProposeChanges"],
  argumentAliases: [
    renamed("operations", ["changes", "files"]),
    renamed("description", ["title", "summary"]),
    dropped(["id", "related_files"]),
  ],
  load: async ({ options, paths }) =>
    (await import("../../implementations.ts")).createProposeChangesTool(options, await paths()),
};

const definition: ToolText = {
  description:
    "Propose changes of several files as one set, for the user to look at: nothing is written, and the turn ends there. The user applies or " +
    "refuses each file. One entry for each file, which was read before unless it is new.",
  inputSchema: {
    type: "object",
    properties: {
      description: { type: "string", description: "What the set is for, in a line" },
      operations: {
        type: "array",
        items: {
          type: "object",
          properties: {
            operation: { enum: ["edit", "write", "delete"] },
            path: { type: "string" },
            content: { type: "string", description: "write: the whole file" },
            edits: {
              type: "array",
              description: "edit: in order",
              items: {
                type: "object",
                properties: {
                  old_string: { type: "string" },
                  new_string: { type: "string" },
                  replace_all: { type: "boolean" },
                },
                required: ["old_string", "new_string"],
                additionalProperties: false,
              },
            },
          },
          required: ["operation", "path"],
          additionalProperties: false,
        },
      },
      mode: {
        enum: ["atomic", "incremental"],
        description: "atomic (default): all that is chosen is applied, or none; what does not fit refuses the set",
      },
    },
    required: ["description", "operations"],
    additionalProperties: false,
  },
  offered: "not-plan",
  deferred: true,
};
