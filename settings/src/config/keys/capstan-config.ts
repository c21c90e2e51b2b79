import type {
  ApprovalMode,
  JsonObject,
  PermissionMode,
  RiskLevel,
  RuleVerdict,
  ToolProfileName,
  ToolStrategy,
} from "@capstan/protocol";
import type { HookConfig } from "./hook-config.ts";
import type { LanguageServerConfig } from "./language-server-config.ts";
import type { McpServerConfig } from "./mcp-server-config.ts";

/**
 * Everything that can be configured, as a running Capstan sees it: the names are those of the file, every default is
 * filled in, and `null` stands for "not set". Tables with names chosen by the user have no prototype, so that looking
 * up any name finds only what was configured.
 */
export interface CapstanConfig {
  readonly app: {
    /** `provider/id`. */
    readonly model: string | null;
    readonly provider: string | null;
    /** `provider/id`, in the order in which they are asked. */
    readonly model_fallbacks: readonly string[];
    readonly max_output_tokens: number | null;
    readonly effort: "minimal" | "low" | "medium" | "high" | "xhigh" | "max" | null;
    readonly personas: readonly string[];
    readonly ascii_only: boolean;
    readonly tui: "inline" | "full";
    readonly high_contrast: boolean;
    readonly reduced_motion: boolean;
    readonly screen_reader: boolean;
  };
  readonly tui: {
    readonly theme: "16" | "auto" | "dark" | "light" | "high-contrast" | "none";
    readonly vim: boolean;
    readonly notify: boolean;
    /** Names of items, in the order in which they are shown. */
    readonly status: readonly string[];
    readonly status_command: string | null;
    readonly paste_lines: number;
    readonly paste_characters: number;
  };
  /** Chords by the action they do. */
  readonly keys: JsonObject;
  readonly api_keys: Readonly<Record<string, string>>;
  readonly providers: Readonly<Record<string, ProviderConfig>>;
  readonly anthropic: {
    readonly cache_enabled: boolean;
    readonly thinking_enabled: boolean;
    readonly thinking_budget_tokens: number;
    readonly thinking: "off" | "enabled" | "adaptive" | null;
    readonly effort: "low" | "medium" | "high" | "xhigh" | "max" | null;
  };
  readonly openai: {
    readonly reasoning_effort: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | null;
    readonly verbosity: "low" | "medium" | "high" | null;
    readonly truncation: "auto" | "disabled" | null;
  };
  readonly google: {
    readonly thinking_enabled: boolean;
    readonly thinking_level: "minimal" | "low" | "medium" | "high" | null;
    readonly thinking_budget_tokens: number | null;
    readonly cache_enabled: boolean;
    readonly cache_ttl_seconds: number;
  };
  /** By `provider/id`. */
  readonly models: Readonly<Record<string, ModelConfig>>;
  readonly catalog: { readonly source_url: string };
  readonly network: {
    readonly connect_timeout_seconds: number;
    readonly first_byte_timeout_seconds: number;
    readonly idle_timeout_seconds: number;
    readonly answer_timeout_seconds: number;
    readonly proxy: string | null;
    readonly no_proxy: string | null;
    readonly ca_file: string | null;
  };
  readonly retry: {
    readonly max_attempts: number;
    readonly base_delay_ms: number;
    readonly max_delay_ms: number;
    readonly jitter: number;
    readonly max_retry_after_seconds: number;
    readonly breaker_failures: number;
    readonly breaker_seconds: number;
  };
  readonly permissions: {
    readonly mode: PermissionMode;
    readonly allow: readonly string[];
    readonly ask: readonly string[];
    readonly deny: readonly string[];
    readonly rules: readonly RuleConfig[];
    readonly allow_bypass: boolean;
    readonly policy_files: readonly string[];
  };
  readonly sandbox: SandboxConfig;
  readonly approvals: { readonly timeout_seconds: number };
  readonly tools: ToolsConfig;
  readonly mcp_servers: Readonly<Record<string, McpServerConfig>>;
  readonly language_servers: Readonly<Record<string, LanguageServerConfig>>;
  /** By the event at which they run. */
  readonly hooks: Readonly<Record<string, readonly HookConfig[]>>;
  readonly plugins: {
    readonly enabled: boolean;
    readonly directories: readonly string[];
    readonly trusted: readonly string[];
    readonly startup_timeout: number;
    readonly tool_timeout: number;
    /** By the plugin's name. */
    readonly settings: JsonObject;
  };
  readonly limits: {
    readonly max_model_calls_per_turn: number | null;
    readonly max_cost_usd: number | null;
    readonly max_tokens_per_turn: number | null;
    readonly max_turn_seconds: number | null;
    readonly max_bytes_written_per_turn: number | null;
    readonly max_files_written_per_turn: number | null;
  };
  readonly prompt: {
    readonly system_prompt: string | null;
    readonly append_system_prompt: string | null;
    readonly system_prompt_file: string | null;
    readonly append_system_prompt_file: string | null;
  };
  readonly context: {
    readonly instruction_files: readonly string[];
    readonly max_instruction_bytes: number;
    readonly infinity: boolean;
    readonly compactor: string;
    readonly include: readonly string[];
    readonly exclude: readonly string[];
    readonly max_shown_files: number;
    readonly max_shown_bytes: number;
    readonly max_shown_tokens: number | null;
    readonly templates: readonly string[];
    readonly summary_url: string | null;
    readonly summary_key_env: string | null;
    readonly facts: boolean;
    readonly max_fact_bytes: number;
    readonly max_resource_bytes: number;
  };
  readonly sessions: {
    readonly compress_after_days: number | null;
  };
  /** Texts with placeholders, by name. */
  readonly templates: Readonly<Record<string, TemplateConfig>>;
  /** Files that are shown together, by name. */
  readonly bundles: Readonly<Record<string, BundleConfig>>;
  readonly agents: {
    readonly enabled: boolean;
    readonly max_depth: number;
  };
}

