import { isKnownTurn } from "@capstan/policy";
import { type Origin, type Submission, type ToolCallBlock, toStepId, toToolCallId, userText } from "@capstan/protocol";
import { changeCompaction } from "./change-compaction.ts";
import { settleProposals } from "./settle-proposals.ts";
import { startCompaction } from "./start-compaction.ts";
import { startRewind, startUnwind } from "./start-rewind.ts";
import { type Decision, decision, nothing } from "../model/decision.ts";
import type { SessionState } from "@capstan/session";
import { hasCounted } from "./refuse.ts";
import type { Stimulus } from "../model/stimulus.ts";

type RunForUser = Extract<Submission, { readonly type: "run-for-user" }>;

/** Nothing runs: what is said of the session as a whole has its place here (input and settings are taken in every state). */
export function fromIdle(state: SessionState, stimulus: Stimulus): Decision {
  if (stimulus.type !== "submission") return nothing;
  const { submission, origin } = stimulus;
  if (hasCounted(state, submission)) return nothing;
  switch (submission.type) {
    case "run-for-user":
      return runForUser(state, submission, origin);
    case "compact":
      return startCompaction(state, submission);
    case "change-compaction":
      return changeCompaction(state, submission, origin);
    case "rewind":
      return startRewind(state, submission, origin);
    case "unwind":
      return startUnwind(state, submission, origin);
    case "settle-proposals":
      return settleProposals(state, submission, origin);
    default:
      return nothing;
  }
}

/** Begins a turn that is a user's own command: one call, made ready, judged, recovered and undone like every other. */
function runForUser(state: SessionState, { turnId, command }: RunForUser, origin: Origin): Decision {
  if (state.config === null || isKnownTurn(state.turnIds, turnId)) return nothing;
  const value = "script" in command ? { command: command.script } : { argv: command.argv };
  const shown = "script" in command ? command.script : command.argv.join(" ");
  const callId = toToolCallId(`${turnId}.command`);
  const call: ToolCallBlock = { type: "tool-call", callId, name: "run_command", arguments: { type: "json", value } };
  return decision(
    [{ type: "turn-started", turnId, content: userText(`!${shown}`), origin, call }],
    [{ type: "prepare-actions", stepId: toStepId(`${turnId}.s1`), calls: [call] }],
  );
}
