import { configNow, planSources, type SessionState } from "@capstan/session";
import { modeForTools } from "@capstan/engine";
import type { ToolContext } from "@capstan/ports";
import { AppError } from "@capstan/protocol";

/** What a tool may know about the session as it stands. */
export function toolContext(state: SessionState, signal: AbortSignal): ToolContext {
  const { sessionId, workspace, knownFiles } = state;
  const config = configNow(state);
  if (workspace === null || config === null)
    throw new AppError("internal.bug", "a tool was called in a session without a workspace");
  return {
    sessionId,
    workspace,
    signal,
    ...(onlyProposes(state) ? { onlyProposes: true as const } : {}),
    mode: modeForTools(config.mode, config.policy),
    sandbox: config.sandbox,
    planSoFar: () => planSources(state),
    knownFile: (realPath) => (Object.hasOwn(knownFiles, realPath) ? knownFiles[realPath] : undefined),
  };
}

/** A user's own command does what it says. */
export function onlyProposes({ config, operation }: SessionState): boolean {
  return config?.strategy === "review" && !("batch" in operation && operation.batch.isUsers === true);
}
