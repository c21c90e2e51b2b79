import type { Action, Grant, Judgement, Rule, ToolLimits, ToolOutcome } from "@capstan/protocol";
import { judge, planReason, type Situation } from "@capstan/policy";
import { isOfferedNow, isUnfound, unfoundReason } from "@capstan/wording";
import { configNow, type OpenTurn, type SessionState } from "@capstan/session";

/** The gatekeeper's word on a call, as the session stands now. A tool that the model was not offered is not even judged. */
export function judgeCall(state: SessionState, turn: OpenTurn, action: Action): Judgement {
  const { workspace, grants, now } = state;
  const config = configNow(state);
  if (config === null || workspace === null) return { verdict: "deny", reason: "the session has no configuration" };
  if (isWithheld(action, config))
    return { verdict: "deny", reason: isUnfound(action.tool, config) ? unfoundReason : planReason };
  const { mode, sandbox } = config;
  const policy = { ...config.policy, rules: withGrants(config.policy.rules, grants) };
  const situation = { policy, mode, workspace, sandbox, frontend: turn.origin.frontend, now };
  return beyondLimits(action, turn, { situation, ofAgent: config.agent?.limits ?? [] }) ?? judge(action, situation);
}

/** The same of a command under way that wants to reach one more host, as `name` or `name:port`. */
export function judgeReach(state: SessionState, turn: OpenTurn, action: Action, host: string): Judgement["verdict"] {
  const { command } = action;
  if (command?.confinement.type !== "sandbox") return "deny";
  const confinement = { ...command.confinement, hosts: [host] };
  return judgeCall(state, turn, { ...action, command: { ...command, confinement } }).verdict;
}

/** Why a call does not keep to what the turn is held to; `undefined`: it does. What only reads does not change anything. */
function beyondLimits(
  action: Action,
  { limits = [] }: OpenTurn,
  { situation, ofAgent }: { readonly situation: Situation; readonly ofAgent: readonly ToolLimits[] },
): Judgement | undefined {
  const [first] = limits;
  // Its agent would not be held to them, as it is to those that its caller was given with its profile.
  if (action.effect === "delegate" && first !== undefined)
    return { verdict: "deny", reason: `In this turn the model follows ${first.by}, which works without agents.` };
  if (action.effect !== "write" && action.effect !== "execute") return undefined;
  const verdictUnder = (rules: readonly Rule[], mode: Situation["mode"]): Judgement["verdict"] =>
    judge(action, { ...situation, mode, policy: { rules, approval: "default", yolo: false } }).verdict;
  const broken = [...ofAgent, ...limits].find(
    ({ allow, deny }) =>
      (allow.length > 0 && verdictUnder(allow, "default") !== "allow") ||
      (deny.length > 0 && verdictUnder(deny, "auto") === "deny"),
  );
  if (broken === undefined) return undefined;
  const { by, allow, deny } = broken;
  const works = allow.length > 0 ? `works with ${textOf(allow)} only` : `does not work with ${textOf(deny)}`;
  return { verdict: "deny", reason: `In this turn the model follows ${by}, which ${works}.` };
}

function textOf(rules: readonly Rule[]): string {
  return rules.map(({ text }) => text).join(", ");
}

/** Whether all that stands in the call's way is the mode `default`: in `accept-edits` nobody would be asked. */
export function passesWithEdits(state: SessionState, turn: OpenTurn, action: Action): boolean {
  const { config } = state;
  if (config?.mode !== "default") return false;
  return judgeCall({ ...state, config: { ...config, mode: "accept-edits" } }, turn, action).verdict === "allow";
}

/** Whether a rule more would let the call pass unasked. */
export function passesWithRule(state: SessionState, turn: OpenTurn, action: Action, rule: Rule): boolean {
  const { config } = state;
  if (config === null) return false;
  const policy = { ...config.policy, rules: [...config.policy.rules, rule] };
  return judgeCall({ ...state, config: { ...config, policy } }, turn, action).verdict === "allow";
}

/** A pure function's memory: one list of rules for all calls until a grant is added, so that it is read once. */
const joined = new WeakMap<readonly Grant[], { readonly rules: readonly Rule[]; readonly all: readonly Rule[] }>();

function withGrants(rules: readonly Rule[], grants: readonly Grant[]): readonly Rule[] {
  if (grants.length === 0) return rules;
  const known = joined.get(grants);
  if (known?.rules === rules) return known.all;
  const all = [...rules, ...grants.map(({ rule }) => rule)];
  joined.set(grants, { rules, all });
  return all;
}

type DeniedOutcome = Extract<ToolOutcome, { type: "denied" }>;

/** The end of a call that was denied; one that was not offered says so by its code. */
export function deniedOutcome(state: SessionState, action: Action, { reason }: Judgement): DeniedOutcome {
  const config = configNow(state);
  if (config === null || !isWithheld(action, config)) {
    return { type: "denied", by: "policy", content: `Denied: ${reason} Nothing was done.` };
  }
  const why =
    action.command === undefined || isUnfound(action.tool, config)
      ? ""
      : " There is no sandbox here, so plan mode has no shell.";
  const content = `Denied: ${action.tool} is not offered now. ${reason}${why} Nothing was done.`;
  return { type: "denied", by: "policy", content, code: "tool.not-offered" };
}

/**
 * What became of a call that may start, should the session have gone into plan mode since it was allowed: whatever plan mode
 * would deny does not start.
 * @returns `undefined` when nothing stands in its way
 */
export function stoppedByPlanMode(state: SessionState, turn: OpenTurn, action: Action): ToolOutcome | undefined {
  if (configNow(state)?.mode !== "plan" || action.effect === "read") return undefined;
  const judgement = judgeCall(state, turn, action);
  return judgement.verdict === "deny" ? deniedOutcome(state, action, judgement) : undefined;
}

/** Calls that concern the session are answered by what they are about; an agent has just its own tools. */
function isWithheld(action: Action, config: NonNullable<SessionState["config"]>): boolean {
  return (action.session === undefined || config.agent !== undefined) && !isOfferedNow(action.tool, config);
}
