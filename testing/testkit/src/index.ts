export {
  action,
  actionDraft,
  call,
  callAnswer,
  callId,
  message,
  sessionTools,
  sha256,
  testOrigin,
  testUsage,
  textAnswer,
  toolEffects,
} from "./builders/calls.ts";
export { lookedSession } from "./builders/looked-session.ts";
export { absentSandbox, quietContext } from "./builders/tool-context.ts";
export {
  allowing,
  type ConfigOverrides,
  denying,
  noSandbox,
  opening,
  sessionConfig,
  testWorkspace,
} from "./builders/session-config.ts";
export {
  answers,
  cancels,
  completes,
  ends,
  fails,
  fileEffect,
  fires,
  receives,
  inDoubt,
  packed,
  tester,
  prepared,
  asks,
  prints,
  probed,
  providerFailure,
  restarts,
  restores,
  says,
  staged,
  submit,
} from "./builders/stimuli.ts";
export { engineClientContract } from "./contracts/engine-client/engine-client-contract.ts";
export type { EngineUnderTest } from "./contracts/engine-client/under-test.ts";
export {
  modelProviderContract,
  type PerformedCall,
  type Performance,
  type ProviderUnderTest,
} from "./contracts/model-provider-contract.ts";
export { sessionStoreContract } from "./contracts/session-store-contract.ts";
export { type SourceUnderTest, toolSourceContract } from "./contracts/tool-source-contract.ts";
export { asDriver, FollowedSession, isTurnEnd, testIdentity } from "./client/followed-session.ts";
export { memoryEngine } from "./client/memory-engine.ts";
export { FakeClock } from "./fake-clock.ts";
export { type AppendFault, type FaultPlan, type FaultyStore, faultyStore } from "./faulty-store.ts";
export { configVariant, configVariants } from "./history/config-variants.ts";
export { type Move, type RandomCall, randomMoves } from "./history/moves.ts";
export { playMoves, playToRest } from "./history/play-moves.ts";
export { pruned } from "./history/pruned.ts";
export { revoiced, voices } from "./history/revoiced.ts";
export { checkEffects } from "./invariants/check-effects.ts";
export { checkInvariants } from "./invariants/check-invariants.ts";
export type { Fold } from "./invariants/prefix.ts";
export { nextRecord } from "./next-record.ts";
export { noCheckpoints } from "./no-checkpoints.ts";
export { begin, play, type Played, type PlayedMove, playOn } from "./play.ts";
export { aborted, type ScriptedCall, type ScriptedProvider, scriptedProvider, spoken } from "./scripted-provider.ts";
export { type ScriptedTools, scriptedTools, type ToolExecution, type ToolScript } from "./scripted-tools.ts";
export { playSchedule, type ScheduleOptions, type ScheduleReport } from "./simulation/play-schedule.ts";
export { runSchedules, type SimulationOptions, type SimulationReport } from "./simulation/run-schedules.ts";
export { type Sabotage, sabotages } from "./simulation/sabotage.ts";
export { SeededRandom } from "./simulation/seeded-random.ts";
export { inTurn, isSlowTier, runs, sampled, slowTest } from "./tier.ts";
export { sequentialChance } from "./sequential-chance.ts";
export type { StoreUnderTest } from "./contracts/session-store-check.ts";
