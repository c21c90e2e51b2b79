import { canonicalJson, type SessionConfig, type ToolDefinition } from "@capstan/protocol";
import { asAgent } from "@capstan/settings";

/**
 * A session's tools after they have changed under it: those it had stay where they were, so that what a vendor keeps of a request holds as far as it can,
 * and new ones come last.
 * @returns `null`: nothing has changed for it
 */
export function changedTools(config: SessionConfig, now: readonly ToolDefinition[]): readonly ToolDefinition[] | null {
  const { agent } = config;
  const offered = agent === undefined ? now : asAgent({ ...config, tools: now }, agent).tools;
  const byName = new Map(offered.map((tool) => [tool.name, tool]));
  const known = new Set(config.tools.map(({ name }) => name));
  const kept = config.tools.flatMap(({ name }) => byName.get(name) ?? []);
  const tools = [...kept, ...offered.filter(({ name }) => !known.has(name))];
  const isSame =
    canonicalJson(JSON.parse(JSON.stringify(tools))) === canonicalJson(JSON.parse(JSON.stringify(config.tools)));
  return isSame ? null : tools;
}
