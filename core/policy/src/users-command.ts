import type { SessionConfig } from "@capstan/protocol";

/**
 * Modes say how far the model may go. A user's command may change the workspace in each of them, in the sandbox where there is one; where
 * there is none, its user has been asked, as they typed it. What rules or the configuration refuse stays refused.
 */
export function forUsersCommand(config: SessionConfig): SessionConfig {
  const { mode, sandbox } = config;
  const isAsked = sandbox.withoutIsolation === "refuse-unless-reported";
  return {
    ...config,
    mode: mode === "auto" ? mode : "accept-edits",
    sandbox: isAsked ? { ...sandbox, withoutIsolation: "ask" } : sandbox,
  };
}
