import { momentBeforeAsking, type Moment, momentsBeforeCall, narrowed, verdictOn } from "@capstan/hook-points";
import { askHooks } from "../ask-hooks.ts";
import { named } from "./named-call.ts";
import type { Action, InteractionRequest, JournalRecord, Judgement, Rule, ToolOutcome } from "@capstan/protocol";
import { type Ahead, aheadOf, grantOffer, mayFitLater, mustWait, riskOf, sessionOffer } from "@capstan/policy";
import { changedSince, unattendedOutcome } from "@capstan/wording";
import { openInteraction, type InteractionOpening } from "../interactions/open-interaction.ts";
import { withdraw } from "../interactions/resolve-interaction.ts";
import { andThen, type Decision, decision, nothing, together } from "../../model/decision.ts";
import { isUndecided, type OpenTurn, type PendingCall, type SessionState } from "@capstan/session";
import type { PreparedCall } from "../../model/stimulus.ts";
import { advanceBatch, advanceWithout } from "./advance-batch.ts";
import { decideSessionCall } from "./decide-session-call.ts";
import { finished } from "./finish-call.ts";
import { deniedOutcome, judgeCall, passesWithEdits, passesWithRule } from "./judge-call.ts";

/** Puts every prepared action before the gatekeeper: run, ask, or refuse. What may need the end of a call before it is deferred. */
export function decideCalls(state: SessionState, prepared: readonly PreparedCall[]): Decision {
  const { operation } = state;
  if (operation.type !== "tool-loop") return nothing;
  const items = new Map(prepared.map((item) => [item.callId, item]));
  const held = askHooks(
    state,
    operation.batch.calls.flatMap((each) => momentsOf(each, items.get(each.call.callId))),
  );
  if (held !== null) return held;
  const { made, refused } = decideEach(state, operation, items);
  const asked = askHooks(state, momentsOfAsking(operation.batch.calls, made.records));
  if (asked !== null) return asked;
  if (refused !== undefined) return andThen(state, made, (after) => advanceWithout(after, refused));
  // Repeated or foreign: starting again what starts already would do it twice.
  return made.records.length === 0 ? nothing : andThen(state, made, advanceBatch);
}

type ToolLoop = Extract<SessionState["operation"], { readonly type: "tool-loop" }>;

/** `refused`: a call that will not do what those behind it were prepared on; these are not decided on. */
function decideEach(
  state: SessionState,
  { batch, turn }: ToolLoop,
  items: ReadonlyMap<string, PreparedCall>,
): { readonly made: Decision; readonly refused?: PreparedCall["callId"] } {
  let made: Decision = nothing;
  let number = turn.interactions + 1;
  let ahead: Ahead = "nothing";
  for (const pending of batch.calls) {
    const item = items.get(pending.call.callId);
    if (pending.type === "settled") continue;
    const next = item === undefined ? nothing : decideOn(state, turn, pending, { item, ahead, number });
    made = together([made, next]);
    if (next.records.some((record) => record.type === "interaction-opened")) number += 1;
    if (!next.records.some((record) => record.type === "tool-finished"))
      ahead = aheadOf(ahead, item?.type === "action" ? item.action : "action" in pending ? pending.action : null);
    else if (item?.type === "action" && item.action.files !== undefined) return { made, refused: item.callId };
  }
  return { made };
}

/** Hooks are asked about what has not begun. */
function momentsOf({ type, call }: PendingCall, item: PreparedCall | undefined): readonly Moment[] {
  if (type === "settled" || type === "running" || item?.type !== "action") return [];
  return momentsBeforeCall(named(call, item.action));
}

/** Hooks are asked before a user is. */
function momentsOfAsking(calls: readonly PendingCall[], records: readonly JournalRecord[]): readonly Moment[] {
  return records.flatMap((record) => {
    if (record.type !== "tool-decided" || record.judgement.verdict !== "ask") return [];
    const pending = calls.find(({ call }) => call.callId === record.callId);
    return pending === undefined ? [] : [momentBeforeAsking(named(pending.call, record.action))];
  });
}

