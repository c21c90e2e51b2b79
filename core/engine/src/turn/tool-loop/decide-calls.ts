import type {
  Action,
  FileChange,
  InteractionRequest,
  JournalRecord,
  Judgement,
  Rule,
  ToolCallId,
  ToolOutcome,
} from "@capstan/protocol";
import { grantOffer, riskOf, sessionOffer } from "@capstan/policy";
import { openInteraction, type InteractionOpening } from "../interactions/open-interaction.ts";
import { andThen } from "../../evolve/and-then.ts";
import { type Decision, decision, nothing } from "../../model/decision.ts";
import { isUndecided, type OpenTurn, type SessionState } from "../../model/state.ts";
import type { PreparedCall } from "../../model/stimulus.ts";
import { advanceBatch } from "./advance-batch.ts";
import { decideSessionCall } from "./decide-session-call.ts";
import { finished } from "./finish-call.ts";
import { deniedOutcome, judgeCall, passesWithEdits, passesWithRule } from "./judge-call.ts";
import { unattendedOutcome } from "@capstan/wording";

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
  readonly changes?: readonly FileChange[];
  readonly refusal?: ToolOutcome;
  /** Of the interaction, should one be opened. */
  readonly number: number;
}

/** The gatekeeper's word on a call, and what follows from it at once. */
export function decideCall(
  state: SessionState,
  turn: OpenTurn,
  { callId, action, changes, refusal, number }: DecidedCall,
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
  // Nobody is asked about what cannot succeed.
  if (refusal !== undefined) return answered(refusal);
  const request: InteractionRequest = {
    type: "approval",
    callId,
    action,
    reason: judgement.reason,
    risk: judgement.rule?.risk ?? riskOf(action).level,
    warnings: judgement.warnings ?? [],
    ...(changes === undefined ? {} : { changes }),
    ...offersFor(state, turn, action),
  };
  return ask(state, turn, { decided, opening: { request, digest: action.digest, number } });
}

type Approval = Extract<InteractionRequest, { type: "approval" }>;

/** Ways to be asked less: each of them would have let this very call pass. */
function offersFor(
  state: SessionState,
  turn: OpenTurn,
  action: Action,
): Pick<Approval, "remembered" | "grant" | "workspaceOffer"> {
  const { workspace, config } = state;
  if (workspace === null || config === null) return {};
  const settles = (rule: Rule | undefined): boolean => rule !== undefined && passesWithRule(state, turn, action, rule);
  const remembered = sessionOffer(action, config.sandbox.hosts, workspace.cwd);
  const grant = grantOffer(action, config.sandbox.hosts, workspace.cwd);
  return {
    ...(remembered !== undefined && settles(remembered.rule) ? { remembered } : {}),
    ...(grant !== undefined && settles(grant) ? { grant } : {}),
    ...(passesWithEdits(state, turn, action) ? { workspaceOffer: true as const } : {}),
  };
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
