export { evolve } from "./evolve/evolve.ts";
export { decide } from "./operation/decide.ts";
export type { Decision } from "./operation/decision.ts";
export type { Effect } from "./operation/effect.ts";
export { initialState, type OpenTurn, type Operation, type PendingCall, type SessionState } from "./operation/state.ts";
export type { PreparedCall, Stimulus } from "./operation/stimulus.ts";
export { conversation } from "./projection/conversation.ts";
export { modelRequest } from "./projection/model-request.ts";
export { snapshot } from "./projection/snapshot.ts";
