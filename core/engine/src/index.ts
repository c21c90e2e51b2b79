export { evolve } from "./evolve/evolve.ts";
export type { CommandAction, Scene } from "./gatekeeper/scene.ts";
export { answerProblem, type AnswerProblem, fittingAnswers } from "./interactions/check-answer.ts";
export { pendingInteractions } from "./interactions/pending-interactions.ts";
export { type CallExplanation, explainCall, type ExplainedRule } from "./gatekeeper/explain-call.ts";
export { type CommandExplanation } from "./gatekeeper/explain-command.ts";
export { judge } from "./gatekeeper/judge.ts";
export { problemOfHost } from "./gatekeeper/rules/host-pattern.ts";
export { parseRule, problemOfRule } from "./gatekeeper/parse-rule.ts";
export { type Risk, riskOf } from "./gatekeeper/risk.ts";
export { ruleApplies } from "./gatekeeper/rule-applies.ts";
export { matchesExample } from "./gatekeeper/rule-example.ts";
export { foreignToolName } from "./gatekeeper/rules/tool-names.ts";
export { openTurnOf } from "./turn/open-turn-of.ts";
export { decide } from "./operation/decide.ts";
export type { Decision } from "./operation/decision.ts";
export type { CallToProbe, Effect } from "./operation/effect.ts";
export {
  initialState,
  type OpenTurn,
  stateFormat,
  type Operation,
  type PendingCall,
  type SessionState,
} from "./operation/state.ts";
export type { PreparedCall, Probe, Stimulus } from "./operation/stimulus.ts";
export { conversation } from "./projection/conversation.ts";
export { modelRequest } from "./projection/model-request.ts";
export { planSources, type PlanSources } from "./projection/plan-sources.ts";
export { snapshot } from "./projection/snapshot.ts";
