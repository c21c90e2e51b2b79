import { type Origin, type Submission, type ToolCallBlock, toStepId, toToolCallId, userText } from "@capstan/protocol";
import { type Decision, decision, nothing } from "../model/decision.ts";
import type { SessionState } from "../model/state.ts";

type RunForUser = Extract<Submission, { readonly type: "run-for-user" }>;

/** Begins a turn that is a user's own command: one call, made ready, judged, recovered and undone like every other. */
export function runForUser(state: SessionState, { turnId, command }: RunForUser, origin: Origin): Decision {
  if (state.config === null || state.turnIds.includes(turnId)) return nothing;
  const value = "script" in command ? { command: command.script } : { argv: command.argv };
  const shown = "script" in command ? command.script : command.argv.join(" ");
  const callId = toToolCallId(`${turnId}.command`);
  const call: ToolCallBlock = { type: "tool-call", callId, name: "run_command", arguments: { type: "json", value } };
  return decision(
    [{ type: "turn-started", turnId, content: userText(`!${shown}`), origin, call }],
    [{ type: "prepare-actions", stepId: toStepId(`${turnId}.s1`), calls: [call] }],
  );
}
