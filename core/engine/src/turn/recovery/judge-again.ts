import { type Decision, decision, nothing, together } from "../../model/decision.ts";
import type { OpenTurn, PendingCall, SessionState } from "@capstan/session";
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
  const decided = batch.calls.map((pending) => {
    const again = decideAgain(state, turn, pending, asked + 1);
    if (again.records.some((record) => record.type === "interaction-opened")) asked += 1;
    return again;
  });
  return together(decided);
}

function decideAgain(state: SessionState, turn: OpenTurn, pending: PendingCall, number: number): Decision {
  if (pending.type === "settled" || !("action" in pending) || pending.action.session !== undefined) return nothing;
  const { call, action } = pending;
  const { verdict } = judgeCall(state, turn, action);
  const isAnswered = pending.type === "asking" || pending.approved;
  if (verdict === "allow" || (verdict === "ask" && isAnswered)) return nothing;
  const decided = decideCall(state, turn, { callId: call.callId, action, number, warnings: [] });
  return together([backToDecided(pending), decision(decided)]);
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
