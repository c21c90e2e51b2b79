import type { Action, JournalRecord, Judgement, ToolCallId, ToolOutcome } from "@capstan/protocol";
import { riskOf, grantOffer } from "@capstan/policy";
import { openInteraction, type InteractionOpening } from "../interactions/open-interaction.ts";
import { withdraw } from "../interactions/resolve-interaction.ts";
import { andThen } from "../../evolve/and-then.ts";
import { type Decision, decision, nothing } from "../../model/decision.ts";
import { isUndecided, type OpenTurn, type PendingCall, type SessionState } from "../../model/state.ts";
import type { PreparedCall } from "../../model/stimulus.ts";
import { advanceBatch, standWithout } from "./advance-batch.ts";
import { decideSessionCall } from "./decide-session-call.ts";
import { finished } from "./finish-call.ts";
import { deniedOutcome, isEffect, judgeCall, passesWithEdits } from "./judge-call.ts";
import { hasBegun } from "./prepare-calls.ts";
import { unattendedOutcome } from "./session-outcomes.ts";

/**
 * Puts every prepared action before the gatekeeper: run, ask, or refuse. What was decided on already is decided on anew where it has become
 * another action, and what may need the end of a call before it is deferred.
 */
export function decideCalls(state: SessionState, prepared: readonly PreparedCall[]): Decision {
  const { operation } = state;
  if (operation.type !== "tool-loop") return nothing;
  const { turn, batch } = operation;
  const items = new Map(prepared.map((item) => [item.callId, item]));
  let made: Decision = nothing;
  let asked = turn.interactions;
  let ahead: Ahead = "nothing";
  for (const pending of batch.calls) {
    const item = items.get(pending.call.callId);
    const next = hasBegun(pending) || item === undefined ? nothing : decideOn(state, pending, { item, ahead, asked });
    made = decision([...made.records, ...next.records], [...made.effects, ...next.effects]);
    if (next.records.some((record) => record.type === "interaction-opened")) asked += 1;
    if (next.records.some((record) => record.type === "tool-finished")) {
      // What comes after it was prepared on what it will not do.
      if (item?.type === "action" && item.action.files !== undefined) return andThen(state, made, standWithout);
    } else ahead = aheadOf(pending, item, ahead);
  }
  // Repeated or foreign: starting again what starts already would do it twice.
  if (made.records.length === 0) return nothing;
  return andThen(state, made, advanceBatch);
}

/** What has not ended before a call: effects may change all that it is prepared on, reads what the model has seen. */
type Ahead = "nothing" | "reads" | "effects";

function aheadOf(pending: PendingCall, item: PreparedCall | undefined, before: Ahead): Ahead {
  if (pending.type === "settled" || before === "effects") return before;
  const action = item?.type === "action" ? item.action : "action" in pending ? pending.action : null;
  if (action === null || isEffect(action)) return "effects";
  return action.effect === "read" ? "reads" : before;
}

interface Prepared {
  readonly item: PreparedCall;
  readonly ahead: Ahead;
  /** Interactions opened in this turn so far. */
  readonly asked: number;
}

function decideOn(
  state: SessionState,
  pending: Exclude<PendingCall, { type: "running" | "settled" }>,
  { item, ahead, asked }: Prepared,
): Decision {
  const { callId } = item;
  if (mayFitLater(item, ahead)) {
    return pending.type === "deferred" ? nothing : instead(pending, [{ type: "tool-deferred", callId }]);
  }
  if (item.type === "refused") return instead(pending, [finished(callId, item.outcome)]);
  const { operation } = state;
  const isDecided = "action" in pending && !isUndecided(pending) && pending.action.digest === item.action.digest;
  if (isDecided || operation.type !== "tool-loop") return nothing;
  const isOther = pending.type === "allowed" && pending.approved;
  return instead(pending, decideCall(state, operation.turn, { ...item, number: asked + 1, isOther }));
}

/** Whether the end of a call before it may make another action of the call, or an action at all. */
function mayFitLater(item: PreparedCall, ahead: Ahead): boolean {
  if (item.type === "action") return ahead === "effects" && item.action.session?.type === "exit-plan-mode";
  return item.effect !== undefined && (ahead === "effects" || (ahead === "reads" && item.effect !== "read"));
}

/** What the journal says of a call from here on; a question about it is void. */
function instead(pending: PendingCall, records: readonly JournalRecord[]): Decision {
  const before = pending.type === "asking" && pending.interaction !== null ? withdraw(pending.interaction) : nothing;
  return decision([...before.records, ...records], before.effects);
}

interface DecidedCall {
  readonly callId: ToolCallId;
  readonly action: Action;
  /** Of the interaction, should one be opened. */
  readonly number: number;
  /** A user has approved the call as it was before. */
  readonly isOther?: boolean;
}

const changedSince = "You have approved this call, and it would do something else now: what it stands on has changed.";

/** The gatekeeper's word on a call, and what follows from it at once. */
export function decideCall(
  state: SessionState,
  turn: OpenTurn,
  { callId, action, number, isOther = false }: DecidedCall,
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
    warnings: [...(isOther ? [changedSince] : []), ...(judgement.warnings ?? [])],
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
