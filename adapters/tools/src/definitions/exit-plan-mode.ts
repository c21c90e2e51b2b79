import { dropped, renamed } from "../arguments/argument-alias.ts";
import type { ToolEntry, ToolText } from "../tool-entry.ts";

/** Concerns the session itself: the engine decides it, nothing runs. */
export const exitPlanMode: ToolEntry = {
  name: "exit_plan_mode",
  definition: () => definition,
  effect: "session",
  settles: false,
  rules: { names: [], pattern: "none", contents: "untouched" },
  aliases: ["ExitPlanMode", "exitPlanMode", "plan_exit", "exit_plan"],
  argumentAliases: [
    renamed("plan", ["content", "text", "markdown"]),
    renamed("plan_file", ["planFile", "plan_path", "planFilePath", "path", "file_path"]),
    dropped(["allowedPrompts", "launchSwarm", "teammateCount", "description", "explanation", "summary"]),
  ],
  load: async ({ paths }) => (await import("../implementations.ts")).createExitPlanModeTool(await paths()),
};

const definition: ToolText = {
  description:
    "Present the finished plan to the user. They approve it, and it is carried out in a turn of its own; or they want it changed; or they cancel it.",
  inputSchema: {
    type: "object",
    properties: {
      plan: { type: "string", description: "The whole plan, in Markdown." },
      plan_file: { type: "string", description: "A file that holds it instead, such as plans/NAME.md." },
    },
    additionalProperties: false,
  },
  offered: "plan",
  planRole: { type: "presents" },
};
