export { modeForTools } from "@capstan/policy";
export { decide } from "./operation/decide.ts";
export { roleProblem } from "./operation/refuse.ts";
export type { Decision } from "./model/decision.ts";
export type { CallToProbe, Effect } from "./model/effect.ts";
export type { PreparedCall, Probe, Stimulus } from "./model/stimulus.ts";
export { judgeCall } from "./turn/tool-loop/judge-call.ts";