/** A provider of the user's own: `[providers.NAME]`. */
export interface ProviderConfig {
  readonly wire: "anthropic" | "openai-responses" | "openai-chat" | "google" | null;
  readonly base_url: string | null;
  readonly api_key: string | null;
  readonly key_header: string | null;
  readonly key_prefix: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly options: JsonObject;
  readonly body: JsonObject;
  readonly dialect: DialectConfig;
  readonly summary_model: string | null;
  readonly requires_key: boolean;
}

/** How a server departs from the usual dialect of its wire; `null`: it does not. */
export interface DialectConfig {
  readonly system_role: "system" | "developer" | "user" | null;
  readonly max_tokens_field: "max_tokens" | "max_completion_tokens" | null;
  readonly stream_usage: boolean | null;
  readonly strict_tools: boolean | null;
  readonly tool_choice: "auto" | "required" | null;
  readonly parallel_tool_calls: boolean | null;
  readonly call_ids: "usual" | "numbered" | "mistral" | null;
  readonly echo_reasoning: "off" | "tool-calls" | "always" | null;
  readonly echo_reasoning_field: string | null;
  readonly echo_reasoning_details: boolean | null;
  readonly think_tags: "off" | "on" | "auto" | null;
  readonly text_tool_calls: "off" | "on" | "auto" | null;
}

/** What is known about one model: tokens, and USD per million tokens. */
export interface ModelConfig {
  readonly context_window: number | null;
  readonly max_output_tokens: number | null;
  readonly price_input: number | null;
  readonly price_output: number | null;
  readonly price_cached_input: number | null;
  readonly price_cache_write: number | null;
  /** Above so many tokens of prompt the `long_price_…` count. */
  readonly long_prompt_tokens: number | null;
  readonly long_price_input: number | null;
  readonly long_price_output: number | null;
  readonly long_price_cached_input: number | null;
  readonly long_price_cache_write: number | null;
  readonly inputs: readonly string[] | null;
  readonly thinking_style: "adaptive" | "budget" | "both" | null;
}

