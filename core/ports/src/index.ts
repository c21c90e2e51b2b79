export type {
  AgentReport,
  Agents,
  AgentsInBackground,
  AgentTask,
  BackgroundAgent,
  LateReport,
} from "./extensions/agents.ts";
export type { Chance } from "./chance.ts";
export type {
  AppliedEffect,
  Checkpoints,
  CopiedWorkspace,
  CopyChanges,
  PlannedFile,
  ProposedChanges,
  WorkspaceCopy,
} from "./checkpoints.ts";
export type { Clock } from "./clock.ts";
export type { ContextSource, ContextTurn } from "./context-source.ts";
export type { Compactor, Compactors, CompactorSource } from "./extensions/compactor.ts";
export type { Digest } from "./digest.ts";
export type { Facts, NewFact, Recalled, RecalledPassage, RecallRequest } from "./facts.ts";
export type { ProgramHook, ProgramHookAnswer } from "./extensions/program-hook.ts";
export type { HookReport, HookRequest, HookRunner } from "./extensions/hooks.ts";
export type { LoadedSkill, Skills } from "./extensions/skills.ts";
export type { FactStore, Passage, PassagePlace } from "./fact-store.ts";
export type { Grants } from "./grants.ts";
export type { HeldLease, LeaseAnswer, LeaseClaim, LeaseOwner } from "./lease.ts";
export type { Admission, Entry, LowerRole, Middleware, TurnAway, Visitor } from "./extensions/middleware.ts";
export type { ModelProvider } from "./model-provider.ts";
export type { FilePack, PackedFile, PackFiles, PackLimits, RefusedFile } from "./pack-files.ts";
export type { KeyHeader, ProviderOptions, WireName, Wires } from "./provider-options.ts";
export type { ChangeReach, HostPlace, Sandbox, SandboxedProgram, SandboxReport, SandboxRequest } from "./sandbox.ts";
export type {
  AppendBatch,
  ChainedEvent,
  ChangedSession,
  JournalProblem,
  PendingInteraction,
  SavedState,
  SessionStore,
  StoreChanges,
} from "./session-store.ts";
export type { ProgramTool, ProgramToolContext, ProgramToolResult } from "./program-tool.ts";
export type { ToolNotice, ToolSource } from "./tool-source.ts";
export type {
  RoutedCall,
  Ground,
  Staged,
  StagedFile,
  Tool,
  KeepResult,
  ToolCatalog,
  ToolContext,
  ToolProbeContext,
  ToolResult,
  ToolRunContext,
  UserReply,
} from "./tool.ts";
export type { Git, GitAnswer, GitRequest, GitWhere } from "./git.ts";
export type {
  FetchedPage,
  MovedPage,
  PageAddress,
  PageChunk,
  PageNote,
  PageRequest,
  SearchHit,
  WebErrorCode,
  WebFailure,
  WebPages,
  WebSearch,
} from "./web.ts";
