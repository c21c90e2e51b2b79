export { hookCatalog, hookPoint, hookPointNamed, type HookPoint, type HookPower } from "./hook-catalog.ts";
export {
  betweenTurns,
  entriesFor,
  type HookMemory,
  type Moment,
  nextMoment,
  noHooks,
  type OpenRun,
  verdictOn,
  withFinished,
  withoutCall,
  withStarted,
} from "./hook-memory.ts";
export { cutOff } from "./cut-off.ts";
export { narrowed } from "./narrowed.ts";
export { maxStopPushes } from "./limits.ts";
export { momentsOfRecord } from "./record-moments.ts";
export { matcherProblem, matchesName } from "./matches-name.ts";
export { momentBeforeAsking, momentsAfterCall, momentsBeforeCall, type NamedCall } from "./call-moments.ts";
