import type {
  AskPolicy,
  HookEntry,
  Isolation,
  ModelSettings,
  OnUnknown,
  Policy,
  SandboxSettings,
  SessionConfig,
  SessionPlace,
  ToolDefinition,
  TurnLimits,
  WithoutIsolation,
} from "@capstan/protocol";
import { httpCompactorName, isOwnCompactor } from "@capstan/protocol";
import type { CapstanConfig } from "../config/keys/capstan-config.ts";

const msPerSecond = 1000;

export interface SessionConfigParts {
  readonly model: ModelSettings;
  readonly fallbacks: readonly ModelSettings[];
  readonly policy: Policy;
  readonly systemPrompt: string;
  readonly tools: readonly ToolDefinition[];
  readonly askPolicy: AskPolicy;
  readonly interactionExpiryMs: number | null;
  readonly isolation: Isolation;
  readonly onUnknown: OnUnknown;
  readonly hooks?: readonly HookEntry[];
  readonly place?: SessionPlace;
}

/** What the configuration means for a session. */
export function sessionConfig(config: CapstanConfig, parts: SessionConfigParts): SessionConfig {
  const { tools, retry } = config;
  return {
    model: parts.model,
    fallbacks: parts.fallbacks,
    mode: config.permissions.mode,
    policy: parts.policy,
    limits: turnLimits(config),
    retry: {
      maxAttempts: retry.max_attempts,
      baseDelayMs: retry.base_delay_ms,
      maxDelayMs: retry.max_delay_ms,
      jitter: retry.jitter,
      maxRetryAfterMs: retry.max_retry_after_seconds * msPerSecond,
    },
    strategy: tools.strategy,
    askPolicy: parts.askPolicy,
    interactionExpiryMs: parts.interactionExpiryMs,
    sandbox: sandboxSettings(config, parts),
    onUnknown: parts.onUnknown,
    ...compactorOf(config.context),
    systemPrompt: parts.systemPrompt,
    tools: parts.tools,
    ...((parts.hooks ?? []).length === 0 ? {} : { hooks: parts.hooks }),
    ...(parts.place === undefined ? {} : { place: parts.place }),
  };
}

/** Where no model is to write summaries, nobody else is asked for any, either. */
function compactorOf({
  infinity,
  compactor,
  summary_url: url,
}: CapstanConfig["context"]): Pick<SessionConfig, "compactor"> {
  const isAsked = compactor === "summarizer" || compactor === "distill" || !isOwnCompactor(compactor);
  if (isAsked && !infinity) return { compactor: "rules" };
  if (compactor === "summarizer") return url === null ? {} : { compactor: httpCompactorName };
  return { compactor };
}

/** The limits of a turn, as the configuration says them. */
export function turnLimits({ tools, limits }: Pick<CapstanConfig, "tools" | "limits">): TurnLimits {
  return {
    maxToolCallsPerBatch: tools.max_tool_calls_per_batch,
    maxToolIterationsPerTurn: tools.max_tool_iterations_per_user_turn,
    maxModelCallsPerTurn: limits.max_model_calls_per_turn,
    maxCostUsd: limits.max_cost_usd,
    maxTokensPerTurn: limits.max_tokens_per_turn,
    maxTurnDurationMs: limits.max_turn_seconds === null ? null : limits.max_turn_seconds * msPerSecond,
    maxToolArgumentsBytes: tools.max_tool_args_bytes,
    maxIdenticalCalls: tools.max_identical_calls,
    maxParallelReads: tools.max_parallel_reads,
    maxBytesWrittenPerTurn: limits.max_bytes_written_per_turn,
    maxFilesWrittenPerTurn: limits.max_files_written_per_turn,
  };
}

/** What the sandbox means for decisions. */
export function sandboxSettings(
  { sandbox }: CapstanConfig,
  { isolation, askPolicy }: Pick<SessionConfigParts, "isolation" | "askPolicy">,
): SandboxSettings {
  const { auto_run: autoRun, hosts } = sandbox;
  return { isolation, autoRun, hosts, withoutIsolation: withoutIsolation(sandbox, askPolicy) };
}

/** Only the user's own configuration, or words of the command line, let commands run where nothing keeps them apart. */
function withoutIsolation({ mode, unavailable }: CapstanConfig["sandbox"], askPolicy: AskPolicy): WithoutIsolation {
  if (mode === "off" || unavailable === "run_without_isolation") return "run";
  if (unavailable === "refuse") return "refuse";
  return askPolicy === "deny" ? "refuse-unless-reported" : "ask";
}
