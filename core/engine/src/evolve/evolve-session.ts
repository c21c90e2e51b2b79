import type { SandboxSettings, SessionConfig, SessionRecord, TurnLimits } from "@capstan/protocol";
import { unreachable } from "@capstan/protocol";
import type { SessionState } from "../operation/state.ts";

/** Older journals do not name what came later. */
function withDefaults(config: SessionConfig): SessionConfig {
  const before: Partial<SessionConfig> = config;
  return {
    ...config,
    fallbacks: before.fallbacks ?? [],
    limits: { ...noWriteLimits, ...config.limits },
    interactionExpiryMs: before.interactionExpiryMs ?? null,
    sandbox: before.sandbox ?? unknownSandbox,
  };
}

const noWriteLimits: Pick<TurnLimits, "maxBytesWrittenPerTurn" | "maxFilesWrittenPerTurn"> = {
  maxBytesWrittenPerTurn: null,
  maxFilesWrittenPerTurn: null,
};

const unknownSandbox: SandboxSettings = {
  isolation: { type: "none", reason: "the session's settings do not speak of one" },
  autoRun: false,
  withoutIsolation: "refuse",
  hosts: [],
};

export function evolveSession(state: SessionState, record: SessionRecord): SessionState {
  switch (record.type) {
    case "session-started":
      return { ...state, sessionId: record.sessionId, workspace: record.workspace };
    case "session-configured":
      return { ...state, config: withDefaults(record.config) };
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
    pending.type === "running" && pending.action.effect !== "read" ? { ...pending, interrupted: true } : pending,
  );
  return { ...state, operation: { ...operation, batch: { ...operation.batch, calls } } };
}