/** One entry of `[[permissions.rules]]`. */
export interface RuleConfig {
  readonly verdict: RuleVerdict;
  readonly tool: string | readonly string[];
  readonly command?: string | readonly string[];
  readonly path?: string | readonly string[];
  readonly host?: string | readonly string[];
  readonly origin?: string;
  readonly reason?: string;
  readonly risk?: RiskLevel;
  /** A date, or a time with its zone, in ISO form. */
  readonly expires?: string;
  readonly locked?: boolean;
  /** Only calls that may lose something for good, or only those that do not. */
  readonly destructive?: boolean;
  /** Examples that are run when the rule is read. */
  readonly match?: string | readonly string[];
  readonly not_match?: string | readonly string[];
}

export interface SandboxConfig {
  readonly mode: "required" | "preferred" | "off";
  readonly unavailable: "ask" | "refuse" | "run_without_isolation";
  readonly auto_run: boolean;
  readonly hosts: readonly string[];
  readonly readable: readonly string[];
  readonly build_folders: readonly string[];
  readonly max_processes: number;
  readonly max_memory_mb: number;
  readonly max_file_mb: number;
  readonly tmp_mb: number;
}

export interface ToolsConfig {
  readonly enabled: readonly string[] | null;
  readonly disabled: readonly string[];
  readonly profile: "auto" | ToolProfileName;
  readonly strategy: ToolStrategy;
  readonly max_tool_calls_per_batch: number;
  readonly max_tool_iterations_per_user_turn: number;
  readonly max_tool_args_bytes: number;
  readonly max_identical_calls: number;
  readonly max_parallel_reads: number;
  readonly max_definition_bytes: number;
  readonly approval: {
    readonly mode: ApprovalMode;
    readonly allowlist: readonly string[];
    readonly denylist: readonly string[];
  };
  readonly sandbox: {
    readonly allowed_roots: readonly string[];
    readonly denied_patterns: readonly string[];
    readonly allow_absolute: boolean;
    readonly include_default_denies: boolean;
  };
  readonly timeouts: {
    readonly default_seconds: number;
    readonly file_operations_seconds: number;
    readonly shell_commands_seconds: number;
    readonly max_shell_seconds: number;
  };
  readonly output: { readonly max_bytes: number };
  readonly environment: { readonly allowlist: readonly string[]; readonly denylist: readonly string[] };
  readonly read_file: { readonly max_file_read_bytes: number; readonly max_scan_bytes: number };
  readonly write_file: { readonly max_bytes: number };
  readonly apply_patch: { readonly max_patch_bytes: number };
  readonly search: { readonly max_results: number; readonly timeout_ms: number };
  readonly glob: { readonly max_results: number };
  readonly webfetch: {
    readonly ports: readonly string[];
    readonly timeout_seconds: number;
    readonly max_bytes: number;
    readonly robots_fail_open: boolean;
  };
  readonly shell: { readonly path: string | null };
}

/**
 * Dotted paths of all values in `CapstanConfig`, `*` for a name the user chooses. The key table is a record over it, so
 * a field without a key, or a key without a field, does not compile.
 */
export type ConfigPath = PathsOf<CapstanConfig, "">;

type Leaf = string | number | boolean | null | readonly unknown[];
type PathsOf<T, Prefix extends string> = {
  [Name in keyof T & string]: PathOf<T[Name], `${Prefix}${string extends Name ? "*" : Name}`>;
}[keyof T & string];
// A table that takes any JSON (`options`) is one value.
type PathOf<T, Path extends string> = [T] extends [Leaf] ? Path : JsonObject extends T ? Path : PathsOf<T, `${Path}.`>;

/** Files that are shown together: `[bundles.NAME]`. */
export interface BundleConfig {
  readonly title: string | null;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** A text with placeholders: `[templates.NAME]`. */
export interface TemplateConfig {
  readonly file: string | null;
  readonly text: string | null;
  readonly layout: string | null;
  readonly variables: Readonly<Record<string, string>>;
}
