import { forUsersCommand } from "@capstan/policy";
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
