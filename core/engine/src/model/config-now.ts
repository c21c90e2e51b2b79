import type { SessionConfig } from "@capstan/protocol";
import type { SessionState } from "./state.ts";
import { openTurnOf } from "./open-turn-of.ts";

/** The settings that hold for what runs now: a turn that somebody began who may only ask is in plan mode. */
export function configNow(state: SessionState): SessionConfig | null {
  const { config } = state;
  if (config === null || config.mode === "plan" || openTurnOf(state)?.mode !== "plan") return config;
  return { ...config, mode: "plan" };
}
