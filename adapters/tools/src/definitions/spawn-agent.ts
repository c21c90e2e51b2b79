import type { Agents } from "@capstan/ports";
import type { Agent } from "@capstan/protocol";
import { dropped, renamed } from "../arguments/argument-alias.ts";
import type { ToolEntry, ToolText } from "../tool-entry.ts";

/** Hands a piece of work to an agent. @see seeds D17, E18, T24 */
export function spawnAgent(agents: Agents): ToolEntry {
  return {
    ...spawnAgentEntry,
    definition: () => definition(agents.list()),
    load: async () => (await import("../implementations.ts")).createSpawnAgentTool(agents),
  };
}

export const spawnAgentEntry: Omit<ToolEntry, "load" | "definition"> = {
  name: "spawn_agent",
  effect: "delegate",
  settles: false,
  rules: { names: ["Task", "Agent"], pattern: "none", contents: "untouched" },
  // What few calls need is no part of what models are shown.
  accepts: {
    properties: { isolation: { enum: ["worktree"] }, variables: { type: "object" } },
    required: ["agent", "prompt"],
  },
  aliases: ["Task", "Agent", "spawn_subagent", "subagent", "delegate_task", "new_task"],
  argumentAliases: [
    renamed("agent", ["subagent_type", "type", "agent_type", "agentId", "id", "target", "name"]),
    renamed("prompt", ["task", "message", "input", "instructions"]),
    renamed("background", ["run_in_background", "is_background", "async"]),
    dropped(["description", "metadata", "explanation"]),
  ],
};

/** UTF-16 units that the agents' descriptions may take together. */
const maxListCharacters = 3000;
const minDescriptionCharacters = 40;

function definition(agents: readonly Agent[]): ToolText {
  const room = Math.max(minDescriptionCharacters, Math.floor(maxListCharacters / Math.max(1, agents.length)));
  const lines = agents.map(({ name, description }) => `- ${name}: ${short(description, room)}`);
  return {
    description: [
      "Have an agent do work; you get its answer. It knows nothing of this conversation; several run at once.",
      ...lines,
    ].join("\n"),
    inputSchema: {
      type: "object",
      properties: {
        agent: { type: "string" },
        prompt: { type: "string", minLength: 1 },
        background: { type: "boolean" },
      },
      required: ["agent", "prompt"],
      additionalProperties: false,
    },
  };
}

function short(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).toWellFormed()}…`;
}
