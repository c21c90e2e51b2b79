import type { KeyHeader, WireName } from "@capstan/ports";
import { AppError, type JsonObject, unreachable } from "@capstan/protocol";
import { type CapstanConfig, type ProviderConfig, didYouMean } from "@capstan/settings";
import { type BuiltInProvider, builtInProviders } from "./built-in-providers.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A provider ready to be made: where it is, how it is spoken to, and with which key. */
export interface ResolvedProvider {
  readonly name: string;
  readonly wire: WireName;
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly keyHint: string;
  readonly keyHeader: KeyHeader | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Fields of every request's body; apart from the options, which are journaled. */
  readonly body: JsonObject;
  readonly options: JsonObject;
}

/**
 * Finds a provider by name: the user's own `[providers.NAME]`, else a vendor known by name.
 * @throws {AppError} `model.unknown` for an unknown name; `config.invalid` for a base URL that is not usable
 */
export function resolveProvider(name: string, config: CapstanConfig, env: Environment): ResolvedProvider {
  const own = ownOf(config.providers, name) ?? notConfigured;
  const builtIn = ownOf(builtInProviders, name);
  const wire = own.wire ?? builtIn?.wire;
  if (wire === undefined) throw unknownProvider(name, config);
  const baseUrl = checkedUrl(name, own.base_url ?? usualUrl(builtIn, env));
  return {
    name,
    wire,
    baseUrl,
    apiKey: own.api_key ?? keyOf(builtIn, config, own.base_url === null ? env : {}),
    keyHint: keyHint(name, builtIn, own),
    keyHeader: keyHeaderOf(own),
    headers: own.headers,
    query: own.query,
    body: own.body,
    options: {
      ...vendorOptions(wire, config),
      ...(wire === "openai-chat" && !isVendors(baseUrl, builtIn) ? usualOfOthers : {}),
      ...own.options,
      ...onlySet({ ...own.dialect }),
      ...(own.requires_key ? {} : { requires_key: false }),
    },
  };
}

/** Whether an address is the vendor's own, and not that of a server that speaks like it. */
function isVendors(baseUrl: string, builtIn: BuiltInProvider | undefined): boolean {
  return builtIn !== undefined && new URL(baseUrl).origin === new URL(builtIn.baseUrl).origin;
}

/** Servers that only speak like OpenAI leave thinking and calls in the text where they have no parser for the model. */
const usualOfOthers: JsonObject = { think_tags: "auto", text_tool_calls: "auto" };

const notConfigured: ProviderConfig = {
  wire: null,
  base_url: null,
  api_key: null,
  key_header: null,
  key_prefix: null,
  headers: {},
  query: {},
  options: {},
  body: {},
  dialect: {
    system_role: null,
    max_tokens_field: null,
    stream_usage: null,
    strict_tools: null,
    tool_choice: null,
    parallel_tool_calls: null,
    call_ids: null,
    echo_reasoning: null,
    echo_reasoning_field: null,
    echo_reasoning_details: null,
    think_tags: null,
    text_tool_calls: null,
  },
  summary_model: null,
  requires_key: true,
};

function keyHeaderOf({ key_header: name, key_prefix: prefix }: ProviderConfig): KeyHeader | undefined {
  if (name === null && prefix === null) return undefined;
  const header = name ?? "authorization";
  return { name: header, prefix: prefix ?? (header.toLowerCase() === "authorization" ? "Bearer " : "") };
}

function usualUrl(builtIn: BuiltInProvider | undefined, env: Environment): string | undefined {
  return builtIn === undefined ? undefined : (firstSet(env, builtIn.baseUrlVariables) ?? builtIn.baseUrl);
}

function ownOf<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/**
 * Finds a missing key before anything is started. Servers on this machine may need none; they say so themselves.
 * @throws {AppError} `provider.auth`
 */
export function requireKey({ name, apiKey, baseUrl, keyHint: hint, options }: ResolvedProvider): void {
  if (apiKey !== undefined || options["requires_key"] === false || isLoopback(new URL(baseUrl).hostname)) return;
  throw new AppError("provider.auth", `no key is set for ${name}`, { hint });
}

