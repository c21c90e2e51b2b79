import type { JournalRecord } from "@capstan/protocol";
import { type Decision, decision, nothing } from "../../model/decision.ts";
import type { OpenTurn, PendingCall, SessionState } from "../../model/state.ts";
import { withdraw } from "../interactions/resolve-interaction.ts";
import { decideCall } from "../tool-loop/decide-calls.ts";
import { judgeCall } from "../tool-loop/judge-call.ts";
import { restarted } from "./calls-in-doubt.ts";

/**
 * What was decided and has not started, or reads again, is judged as the session stands today: a deny counts, so does a user's
 * approval of this very action, and what a rule or grant allowed that is gone becomes a question.
 */
export function judgeAgain(state: SessionState): Decision {
  const { operation } = state;
  if (operation.type !== "tool-loop") return nothing;
  const { turn, batch } = operation;
  let asked = turn.interactions;
  return batch.calls.reduce((before, pending) => {
    const { records, effects } = decideAgain(state, turn, pending, asked + 1);
    if (records.some((record) => record.type === "interaction-opened")) asked += 1;
    return decision([...before.records, ...records], [...before.effects, ...effects]);
  }, nothing);
}

function decideAgain(state: SessionState, turn: OpenTurn, pending: PendingCall, number: number): Decision {
  if (pending.type === "settled" || !("action" in pending) || pending.action.session !== undefined) return nothing;
  const { call, action } = pending;
  const { verdict } = judgeCall(state, turn, action);
  const isAnswered = pending.type === "asking" || pending.approved;
  if (verdict === "allow" || (verdict === "ask" && isAnswered)) return nothing;
  const before = backToDecided(pending);
  const decided: readonly JournalRecord[] = decideCall(state, turn, { callId: call.callId, action, number });
  return decision([...before.records, ...decided], before.effects);
}

/** An open question is void, and a read that was under way has changed nothing. */
function backToDecided(pending: Exclude<PendingCall, { type: "new" | "deferred" | "settled" }>): Decision {
  switch (pending.type) {
    case "asking":
      return pending.interaction === null ? nothing : withdraw(pending.interaction);
    case "running":
      return decision([restarted(pending.call.callId, "untouched")]);
    case "allowed":
      return nothing;
  }
}
