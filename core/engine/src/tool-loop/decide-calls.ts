import type { Action, InteractionId, JournalRecord, Judgement, ToolCallId } from "@capstan/protocol";
import { toInteractionId, unreachable } from "@capstan/protocol";
import { judge } from "../gatekeeper/judge.ts";
import { andThen, type Decision, decision, nothing } from "../operation/decision.ts";
import { isUndecided, type OpenTurn, type SessionState } from "../operation/state.ts";
import type { PreparedCall } from "../operation/stimulus.ts";
import { advanceBatch } from "./advance-batch.ts";
import { finished } from "./finish-call.ts";

/** Puts every prepared action before the gatekeeper: run, ask, or refuse. */
export function decideCalls(state: SessionState, prepared: readonly PreparedCall[]): Decision {
  const { operation } = state;
  if (operation.type !== "tool-loop") return nothing;
  const waiting = new Set(
    operation.batch.calls.flatMap((pending) => (isUndecided(pending) ? [pending.call.callId] : [])),
  );
  let asked = operation.turn.interactions;
  const records = prepared.flatMap((item): readonly JournalRecord[] => {
    if (!waiting.delete(item.callId)) return [];
    if (item.type === "refused") return [finished(item.callId, item.outcome)];
    const judgement = judgeAction(state, item.action);
    const opensInteraction = judgement.verdict === "ask" && state.config?.attendance === "ask";
    if (opensInteraction) asked += 1;
    return decidedCall({ state, turn: operation.turn, callId: item.callId, action: item.action, judgement, asked });
  });
  // Repeated or foreign: starting again what starts already would do it twice.
  if (records.length === 0) return nothing;
  return andThen(state, decision(records), advanceBatch);
}

function judgeAction({ config, workspace }: SessionState, action: Action): Judgement {
  if (config === null || workspace === null) return { verdict: "deny", reason: "the session has no configuration" };
  return judge(action, config.policy, config.mode, workspace);
}

interface DecidedCall {
  readonly state: SessionState;
  readonly turn: OpenTurn;
  readonly callId: ToolCallId;
  readonly action: Action;
  readonly judgement: Judgement;
  readonly asked: number;
}

function decidedCall({ state, turn, callId, action, judgement, asked }: DecidedCall): readonly JournalRecord[] {
  const decided: JournalRecord = { type: "tool-decided", callId, action, judgement };
  switch (judgement.verdict) {
    case "allow":
      return [decided];
    case "deny":
      return [
        decided,
        finished(callId, { type: "denied", by: "policy", content: `Denied: ${judgement.reason} Nothing was done.` }),
      ];
    case "ask": {
      if (state.config?.attendance !== "ask") {
        const content = `Denied: this needs a person's approval (${judgement.reason}) and nobody is there to ask. Nothing was done. Go on without it, or say what you would need.`;
        return [decided, finished(callId, { type: "denied", by: "unattended", content })];
      }
      const id: InteractionId = toInteractionId(`${turn.turnId}.i${asked}`);
      const request = { type: "approval", callId, action, reason: judgement.reason } as const;
      return [decided, { type: "interaction-opened", interaction: { id, request }, turnId: turn.turnId }];
    }
    default:
      return unreachable(judgement.verdict);
  }
}
