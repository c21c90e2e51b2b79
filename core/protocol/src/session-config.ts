import type { HookEntry } from "./gate/hook.ts";
import type { SandboxSettings } from "./gate/isolation.ts";
import type { JsonObject } from "./json.ts";
import type { ToolDefinition } from "./message.ts";
import type { ToolProfileName } from "./model/tool-profile.ts";
import type { PermissionMode, Policy, ToolLimits } from "./gate/policy.ts";

/** USD per million tokens. */
export interface TokenPrices {
  readonly input: number;
  readonly output: number;
  readonly cachedInput?: number;
  readonly cacheWrite?: number;
}

/** What a model costs. Vendors that charge more for long prompts charge it for the whole call. */
export interface ModelPrices extends TokenPrices {
  /** Count when the prompt, cached parts included, has more than `aboveTokens`; the highest step reached wins. */
  readonly longPrompt?: readonly (TokenPrices & { readonly aboveTokens: number })[];
}

/** Kinds of attachments a model understands; whatever it does not is described to it in words. */
export type InputKind = "image" | "pdf" | "audio" | "video";

/** A model with everything a decision or a request needs to know about it. Tokens. */
export interface ModelSettings {
  readonly provider: string;
  readonly id: string;
  readonly wire: string;
  readonly contextWindowTokens: number;
  readonly maxOutputTokens: number;
  /** `assumed`: nobody said how much it takes, so that its window is a cautious guess. Absent: it is known. */
  readonly sizes?: "assumed";
  readonly prices?: ModelPrices;
  /** Attachments it understands; absent: everything its wire takes. */
  readonly inputs?: readonly InputKind[];
  /** The words it was trained on, in which it is shown the tools; absent: our own. */
  readonly toolProfile?: ToolProfileName;
  /** Who summarises older messages where this model answers: a cheaper one of the same provider. Absent: this one. */
  readonly summarizer?: ModelSettings;
  /** Options of the wire (thinking, effort, …); opaque to the engine, read by the provider. */
  readonly options: JsonObject;
}

/** `sequential`: call order, one at a time. `parallel-reads`: neighbouring read-only calls together. `review`: file changes are proposed, not applied. */
export type ToolStrategy = "sequential" | "parallel-reads" | "review";
export const toolStrategies: readonly ToolStrategy[] = ["sequential", "parallel-reads", "review"];

/** Bounds of one turn; `null`: no bound. */
export interface TurnLimits {
  readonly maxToolCallsPerBatch: number;
  readonly maxToolIterationsPerTurn: number;
  readonly maxModelCallsPerTurn: number | null;
  readonly maxCostUsd: number | null;
  readonly maxTokensPerTurn: number | null;
  readonly maxTurnDurationMs: number | null;
  /** UTF-8 bytes of one call's arguments. */
  readonly maxToolArgumentsBytes: number;
  /** The n-th identical consecutive call is answered with a loop notice instead of being run. */
  readonly maxIdenticalCalls: number;
  readonly maxParallelReads: number;
  /** Bytes that file tools may write in a turn, each writing counted, and files they may change. What commands write is bounded by the sandbox. */
  readonly maxBytesWrittenPerTurn: number | null;
  readonly maxFilesWrittenPerTurn: number | null;
}

export interface RetryPolicy {
  /** Model calls per step, the first included. */
  readonly maxAttempts: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  /** Part of the delay that is random, 0 to 1. */
  readonly jitter: number;
  /** A vendor's request to wait longer than this ends the step instead. */
  readonly maxRetryAfterMs: number;
}

/** What happens when a user is needed: `ask` opens an interaction and waits; `deny` refuses at once (headless default). */
export type AskPolicy = "ask" | "deny";

/** A call of unknown outcome after a crash: end the turn, tell the model and continue, run the call again, or ask a user. */
export type OnUnknown = "fail" | "tell-model" | "rerun" | "ask";

/** Everything a session runs under. Journaled whenever it changes, so that the request to the model is a function of the journal. */
export interface SessionConfig {
  readonly model: ModelSettings;
  /** Asked in this order when the model fails for good, until the turn ends. */
  readonly fallbacks: readonly ModelSettings[];
  readonly mode: PermissionMode;
  readonly policy: Policy;
  readonly limits: TurnLimits;
  readonly retry: RetryPolicy;
  readonly strategy: ToolStrategy;
  readonly askPolicy: AskPolicy;
  /** How long a question waits before it counts as denied; `null`: as long as it takes. Plan reviews always wait. */
  readonly interactionExpiryMs: number | null;
  readonly sandbox: SandboxSettings;
  readonly onUnknown: OnUnknown;
  /** What makes room for new messages: the name of a compactor. Absent: `summarizer`, a summary that a model writes. */
  readonly compactor?: string;
  readonly systemPrompt: string;
  readonly tools: readonly ToolDefinition[];
  /** Whose work the session does for another; it has the tools of `tools` and no others. Absent: a user's. */
  readonly agent?: AgentProfile;
  /** Ways of working that a user chose for it, in the order in which the model reads them; absent: none. */
  readonly personas?: readonly PersonaProfile[];
  /** What is asked or informed before and after things happen, in its order; absent: nothing is. */
  readonly hooks?: readonly HookEntry[];
  /** Where it runs, for frontends; absent: whoever opened it did not say. */
  readonly place?: SessionPlace;
}

/** What a frontend shows of the surroundings of a session. Nothing is decided by it. */
export interface SessionPlace {
  /** The root of the repository, or the directory itself: what trust is about. Absolute. */
  readonly projectRoot: string;
  readonly trusted: boolean;
  /** The files with settings and rules that count, or would if they were there. Absolute. */
  readonly policyFiles: readonly { readonly path: string; readonly state: "found" | "missing" }[];
  /** Why something of the workspace was not loaded. */
  readonly warnings: readonly string[];
}

/** What an agent is held to, whatever the configuration says when its session is opened. */
export interface AgentProfile {
  readonly name: string;
  /** How many agents stand between it and the user's session, itself included. */
  readonly depth: number;
  /** What it is instructed with beyond what every session is. */
  readonly prompt: string;
  /** Names of tools; `null`: all that its session would have. */
  readonly tools: readonly string[] | null;
  /** Its caller does not wait for it, and reads its report later. */
  readonly background?: true;
  /** Names of agents that it may call; absent: all. */
  readonly subagents?: readonly string[];
  /** What makes room in its conversation; absent: what does in its caller's. */
  readonly compactor?: string;
  /** What each of its turns is held to by the skills that it and its callers were given; absent: nothing. */
  readonly limits?: readonly ToolLimits[];
}

/** A way of working as the session took it over: it holds whatever becomes of the file that it came from. */
export interface PersonaProfile {
  readonly name: string;
  /** What the model reads of it. */
  readonly prompt: string;
  /** Names of tools: the session has no others, whatever its other personas say. Absent: it has all. */
  readonly tools?: readonly string[];
  /** Names of tools that the session does not have. */
  readonly withoutTools?: readonly string[];
}

/** The directories a session may touch. Absolute real paths; `roots` includes `cwd`'s root. */
export interface Workspace {
  readonly cwd: string;
  readonly roots: readonly string[];
}
