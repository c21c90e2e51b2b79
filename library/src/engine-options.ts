import type { ExternalProviders } from "@capstan/host";
import type { Compactors, Middleware, ProgramTool, ToolSource } from "@capstan/ports";
import type { Capability } from "./capabilities.ts";
import type { EngineHooks, ToolCallHooks } from "./engine-hooks.ts";
import type { EnginePlugin } from "./plugins/engine-plugins.ts";
import type {
  Interaction,
  InteractionAnswer,
  JsonObject,
  JsonValue,
  PermissionMode,
  Role,
  SessionId,
} from "@capstan/protocol";

/** What an engine is made with; everything may be left out. */
export interface EngineOptions {
  /** The data directory: sessions, approvals, the user's configuration. As `CAPSTAN_HOME` says, or `~/.capstan`. */
  readonly home?: string;
  /** The workspace of new sessions; where the program runs when left out. */
  readonly cwd?: string;
  /** The environment: keys of providers, `CAPSTAN_…`, what commands inherit. That of the program when left out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** `provider/id`, for new sessions. */
  readonly model?: string;
  /** For new sessions; as configured when left out. */
  readonly mode?: PermissionMode;
  /** For new sessions, in place of Capstan's own, or behind it. */
  readonly systemPrompt?: SystemPrompt;
  /** Configuration as data, by key: `{ "limits.max_cost_usd": 2 }`. It counts like flags of the command line. */
  readonly set?: Readonly<Record<string, JsonValue>>;
  /** No configuration file is read. */
  readonly safeMode?: boolean;
  /** Tools beside the built-in ones. */
  readonly tools?: readonly ProgramTool[] | ToolSource;
  /** Plugins that run in the program itself; their tools count less than `tools`. */
  readonly plugins?: readonly EnginePlugin[];
  /** What these plugins are configured with, by their name. */
  readonly pluginConfig?: Readonly<Record<string, JsonObject>>;
  /** What Capstan has beside its tools, as far as the engine is to do without it: all (`true`), or these. */
  readonly disableBuiltInPlugins?: boolean | readonly Capability[];
  /** What the program cannot do without: `initialize` fails where one of them is switched off. */
  readonly requires?: readonly Capability[];
  /** Hooks of the program, as functions: one, handlers by the moment's name, or a module that registers its own. They run after the user's. */
  readonly hooks?: readonly EngineHooks[];
  /** Hooks around calls of tools in the form of Pulse's engine; they run after `hooks`. */
  readonly toolCallHooks?: ToolCallHooks;
  /** What makes room in conversations, by the name that `context.compactor` or an agent gives. */
  readonly compactors?: Compactors;
  /** Providers beside the built-in and configured ones, by name. */
  readonly providers?: ExternalProviders;
  /** Who uses the engine, in the journal; the operating system's user when left out. */
  readonly user?: string;
  /**
   * What is at the engine's door, in this order, before its own checks: `allowUsers`, `rateLimit`, functions of the program. It is asked
   * who opens a session or answers from the inbox, and then about each submission.
   */
  readonly middleware?: readonly Middleware[];
  /** Answers what waits for a user in the sessions of this engine. Without it whatever would be asked is denied. */
  readonly onApproval?: ApprovalCallback;
  /** Other processes of the same user may join the sessions that are open here; they may not when left out. */
  readonly isShared?: boolean;
  /** Receives mistakes that did not stop a session; they go to standard error when left out. */
  readonly report?: (error: unknown) => void;
}

/** For whom a session is opened. */
export interface OpenFor {
  /** As `EngineOptions.user` when left out. */
  readonly user?: string;
  /** What may be done through what is opened; `operate`, which is everything, when left out. */
  readonly role?: Role;
}

/** The words in place of the system prompt, or those behind it. */
export type SystemPrompt = string | { readonly append: string };

/**
 * Answers an interaction; `undefined` leaves it open for other clients. The first valid answer counts, from wherever it comes. What the
 * callback throws is reported, and the interaction stays open.
 */
export type ApprovalCallback = (
  interaction: Interaction,
  context: ApprovalContext,
) => InteractionAnswer | undefined | Promise<InteractionAnswer | undefined>;

export interface ApprovalContext {
  readonly sessionId: SessionId;
  /** Aborts when the interaction was settled elsewhere, or the session was closed. */
  readonly signal: AbortSignal;
}
