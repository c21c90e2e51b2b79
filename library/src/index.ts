export { Engine, type EngineState } from "./engine.ts";
export type { Capability } from "./capabilities.ts";
export type { ConfigKey, ConfigSetting, ConfigValue } from "./config-values.ts";
export type {
  AnsweredEvent,
  AskedEvent,
  CallEvent,
  EngineEventHandler,
  EngineEventMap,
  EngineEventName,
  EngineEvents,
} from "./events/engine-events.ts";
export type { EngineReport } from "./engine-report.ts";
export type { ApprovalCallback, ApprovalContext, EngineOptions, OpenFor, SystemPrompt } from "./engine-options.ts";
export type { EngineHooks, HookBus, HookHandler, HookHandlers, HookInstaller, ToolCallHooks } from "./engine-hooks.ts";
export type { EnginePlugin, FoundPluginStatus, PluginStatus } from "./plugins/engine-plugins.ts";
export type { ContextSource, PluginContext, PluginEvents } from "./plugins/plugin-context.ts";
export { allowUsers, rateLimit, type UserRate } from "./middleware.ts";
export type { EngineRun, RunCallbacks, RunOptions, StartedCall } from "./engine-run.ts";
export type { EngineSession } from "./engine-session.ts";
export type { EngineTurn, TurnResult } from "./engine-turn.ts";
export type { ExternalProvider, ExternalProviders } from "@capstan/host";
export type {
  ModelProvider,
  Compactor,
  Compactors,
  CompactorSource,
  Admission,
  Entry,
  LowerRole,
  Middleware,
  ProgramHook,
  ProgramHookAnswer,
  ProgramTool,
  ProgramToolContext,
  ProgramToolResult,
  ToolSource,
  TurnAway,
  Visitor,
} from "@capstan/ports";
export {
  AppError,
  type AssistantBlock,
  type AssistantMessage,
  type ClientIdentity,
  type EngineClient,
  type Frame,
  type InboxEntry,
  type Interaction,
  type InteractionAnswer,
  type InteractionRequest,
  isJsonObject,
  type JournalRecord,
  type JsonObject,
  type JsonValue,
  type Message,
  messageOf,
  type ModelEntry,
  type ModelFinish,
  type ModelRequest,
  type ModelSettings,
  type ModelStreamPart,
  type PermissionMode,
  ProviderError,
  type ProviderFailure,
  type Receipt,
  type Role,
  type SessionClient,
  type SessionEvent,
  type SessionId,
  type SessionSnapshot,
  type SessionSummary,
  type SessionTarget,
  type SettingsPatch,
  type ToolDefinition,
  type Submission,
  toSessionId,
  toToolCallId,
  type TurnId,
  type TurnOutcome,
  type UserContent,
} from "@capstan/protocol";
