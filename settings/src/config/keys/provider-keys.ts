import { reservedBodyFields } from "@capstan/protocol";
import type { ConfigPath } from "./capstan-config.ts";
import { boolean, choice, type ConfigKey, string, tableOf, tableWithout, url } from "./config-key.ts";

/** What `[providers.NAME.options]` takes: settings of the wires' clients that have no key of their own, or had none once. */
export const providerOptions: readonly string[] = [
  "cache_enabled",
  "cache_ttl_seconds",
  "echo_reasoning_field",
  "max_tokens_field",
  "prompt_cache_key",
  "reasoning",
  "reasoning_effort",
  "reasoning_summary",
  "schema_field",
  "stream_usage",
  "strict_tools",
  "system_role",
  "thinking",
  "thinking_budget_tokens",
  "thinking_display",
  "thinking_effort",
  "thinking_enabled",
  "thinking_level",
  "thinking_style",
  "truncation",
  "verbosity",
];

/** Keys about one provider: where it is, how it is asked, and how its dialect departs from its wire's usual one. */
export const providerKeys: Readonly<Record<Extract<ConfigPath, `providers.${string}`>, ConfigKey>> = {
  "providers.*.wire": {
    type: choice(["anthropic", "openai-responses", "openai-chat", "google"]),
    default: null,
    about: "The protocol the provider speaks.",
    example: "openai-chat",
  },
  "providers.*.base_url": {
    type: url,
    default: null,
    about: "Where the provider is reached; plain `http` for loopback addresses only.",
    example: "http://127.0.0.1:11434/v1",
    secret: "credentials",
  },
  "providers.*.api_key": {
    type: string,
    default: null,
    about: "The provider's key; sent to its own base URL only.",
    example: "${LOCAL_API_KEY:-}",
    secret: "whole",
  },
  "providers.*.key_header": {
    type: string,
    default: null,
    about: "The header that carries the key, in place of the wire's own; Azure wants `api-key`.",
    example: "api-key",
  },
  "providers.*.key_prefix": {
    type: string,
    default: null,
    about:
      "What stands before the key in `key_header`; without it `Bearer ` in `authorization`, and nothing elsewhere.",
    example: "Token ",
  },
  "providers.*.options": {
    type: tableOf(providerOptions, "fields of the request's body go into [providers.NAME.body]"),
    default: {},
    about:
      "Settings of the wire's client for this provider alone, in place of those in `[anthropic]`, `[openai]` and `[google]`.",
    secret: "credentials",
  },
  "providers.*.body": {
    type: tableWithout(reservedBodyFields),
    default: {},
    about: "Fields put into the body of every request as they are; they win over those Capstan writes.",
    example: { temperature: 0.2 },
    secret: "credentials",
  },
  "providers.*.summary_model": {
    type: string,
    default: null,
    about:
      "The provider's model that summarises older messages, a cheaper one say; else whichever model the session asks.",
    example: "small-model",
  },
  "providers.*.requires_key": {
    type: boolean,
    default: true,
    about: "Whether the provider wants a key; local servers often do not.",
  },
  "providers.*.headers.*": {
    type: string,
    default: null,
    about: "A header sent with every request to the provider.",
    example: "capstan",
    secret: "whole",
  },
  "providers.*.query.*": {
    type: string,
    default: null,
    about: "A parameter in the address of every request to the provider.",
    example: "2024-10-21",
    secret: "whole",
  },
  "providers.*.dialect.system_role": {
    type: choice(["system", "developer", "user"]),
    default: null,
    about:
      "The role the system prompt is sent under (`openai-chat`: usually `system`; `openai-responses`: a message instead of `instructions`).",
    example: "developer",
  },
  "providers.*.dialect.max_tokens_field": {
    type: choice(["max_tokens", "max_completion_tokens"]),
    default: null,
    about: "The field that limits an answer (`openai-chat`); usually `max_tokens`, for OpenAI itself the other.",
    example: "max_completion_tokens",
  },
  "providers.*.dialect.stream_usage": {
    type: boolean,
    default: null,
    about: "Whether usage is asked for with `stream_options` (`openai-chat`); usually true.",
    example: false,
  },
  "providers.*.dialect.strict_tools": {
    type: boolean,
    default: null,
    about:
      "Whether tools are offered with strict schemas, which the vendor enforces (`openai-chat`, `openai-responses`); usually false.",
    example: true,
  },
  "providers.*.dialect.tool_choice": {
    type: choice(["auto", "required"]),
    default: null,
    about:
      "Whether the model may or must call tools (`openai-chat`: usually not said; `openai-responses`: usually `auto`).",
    example: "auto",
  },
  "providers.*.dialect.parallel_tool_calls": {
    type: boolean,
    default: null,
    about:
      "Whether one answer may call several tools (`openai-chat`: usually not said; `openai-responses`: usually true).",
    example: false,
  },
  "providers.*.dialect.call_ids": {
    type: choice(["usual", "numbered", "mistral"]),
    default: null,
    about:
      "Which ids of tool calls are sent (`openai-chat`); `mistral`: nine letters and digits, as Mistral demands; `numbered`: Kimi's own, also where they are longer than OpenAI allows (usual where model or provider is named after it).",
    example: "mistral",
  },
  "providers.*.dialect.echo_reasoning": {
    type: choice(["off", "tool-calls", "always"]),
    default: null,
    about:
      "With which earlier answers their thinking is sent back as text (`openai-chat`); usually `off`, DeepSeek and Kimi want `tool-calls`.",
    example: "tool-calls",
  },
  "providers.*.dialect.echo_reasoning_field": {
    type: string,
    default: null,
    about: "The field it is sent back in; usually `reasoning_content`. Alone it means `always`.",
    example: "reasoning_content",
  },
  "providers.*.dialect.echo_reasoning_details": {
    type: boolean,
    default: null,
    about:
      "Whether `reasoning_details` go back to the server that sent them (`openai-chat`: OpenRouter, MiniMax); usually true.",
    example: false,
  },
  "providers.*.dialect.think_tags": {
    type: choice(["off", "on", "auto"]),
    default: null,
    about:
      "Whether `<think>…</think>` at the start of an answer is thinking (`openai-chat`); `on`: the opening tag may be missing. `auto` but at OpenAI's own address.",
    example: "on",
  },
  "providers.*.dialect.text_tool_calls": {
    type: choice(["off", "on", "auto"]),
    default: null,
    about:
      "Whether a tool call that the model wrote as text is one (`openai-chat`); `on`: also with other text after it. `auto` but at OpenAI's own address.",
    example: "off",
  },
};
