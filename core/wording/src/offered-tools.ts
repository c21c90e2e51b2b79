import { type SessionConfig, type ToolDefinition, unreachable } from "@capstan/protocol";

/** The tools the model is offered now: plan mode is another set of tools, not a request to leave some alone. */
export function offeredTools(config: SessionConfig): readonly ToolDefinition[] {
  return config.tools.every((tool) => isOffered(tool, config))
    ? config.tools
    : config.tools.filter((tool) => isOffered(tool, config));
}

/** Whether a tool the session has makes sense in its present mode. A tool that was not announced is not judged here, but for an agent, which has no other. */
export function isOfferedNow(name: string, config: SessionConfig): boolean {
  const tool = config.tools.find((known) => known.name === name);
  if (tool === undefined) return config.agent === undefined;
  return tool.offered === "unlisted" || isOffered(tool, config);
}

function isOffered({ offered }: ToolDefinition, { mode, sandbox }: SessionConfig): boolean {
  switch (offered) {
    case undefined:
      return true;
    case "plan":
      return mode === "plan";
    case "not-plan":
      return mode !== "plan";
    case "unlisted":
      return false;
    case "sandboxed-in-plan":
      return mode !== "plan" || sandbox.isolation.type === "enforced";
    default:
      return unreachable(offered);
  }
}
