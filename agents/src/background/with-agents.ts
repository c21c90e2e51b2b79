import type { ContextSource } from "@capstan/ports";
import type { OpenedAgents } from "../agents-when-needed.ts";

/** What a source says of a workspace, and which agents the session has at work in the background. */
export function withAgents(source: ContextSource, agents: OpenedAgents | null): ContextSource {
  if (agents === null) return source;
  return {
    async collect(workspace, signal, turn) {
      const parts = await source.collect(workspace, signal, turn);
      if (turn.sessionId === null) return parts;
      // A session that cannot be read keeps no turn from its work.
      const own = await agents.context(turn.sessionId).catch(() => []);
      return [...parts, ...own];
    },
  };
}