/** Names of providers that could be asked now, in the order of preference. */
export function providersWithKeys(config: CapstanConfig, env: Environment): readonly string[] {
  return Object.entries(builtInProviders).flatMap(([name, builtIn]) =>
    keyOf(builtIn, config, env) === undefined ? [] : [name],
  );
}

/**
 * A key belongs to its origin: one from the environment goes where the environment or the vendor says, and never to a base URL
 * of the configuration.
 */
function keyOf(builtIn: BuiltInProvider | undefined, config: CapstanConfig, env: Environment): string | undefined {
  if (builtIn === undefined) return undefined;
  return ownOf(config.api_keys, builtIn.keyName) ?? firstSet(env, builtIn.keyVariables);
}

function firstSet(env: Environment, variables: readonly string[]): string | undefined {
  return variables.map((variable) => env[variable]).find((value) => value !== undefined && value !== "");
}

function keyHint(
  name: string,
  builtIn: BuiltInProvider | undefined,
  { requires_key: needed, base_url: baseUrl }: ProviderConfig,
): string {
  if (!needed) return `The server of [providers.${name}] wants a key: set api_key there.`;
  if (builtIn === undefined) return `Set api_key in [providers.${name}] of your configuration.`;
  const [variable = ""] = builtIn.keyVariables;
  if (baseUrl !== null)
    return `Set api_key = "\${${variable}}" in [providers.${name}]: a key of the environment is not sent to a base_url of the configuration by itself.`;
  return `Set ${builtIn.keyVariables.join(" or ")}, or [api_keys] ${builtIn.keyName} in your configuration.`;
}

/** A key must not travel in the clear: plain http only to this machine. */
function checkedUrl(name: string, baseUrl: string | undefined): string {
  if (baseUrl === undefined) {
    throw new AppError("config.invalid", `[providers.${name}] needs a base_url`, {
      hint: `Set base_url = "https://…" in [providers.${name}].`,
    });
  }
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new AppError("config.invalid", `the base URL of ${name} is not a web address: ${withoutPassword(baseUrl)}`, {
      hint: "Write it like https://host/path.",
    });
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    throw new AppError(
      "config.invalid",
      `the base URL of ${name} is plain http to ${url.hostname}; keys would travel in the clear`,
      {
        hint: "Use https, or an address of this machine (127.0.0.1, localhost, [::1]).",
      },
    );
  }
  return baseUrl;
}

/** True for names and addresses of this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** What the vendor tables say, in the words of the wire's client; a key that is not set leaves the client's default. */
function vendorOptions(wire: ResolvedProvider["wire"], config: CapstanConfig): JsonObject {
  return onlySet(vendorSettings(wire, config));
}

function onlySet(settings: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));
}

function vendorSettings(wire: ResolvedProvider["wire"], config: CapstanConfig): JsonObject {
  const { app, anthropic, openai, google } = config;
  const level = app.effort;
  switch (wire) {
    case "anthropic": {
      const { thinking, effort: own, ...others } = anthropic;
      const effort = level === "minimal" ? "low" : (level ?? own);
      return { ...others, thinking: thinking === "off" ? "disabled" : thinking, thinking_effort: effort };
    }
    case "openai-responses":
    case "openai-chat":
      return level === null ? openai : { ...openai, reasoning_effort: level === "max" ? "xhigh" : level };
    case "google":
      return level === null
        ? google
        : { ...google, thinking_level: level === "xhigh" || level === "max" ? "high" : level };
    default:
      return unreachable(wire);
  }
}

function unknownProvider(name: string, config: CapstanConfig): AppError {
  const known = [...new Set([...Object.keys(builtInProviders), ...Object.keys(config.providers)])];
  return new AppError("model.unknown", `no provider is named ${JSON.stringify(name)}${didYouMean(name, known)}`, {
    hint: `Known providers: ${known.join(", ")}. Others go into [providers.NAME] of your configuration, with wire and base_url.`,
  });
}

function withoutPassword(url: string): string {
  return url.replace(/\/\/[^/@]*@/, "//***@");
}
