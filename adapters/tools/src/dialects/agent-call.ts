import type { JsonObject } from "@capstan/protocol";

/**
 * A call of a tool that is named after an agent (`scout_agent`), as one of `spawn_agent`; `undefined`: the name is none of one.
 * @see seed P19: `task`, and `context` that goes with it
 */
export function agentCall(name: string, { context, task, ...args }: JsonObject): JsonObject | undefined {
  const [, agent] = /^([\p{L}\p{N}][\p{L}\p{N}_.:-]*)_agent$/u.exec(name) ?? [];
  if (agent === undefined || agent === "spawn") return undefined;
  const words = [task ?? args["prompt"], context].filter((part) => typeof part === "string");
  return { ...args, agent, ...(words.length === 0 ? {} : { prompt: words.join("\n\n") }) };
}
