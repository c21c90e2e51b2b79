import type { SessionConfig } from "@capstan/protocol";
import { withFound } from "@capstan/wording";
import type { SessionState } from "./state.ts";
import { openTurnOf } from "./open-turn-of.ts";

/**
 * The settings that hold for what runs now: a turn that somebody began who may only ask is in plan mode, and a user's own command is
 * held to no mode of the model's.
 */
export function configNow(state: SessionState): SessionConfig | null {
  const { operation } = state;
  if (state.config === null) return null;
  const config = withFound(state.config, state.foundTools);
  if ("batch" in operation && operation.batch.isUsers === true) return forUsersCommand(config);
  return config.mode !== "plan" && openTurnOf(state)?.mode === "plan" ? { ...config, mode: "plan" } : config;
}

/**
 * Modes say how far the model may go. A user's command may change the workspace in each of them, in the sandbox where there is one; where
 * there is none, its user has been asked, as they typed it. What rules or the configuration refuse stays refused.
 */
function forUsersCommand(config: SessionConfig): SessionConfig {
  const { mode, sandbox } = config;
  const isAsked = sandbox.withoutIsolation === "refuse-unless-reported";
  return {
    ...config,
    mode: mode === "auto" ? mode : "accept-edits",
    sandbox: isAsked ? { ...sandbox, withoutIsolation: "ask" } : sandbox,
  };
}
