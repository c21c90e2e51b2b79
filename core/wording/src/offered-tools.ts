import { type SessionConfig, type ToolDefinition, unreachable } from "@capstan/protocol";

/** The tools the model is offered now: plan mode is another set of tools, not a request to leave some alone. */
export function offeredTools(config: SessionConfig): readonly ToolDefinition[] {
  return config.tools.every((tool) => isOffered(tool, config))
    ? config.tools
    : config.tools.filter((tool) => isOffered(tool, config));
}

/** Whether a tool the session has makes sense in its present mode. A tool that was not announced is not judged here, but for an agent, which has no other. */
export function isOfferedNow(name: string, config: SessionConfig): boolean {
  if (!isLeft(name, config)) return false;
  const tool = config.tools.find((known) => known.name === name);
  if (tool === undefined) return config.agent === undefined;
  return tool.offered === "unlisted" || isOffered(tool, config);
}

/** Whether a tool waits to be found, so that the model knows nothing of it yet. */
export function isUnfound(name: string, config: SessionConfig): boolean {
  return config.tools.find((known) => known.name === name)?.deferred === true;
}

/** A pure function's memory: what was found stays the same for most of a session. */
const shown = new WeakMap<readonly string[], { readonly config: SessionConfig; readonly result: SessionConfig }>();

/** The settings with the deferred tools that were found as tools like any other, after all that came before them. */
export function withFound(config: SessionConfig, found: readonly string[]): SessionConfig {
  if (found.length === 0) return config;
  const known = shown.get(found);
  if (known?.config === config) return known.result;
  const names = new Map(config.tools.map((tool) => [tool.name, tool]));
  const late = found.flatMap((name) => {
    const { deferred, ...tool } = names.get(name) ?? { deferred: undefined };
    return deferred === true && "name" in tool ? [tool] : [];
  });
  const isLate = new Set(late.map(({ name }) => name));
  const result = { ...config, tools: [...config.tools.filter(({ name }) => !isLate.has(name)), ...late] };
  shown.set(found, { config, result });
  return result;
}

/** Whether every persona of the session leaves it this tool: none of them can give it one. */
function isLeft(name: string, { personas = [] }: SessionConfig): boolean {
  return personas.every(
    ({ tools, withoutTools }) => tools?.includes(name) !== false && withoutTools?.includes(name) !== true,
  );
}

function isOffered({ name, offered, deferred }: ToolDefinition, config: SessionConfig): boolean {
  const { mode, sandbox } = config;
  if (deferred === true || !isLeft(name, config)) return false;
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
