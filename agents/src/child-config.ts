import { type Agent, type AgentBudget, type AgentProfile, AppError, type SessionConfig } from "@capstan/protocol";
import type { Caller, ChildSessions } from "./child-sessions.ts";

/** What an agent never has: its caller speaks with the user, and decides when to leave plan mode. */
const ofUsers: ReadonlySet<string> = new Set(["ask_user", "exit_plan_mode"]);
const spawning = "spawn_agent";
const msPerSecond = 1000;

/** What is reserved for the agents of a session that work now. */
export interface Share {
  readonly costUsd: number | null;
  readonly tokens: number | null;
}

/** A share, and whether the call is open that it was given to: an agent in the background keeps it beyond. */
export interface Reserved extends Share {
  readonly isCallOpen: boolean;
}

/** What a call adds to an agent. */
interface ChildSurroundings {
  readonly share: Share;
  readonly maxDepth: number;
  readonly sessions: ChildSessions;
  readonly variables?: Readonly<Record<string, string>>;
}

/** What an agent's session runs under: the settings of the session that calls, and less of everything. */
export function childConfig(
  { config }: Caller,
  agent: Agent,
  { share, maxDepth, sessions, variables = {} }: ChildSurroundings,
): SessionConfig & { readonly agent: AgentProfile } {
  const depth = (config.agent?.depth ?? 0) + 1;
  const ours = (names: readonly string[]): readonly string[] => names.flatMap((name) => sessions.toolNamed(name) ?? []);
  const named = agent.tools === null ? null : ours(agent.tools);
  const without = ours(agent.withoutTools ?? []);
  const above = config.agent?.subagents;
  const compactor = agent.compactor ?? config.agent?.compactor;
  const subagents = agent.subagents?.filter((name) => above?.includes(name) !== false) ?? above;
  const tools = config.tools
    .map(({ name }) => name)
    .filter((name) => (named === null || named.includes(name)) && !without.includes(name))
    .filter((name) => !ofUsers.has(name) && (name !== spawning || depth < maxDepth));
  return {
    ...config,
    model: modelOf(agent, config, sessions),
    ...(agent.mode === undefined ? {} : { mode: agent.mode }),
    limits: limitsOf(config.limits, share, agent.budget ?? {}),
    agent: {
      name: agent.name,
      depth,
      prompt: withVariables(agent.prompt, { ...agent.variables, ...variables }),
      tools,
      ...(subagents === undefined ? {} : { subagents }),
      ...(compactor === undefined ? {} : { compactor }),
      ...heldTo(config),
    },
  };
}

/** What the skills of those above hold it to. */
function heldTo({ agent }: SessionConfig): Pick<AgentProfile, "limits"> {
  return agent?.limits === undefined ? {} : { limits: agent.limits };
}

/** Of each limit the lower one. */
function limitsOf(
  limits: SessionConfig["limits"],
  share: Share,
  { steps, tokens, costUsd, seconds }: AgentBudget,
): SessionConfig["limits"] {
  return {
    ...limits,
    maxCostUsd: lower(share.costUsd, costUsd),
    maxTokensPerTurn: lower(share.tokens, tokens),
    maxModelCallsPerTurn: lower(limits.maxModelCallsPerTurn, steps),
    maxTurnDurationMs: lower(limits.maxTurnDurationMs, seconds === undefined ? undefined : seconds * msPerSecond),
  };
}

function lower(limit: number | null, own: number | undefined): number | null {
  if (own === undefined) return limit;
  return limit === null ? own : Math.min(limit, own);
}

/** A placeholder whose name nobody knows stays as it is: it may be an example in the prompt. */
function withVariables(prompt: string, variables: Readonly<Record<string, string>>): string {
  return prompt.replaceAll(/\{\{\s*([\w.-]+)\s*\}\}/g, (whole, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name] ?? whole) : whole,
  );
}

/** An agent written for other models works with the session's own. */
function modelOf({ model }: Agent, config: SessionConfig, sessions: ChildSessions): SessionConfig["model"] {
  if (model === undefined) return config.model;
  try {
    return sessions.modelNamed(model);
  } catch (error) {
    if (error instanceof AppError) return config.model;
    throw error;
  }
}

/**
 * An equal part of what is left, for each call of an agent that has not ended; who is not waited for leaves a part to its caller.
 * @param reserved  what others have, and whether their calls are open, too
 */
export function shareOf(
  { spent, allowed, openCalls }: Caller,
  reserved: readonly Reserved[],
  isBackground = false,
): Share {
  const others = reserved.filter(({ isCallOpen }) => isCallOpen).length;
  const waiting = Math.max(1, openCalls - others) + (isBackground ? 1 : 0);
  const part = (limit: number | null, used: number, kept: readonly (number | null)[]): number | null =>
    limit === null
      ? null
      : Math.max(0, limit - used - kept.reduce<number>((sum, each) => sum + (each ?? 0), 0)) / waiting;
  const tokens = part(
    allowed.tokens,
    spent.tokens,
    reserved.map((each) => each.tokens),
  );
  return {
    costUsd: part(
      allowed.costUsd,
      spent.costUsd,
      reserved.map((each) => each.costUsd),
    ),
    tokens: tokens === null ? null : Math.floor(tokens),
  };
}
