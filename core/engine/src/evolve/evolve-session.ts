import type { SessionConfig, SessionRecord } from "@capstan/protocol";
import { unreachable } from "@capstan/protocol";
import type { SessionState } from "../operation/state.ts";

/** Journals from before there were fallbacks do not name them. */
function withFallbacks(config: SessionConfig): SessionConfig {
  const before: Pick<Partial<SessionConfig>, "fallbacks"> = config;
  return { ...config, fallbacks: before.fallbacks ?? [] };
}

export function evolveSession(state: SessionState, record: SessionRecord): SessionState {
  switch (record.type) {
    case "session-started":
      return { ...state, sessionId: record.sessionId, workspace: record.workspace };
    case "session-configured":
      return { ...state, config: withFallbacks(record.config) };
    case "session-recovered":
      return state;
    default:
      return unreachable(record);
  }
}
