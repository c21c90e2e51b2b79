export type {
  Action,
  ActionDraft,
  Checkpoint,
  CommandForm,
  CommandUse,
  DeniedBy,
  EffectClass,
  FileChange,
  FileConflict,
  PassesWith,
  FileEffect,
  FileEvidence,
  FileObservation,
  FileVersion,
  Finding,
  NestedCommand,
  NetworkUse,
  PathUse,
  PlanSource,
  RiskLevel,
  ScriptContent,
  SessionCall,
  SettleEvidence,
  Task,
  ToolOutcome,
} from "./action.ts";
export type { Agent, AgentBudget } from "./agent.ts";
export { mayRunAgain, unreadScript, withTaskList } from "./action.ts";
export { defaultDeniedPatterns } from "./gate/denied-patterns.ts";
export { governingNames, governsByPath, isGoverningName } from "./gate/governing-names.ts";
export type { ClientIdentity } from "./client/client-identity.ts";
export type { ConversationPage, HistoryPage } from "./client/history-page.ts";
export type {
  Child,
  Draft,
  EngineClient,
  FoundInteraction,
  Frame,
  FactsClient,
  GrantsClient,
  InboxEntry,
  InteractionPlace,
  InteractionsClient,
  ModelEntry,
  OpenOptions,
  Presence,
  Lack,
  RecoveryReport,
  SessionClient,
  SessionOwner,
  SessionTarget,
  Settled,
} from "./client/engine-client.ts";
export type { Check, ConfigEntry, FileProblem, TrustClient, TrustRequest } from "./client/installation.ts";
export { type ClientMethod, methodRoles, requireRole } from "./client/method-roles.ts";
export {
  type ExportOptions,
  type FoundFiles,
  type ImportReport,
  type ProposalsRequest,
  type RewindPreview,
  type RewindReport,
  type RewindRequest,
  type SessionFile,
  type SessionText,
  type SessionsClient,
  wholeText,
} from "./client/sessions-client.ts";
export { includesRole, lesserRole, type Role, roles } from "./client/role.ts";
export type {
  ChangedSettings,
  CancelReason,
  CompactionChange,
  QueueChange,
  Receipt,
  ResolvedSubmission,
  SettingsPatch,
  Submission,
  UserCommand,
} from "./client/submission.ts";
export { type DoorCode, isDoorCode, type RefusalCode, refusalCatalog } from "./client/refusal-catalog.ts";
export type { ContextReport, ContextShare, ContextShareName, ReportedSummary } from "./context-report.ts";
export type { Activity, SessionSnapshot, SessionSummary } from "./session-snapshot.ts";
export { type Candidate, candidatesText, shortIds } from "./ids.ts";
export { type ErrorCode, errorCatalog } from "./error-catalog.ts";
export { AppError, type AppErrorOptions, messageOf, ProviderError, ToolRefusal } from "./errors.ts";
export type {
  HookAnswer,
  HookEntry,
  HookEvent,
  HookName,
  HookOutcome,
  HookOwner,
  HookRecord,
  HookResult,
  HookVerdict,
} from "./gate/hook.ts";
export type { Skill } from "./skill.ts";
export type { Fact, FactFile, FactKind, FactQuery, FactScope, FactWords, KnownFact } from "./fact.ts";
export type { ApprovalScope, Grant, GrantScope, Remembered } from "./gate/grant.ts";
export {
  type InteractionId,
  readNumberedCallId,
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
  InteractionEnd,
  InteractionRequest,
  Origin,
  PlanToCarryOut,
} from "./gate/interaction.ts";
export type { Proposal, ProposalRecord, ProposedFile } from "./gate/proposal.ts";
export { modeSentences } from "./gate/mode-sentences.ts";
export { buildFolderNames } from "./gate/build-folder-names.ts";
export { registriesPreset, registryHosts, withoutPreset } from "./gate/registry-hosts.ts";
export type { Confinement, Isolation, SandboxSettings, WithoutIsolation, WorkspaceReach } from "./gate/isolation.ts";
export { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
export type {
  AssistantBlock,
  AssistantMessage,
  MediaContent,
  Message,
  ModelOrigin,
  ModelRequest,
  PlanRole,
  ToolArguments,
  ToolCallBlock,
  ToolDefinition,
  ToolGrammar,
  ToolOffer,
  UserBlock,
  UserContent,
  UserMessage,
  WrittenCall,
} from "./message.ts";
export {
  compactorWire,
  httpCompactorName,
  isOwnCompactor,
  ownCompactors,
  type OwnCompactor,
} from "./model/compactors.ts";
export { modelName, modelNamed, nextModel, summarizerNamed, summarizerOf } from "./model/session-models.ts";
export { retryDelayMs } from "./model/retry-delay.ts";
export { costOf, highestPrices, tokensPerPrice } from "./model/costs.ts";
export type { ModelOffer } from "./model/model-offer.ts";
export {
  addUsage,
  type FinishReason,
  type ModelFinish,
  type ModelStreamPart,
  noUsage,
  type ProviderFailure,
  type RateLimit,
  type Usage,
} from "./model/model-stream.ts";
export { exitCodes, type TurnOutcome, usageExitCode } from "./outcome.ts";
export { isPlanPath } from "./gate/plan-path.ts";
export {
  type ApprovalMode,
  type Judgement,
  type PermissionMode,
  permissionModeAliases,
  permissionModes,
  type Policy,
  type Rule,
  type RuleSource,
  type RuleVerdict,
  type ToolLimits,
} from "./gate/policy.ts";
export { deltaScope, type Durability, needsFlush, recordCatalog, supersededScope } from "./record-catalog.ts";
export type { CompactionReason, CompactionRecord, KeptWords, SelectionReason } from "./model/compaction-record.ts";
export type {
  ContextPart,
  ImportSource,
  InteractionRecord,
  JournalRecord,
  NoticeRecord,
  QueueOutcome,
  RewindRecord,
  SessionEvent,
  SessionRecord,
  Spent,
  StepRecord,
  ToolRecord,
  TurnRecord,
} from "./record.ts";
export {
  type AgentProfile,
  type AskPolicy,
  type InputKind,
  type ModelPrices,
  type ModelSettings,
  type OnUnknown,
  type RetryPolicy,
  type SessionConfig,
  type SessionPlace,
  type TokenPrices,
  type ToolStrategy,
  toolStrategies,
  type TurnLimits,
  type Workspace,
} from "./session-config.ts";
export { type ReadRecord, readRecord, storedRecord } from "./versions/stored-record.ts";
export { upcastOrigin } from "./versions/upcasts.ts";
export { searchToolsName } from "./message.ts";
export type { PatternKind, ToolFamily } from "./tool-family.ts";
export { type ToolProfileName, toolProfiles } from "./model/tool-profile.ts";
export { unreachable } from "./unreachable.ts";
export { utf8Length } from "./utf8-length.ts";
export type { Question } from "./gate/question.ts";
export { asksAgain, saysSomething, userText } from "./user-text.ts";
export { reservedBodyFields } from "./model/reserved-body-fields.ts";
