import { dropped, renamed } from "../arguments/argument-alias.ts";
import type { ToolEntry, ToolText } from "../tool-entry.ts";

/**
 * Ends what runs in the background, for models that have a tool of its own for it: ours are shown `stop` of `command_output`. Nothing of the user's changes by it, and to end it twice is to end it once: it counts as a read.
 */
export const stopCommand: ToolEntry = {
  name: "stop_command",
  definition: () => definition,
  effect: "read",
  settles: false,
  rules: { names: ["kill_shell"], pattern: "none", contents: "untouched" },
  aliases: ["KillShell", "KillBash", "kill_shell", "kill_bash", "TaskStop", "stop_background"],
  argumentAliases: [
    renamed("id", ["shell_id", "bash_id", "task_id", "command_id", "process_id"]),
    dropped(["description", "explanation"]),
  ],
  load: async ({ options }) => (await import("../implementations.ts")).createStopCommandTool(options),
};

const definition: ToolText = {
  description: "End a background command.",
  offered: "unlisted",
  inputSchema: {
    type: "object",
    properties: { id: { type: "string" } },
    required: ["id"],
    additionalProperties: false,
  },
};
