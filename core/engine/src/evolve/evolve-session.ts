import type { SessionRecord } from "@capstan/protocol";
import { unreachable } from "@capstan/protocol";
import type { SessionState } from "../operation/state.ts";

export function evolveSession(state: SessionState, record: SessionRecord): SessionState {
  switch (record.type) {
    case "session-started":
      return { ...state, sessionId: record.sessionId, workspace: record.workspace };
    case "session-configured":
      return { ...state, config: record.config };
    case "session-recovered":
      return state;
    default:
      return unreachable(record);
  }
}
