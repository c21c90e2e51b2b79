import { mayRunAgain, type SessionRecord, unreachable } from "@capstan/protocol";
import type { SessionState } from "../model/state.ts";

export function evolveSession(state: SessionState, record: SessionRecord): SessionState {
  switch (record.type) {
    case "session-started":
      return { ...state, sessionId: record.sessionId, workspace: record.workspace };
    case "session-configured":
      return { ...state, config: record.config };
    case "session-titled":
      return { ...state, title: record.title.trim() === "" ? null : record.title };
    case "session-recovered":
      return interruptCalls(state);
    default:
      return unreachable(record);
  }
}

/** Whatever ran in the process that died runs no more. */
function interruptCalls(state: SessionState): SessionState {
  const { operation } = state;
  if (operation.type !== "tool-loop") return state;
  const calls = operation.batch.calls.map((pending) =>
    pending.type === "running" && !mayRunAgain(pending.action.effect) ? { ...pending, interrupted: true } : pending,
  );
  return { ...state, operation: { ...operation, batch: { ...operation.batch, calls } } };
}
