import { updatePlanAliases } from "../arguments/session-argument-aliases.ts";
import type { ToolEntry, ToolText } from "../tool-entry.ts";

/** Concerns the session itself: the engine decides it, nothing runs. */
export const updatePlan: ToolEntry = {
  name: "update_plan",
  definition: () => definition,
  // The name of one of several lists.
  accepts: { properties: { list: { type: "string" } }, required: ["plan"] },
  effect: "session",
  settles: false,
  rules: { names: ["todo_write"], pattern: "none", contents: "untouched" },
  aliases: ["todo_write", "TodoWrite", "todowrite", "write_todos", "update_todo_list"],
  argumentAliases: updatePlanAliases,
  load: async () => (await import("../implementations.ts")).createUpdatePlanTool(),
};

const definition: ToolText = {
  description:
    "Keep the task list of longer work, which the user sees: the whole list each time, with what is done and the one step in progress. " +
    "Not needed for work of one or two steps.",
  inputSchema: {
    type: "object",
    properties: {
      plan: {
        type: "array",
        maxItems: 100,
        items: {
          type: "object",
          properties: {
            step: { type: "string", minLength: 1 },
            status: { type: "string", enum: ["pending", "in_progress", "completed", "blocked"] },
          },
          required: ["step", "status"],
        },
      },
      explanation: { type: "string" },
    },
    required: ["plan"],
    additionalProperties: false,
  },
};
