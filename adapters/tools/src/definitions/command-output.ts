import { dropped, renamed } from "../arguments/argument-alias.ts";
import type { ToolEntry, ToolText } from "../tool-entry.ts";

/** Reads what runs in the background, and ends it. Nothing of the user's changes by it: it counts as a read. */
export const commandOutput: ToolEntry = {
  name: "command_output",
  definition: () => definition,
  effect: "read",
  settles: false,
  rules: { names: ["bash_output"], pattern: "none", contents: "untouched" },
  aliases: ["BashOutput", "bash_output", "TaskOutput", "AgentOutputTool", "get_command_output", "list_background"],
  argumentAliases: [
    renamed("id", ["agent_id", "agentId", "bash_id", "task_id", "shell_id", "command_id", "process_id"]),
    renamed("filter", ["regex", "pattern"]),
    dropped(["description", "explanation"]),
  ],
  load: async ({ options }) => (await import("../implementations.ts")).createCommandOutputTool(options),
};

const definition: ToolText = {
  description: "Read new output and the state of a background command, or stop it; without id, list them.",
  inputSchema: {
    type: "object",
    properties: {
      id: { type: "string" },
      filter: { type: "string" },
      wait_seconds: { type: "number" },
      stop: { type: "boolean" },
    },
    additionalProperties: false,
  },
};
