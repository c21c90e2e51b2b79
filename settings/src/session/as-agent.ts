import type { AgentProfile, SessionConfig } from "@capstan/protocol";

/** A session's settings as an agent has them: its own words after everybody's, and no more tools than are named for it. */
export function asAgent(config: SessionConfig, agent: AgentProfile): SessionConfig {
  const { tools, prompt } = agent;
  return {
    ...config,
    agent,
    tools: tools === null ? config.tools : config.tools.filter(({ name }) => tools.includes(name)),
    systemPrompt: `${config.systemPrompt}\n\n${prompt}`,
  };
}