function decideOn(
  state: SessionState,
  turn: OpenTurn,
  pending: PendingCall,
  { item, ahead, number }: { readonly item: PreparedCall; readonly ahead: Ahead; readonly number: number },
): Decision {
  const { callId } = item;
  if (pending.type === "running") return nothing;
  if (item.type === "action" ? mustWait(item.action, ahead) : mayFitLater(item.effect, ahead))
    return pending.type === "deferred" ? nothing : instead(pending, [{ type: "tool-deferred", callId }]);
  if (item.type === "refused") return instead(pending, [finished(callId, item.outcome)]);
  if ("action" in pending && !isUndecided(pending) && pending.action?.digest === item.action.digest) return nothing;
  const warnings = pending.type === "allowed" && pending.approved ? [changedSince] : [];
  return instead(pending, decideCall(state, turn, { ...item, number, warnings }));
}

/** What the journal says of a call from here on; a question about it is void. */
function instead(pending: PendingCall, records: readonly JournalRecord[]): Decision {
  const isAsked = pending.type === "asking" && pending.interaction !== null;
  return together([isAsked ? withdraw(pending.interaction) : nothing, decision(records)]);
}

interface DecidedCall {
  readonly callId: PreparedCall["callId"];
  readonly action: Action;
  readonly changes?: Approval["changes"];
  /** Of the interaction, should one be opened. */
  readonly number: number;
  /** What a user should know first, should they be asked. */
  readonly warnings: readonly string[];
}

/** The gatekeeper's word on a call, and what follows from it at once. */
export function decideCall(
  state: SessionState,
  turn: OpenTurn,
  { callId, action, changes, number, warnings }: DecidedCall,
): readonly JournalRecord[] {
  const isLow = riskOf(action).level !== "high";
  const judgement = narrowed(
    withUsersWord(state, judgeCall(state, turn, action)),
    verdictOn(state.hooks, callId),
    isLow,
  );
  const decided: Decided = { type: "tool-decided", callId, action, judgement };
  const answered = (outcome: ToolOutcome): readonly JournalRecord[] => [decided, finished(callId, outcome)];
  if (judgement.verdict === "deny") {
    const outcome = deniedOutcome(state, action, judgement);
    const rule = flagOffer(state, turn, action);
    return answered(rule === undefined ? outcome : { ...outcome, passesWith: { type: "rule", rule: rule.text } });
  }
  if (action.session !== undefined) {
    const next = decideSessionCall(state, callId, action.session);
    if (next.type === "answer") return answered(next.outcome);
    return ask(state, turn, { ...decided, judgement: next.judgement }, { ...next, digest: action.digest, number });
  }
  if (judgement.verdict === "allow") return [decided];
  const request: InteractionRequest = {
    type: "approval",
    callId,
    action,
    reason: judgement.reason,
    risk: judgement.rule?.risk ?? riskOf(action).level,
    warnings: [...warnings, ...(judgement.warnings ?? [])],
    ...(changes === undefined ? {} : { changes }),
    ...offersFor(state, turn, action),
  };
  return ask(state, turn, decided, { request, digest: action.digest, number });
}

type Approval = Extract<InteractionRequest, { type: "approval" }>;

/** Ways to be asked less: each of them would have let this very call pass. */
function offersFor(state: SessionState, turn: OpenTurn, action: Action): Partial<Approval> {
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

/** The rule that would have let a command pass without a sandbox, had the command line of the process named it. */
function flagOffer(state: SessionState, turn: OpenTurn, action: Action): Rule | undefined {
  const { workspace, config } = state;
  if (workspace === null || config?.sandbox.withoutIsolation !== "refuse-unless-reported") return undefined;
  const grant = action.command === undefined ? undefined : grantOffer(action, [], workspace.cwd);
  if (grant === undefined) return undefined;
  const rule: Rule = { ...grant, source: "flag" };
  return passesWithRule(state, turn, action, rule) ? rule : undefined;
}

/** The word of the user who runs a command themselves is its approval; what is denied stays denied. */
function withUsersWord({ operation }: SessionState, judgement: Judgement): Judgement {
  if (judgement.verdict !== "ask" || !("batch" in operation) || operation.batch.isUsers !== true) return judgement;
  return { verdict: "allow", reason: "A user ran it themselves." };
}

type Decided = Extract<JournalRecord, { type: "tool-decided" }>;

function ask(
  state: SessionState,
  turn: OpenTurn,
  decided: Decided,
  opening: InteractionOpening,
): readonly JournalRecord[] {
  if (state.config?.askPolicy === "ask") return [decided, openInteraction(state, turn, opening)];
  return [decided, finished(decided.callId, unattendedOutcome(opening.request, decided.judgement.reason))];
}
