import { type AgentProfile, type SessionConfig, searchToolsName, type ToolDefinition } from "@capstan/protocol";

/** A session's settings as an agent has them: its own words after everybody's, and no more tools than are named for it. */
export function asAgent(config: SessionConfig, agent: AgentProfile): SessionConfig {
  const { tools, prompt, compactor } = agent;
  return {
    ...config,
    agent,
    ...(compactor === undefined ? {} : { compactor }),
    tools:
      tools === null ? config.tools : config.tools.filter(({ name }) => tools.includes(name)).map(offeredBy(tools)),
    systemPrompt: `${config.systemPrompt}\n\n${prompt}`,
  };
}

/** Whoever cannot search for tools has those that are named at once. */
function offeredBy(names: readonly string[]): (tool: ToolDefinition) => ToolDefinition {
  if (names.includes(searchToolsName)) return (tool) => tool;
  return ({ deferred: _waits, ...tool }) => tool;
}
