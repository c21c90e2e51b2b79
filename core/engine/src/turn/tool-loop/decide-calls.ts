import type { Action, JournalRecord, Judgement, ToolCallId, ToolOutcome } from "@capstan/protocol";
import { riskOf, grantOffer } from "@capstan/policy";
import { unattendedOutcome } from "@capstan/wording";
import { openInteraction, type InteractionOpening } from "../interactions/open-interaction.ts";
import { andThen } from "../../evolve/and-then.ts";
import { type Decision, decision, nothing } from "../../model/decision.ts";
import { isUndecided, type OpenTurn, type SessionState } from "../../model/state.ts";
import type { PreparedCall } from "../../model/stimulus.ts";
import { advanceBatch } from "./advance-batch.ts";
import { decideSessionCall } from "./decide-session-call.ts";
import { finished } from "./finish-call.ts";
import { deniedOutcome, judgeCall, passesWithEdits } from "./judge-call.ts";

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
    const decided = decideCall(state, operation.turn, { ...item, number: asked + 1 });
    if (decided.some((record) => record.type === "interaction-opened")) asked += 1;
    return decided;
  });
  // Repeated or foreign: starting again what starts already would do it twice.
  if (records.length === 0) return nothing;
  return andThen(state, decision(records), advanceBatch);
}

interface DecidedCall {
  readonly callId: ToolCallId;
  readonly action: Action;
  /** Of the interaction, should one be opened. */
  readonly number: number;
}

/** The gatekeeper's word on a call, and what follows from it at once. */
export function decideCall(
  state: SessionState,
  turn: OpenTurn,
  { callId, action, number }: DecidedCall,
): readonly JournalRecord[] {
  const judgement = withUsersWord(state, judgeCall(state, turn, action));
  const decided: JournalRecord = { type: "tool-decided", callId, action, judgement };
  const answered = (outcome: ToolOutcome): readonly JournalRecord[] => [decided, finished(callId, outcome)];
  if (judgement.verdict === "deny") {
    return answered(deniedOutcome(state, action, judgement));
  }
  if (action.session !== undefined) {
    const next = decideSessionCall(state, callId, action.session);
    if (next.type === "answer") return answered(next.outcome);
    return ask(state, turn, {
      decided: { ...decided, judgement: next.judgement },
      opening: { request: next.request, digest: action.digest, number },
    });
  }
  if (judgement.verdict === "allow") return [decided];
  const { workspace, config } = state;
  const isOffered = judgement.rule?.locked !== true && workspace !== null;
  const grant = isOffered ? grantOffer(action, config?.sandbox.hosts ?? [], workspace.cwd) : undefined;
  const request = {
    type: "approval",
    callId,
    action,
    reason: judgement.reason,
    risk: judgement.rule?.risk ?? riskOf(action).level,
    warnings: judgement.warnings ?? [],
    ...(grant === undefined ? {} : { grant }),
    ...(passesWithEdits(state, turn, action) ? { workspaceOffer: true as const } : {}),
  } as const;
  return ask(state, turn, { decided, opening: { request, digest: action.digest, number } });
}

/** The word of the user who runs a command themselves is its approval; what is denied stays denied. */
function withUsersWord({ operation }: SessionState, judgement: Judgement): Judgement {
  if (judgement.verdict !== "ask" || !("batch" in operation) || operation.batch.isUsers !== true) return judgement;
  return { verdict: "allow", reason: "A user ran it themselves." };
}

interface Asking {
  readonly decided: Extract<JournalRecord, { type: "tool-decided" }>;
  readonly opening: InteractionOpening;
}

function ask(state: SessionState, turn: OpenTurn, { decided, opening }: Asking): readonly JournalRecord[] {
  if (state.config?.askPolicy === "ask") return [decided, openInteraction(state, turn, opening)];
  return [decided, finished(decided.callId, unattendedOutcome(opening.request, decided.judgement.reason))];
}
