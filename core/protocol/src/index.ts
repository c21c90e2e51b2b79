export type {
  Action,
  ActionDraft,
  Checkpoint,
  CommandForm,
  CommandUse,
  DeniedBy,
  EffectClass,
  FileChange,
  FileEffect,
  FileEvidence,
  FileObservation,
  FileVersion,
  Finding,
  NestedCommand,
  PathUse,
  PlanSource,
  RiskLevel,
  ScriptContent,
  SessionCall,
  SettleEvidence,
  Task,
  ToolOutcome,
} from "./action.ts";
export { unreadScript } from "./action.ts";
export { behaviourNames, defaultDeniedPatterns } from "./gate/denied-patterns.ts";
export {
  type Activity,
  type EngineClient,
  type SessionClient,
  type SessionSnapshot,
  type SessionSummary,
  type SessionTarget,
  userText,
} from "./engine-client.ts";
export { type ErrorCode, errorCatalog } from "./error-catalog.ts";
export { AppError, type AppErrorOptions, messageOf, ProviderError, ToolRefusal } from "./errors.ts";
export type { Grant, GrantScope } from "./gate/grant.ts";
export {
  type InteractionId,
  type SessionId,
  type StepId,
  type ToolCallId,
  toInteractionId,
  toSessionId,
  toStepId,
  toToolCallId,
  toTurnId,
  type TurnId,
} from "./ids.ts";
export type {
  CallInDoubt,
  Interaction,
  InteractionAnswer,
  InteractionRequest,
  Origin,
  PlanToCarryOut,
  Question,
} from "./gate/interaction.ts";
export { placeholderMark, placeholderMode } from "./gate/isolation.ts";
export type { Confinement, Isolation, SandboxSettings, WithoutIsolation } from "./gate/isolation.ts";
export { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
export type {
  AssistantBlock,
  AssistantMessage,
  Message,
  ModelOrigin,
  ModelRequest,
  ToolArguments,
  ToolCallBlock,
  ToolDefinition,
  ToolOffer,
  UserBlock,
  UserContent,
  UserMessage,
} from "./message.ts";
export type { ModelOffer } from "./model-offer.ts";
export {
  addUsage,
  type FinishReason,
  type ModelFinish,
  type ModelStreamPart,
  noUsage,
  type ProviderFailure,
  type RateLimit,
  type Usage,
} from "./model-stream.ts";
export { exitCodes, type TurnOutcome, usageExitCode } from "./outcome.ts";
export { isPlanPath } from "./gate/plan-path.ts";
export {
  type ApprovalMode,
  type Judgement,
  type PermissionMode,
  permissionModes,
  type Policy,
  type Rule,
  type RuleSource,
  type RuleVerdict,
} from "./gate/policy.ts";
export { deltaScope, type Durability, needsFlush, recordCatalog, supersededScope } from "./record-catalog.ts";
export type {
  CompactionRecord,
  ContextPart,
  FileConflict,
  InteractionRecord,
  JournalRecord,
  NoticeRecord,
  RewindRecord,
  SessionEvent,
  SessionRecord,
  StepRecord,
  ToolRecord,
  TurnRecord,
} from "./record.ts";
export {
  type Attendance,
  type InputKind,
  type ModelPrices,
  type ModelSettings,
  type OnUnknown,
  type RetryPolicy,
  type SessionConfig,
  type TokenPrices,
  type ToolStrategy,
  toolStrategies,
  type TurnLimits,
  type Workspace,
} from "./session-config.ts";
export type { CancelReason, Submission } from "./submission.ts";
export { unreachable } from "./unreachable.ts";
