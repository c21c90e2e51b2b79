import type { ConfigPath } from "./capstan-config.ts";
import { boolean, choice, type ConfigKey, integer, maxTokens, number, string, stringList } from "./config-key.ts";

type Section = "app" | "api_keys" | "anthropic" | "openai" | "google" | "network" | "retry";

const day = 86_400;

/** From the least to the most. */
export const effortLevels = ["minimal", "low", "medium", "high", "xhigh", "max"] as const;

/** Keys about models and how they are reached. */
export const modelKeys: Readonly<Record<Extract<ConfigPath, `${Section}.${string}`>, ConfigKey>> = {
  "app.model": {
    type: string,
    default: null,
    about: "The model to use, as `provider/id`; without it the first provider that has a key.",
    example: "anthropic/claude-sonnet-5-5",
    environment: ["CAPSTAN_MODEL"],
  },
  "app.provider": {
    type: string,
    default: null,
    about: "The provider to use when no model is named.",
    example: "anthropic",
    environment: ["CAPSTAN_PROVIDER"],
  },
  "app.model_fallbacks": {
    type: stringList,
    default: [],
    about: "Models to turn to, in this order and until the turn ends, when the model fails for good; as `provider/id`.",
    example: ["openai/gpt-5.2"],
  },
  "app.max_output_tokens": {
    type: integer(1, maxTokens),
    default: null,
    about: "Tokens one answer may have; without it the model's own limit.",
    example: 16_000,
    environment: ["CAPSTAN_MAX_OUTPUT_TOKENS"],
  },
  "app.effort": {
    type: choice(effortLevels),
    default: null,
    about:
      "How much effort a model spends on an answer, whatever its vendor; as near as the vendor has it, and before the vendor's own keys.",
    example: "high",
    environment: ["CAPSTAN_EFFORT"],
  },
  "app.personas": {
    type: stringList,
    default: [],
    about: "Ways of working that a new session has, by name: `capstan personas` lists them.",
    example: ["typescript-expert"],
  },
  "app.ascii_only": {
    type: boolean,
    default: false,
    about: "Draw with ASCII characters only.",
    environment: ["CAPSTAN_ASCII_ONLY"],
  },
  "app.tui": {
    type: choice(["inline", "full"]),
    default: "inline",
    about: "The terminal UI below what stands on the terminal, or on the full screen.",
  },
  "app.high_contrast": {
    type: boolean,
    default: false,
    about: "The terminal UI in high contrast, whatever `tui.theme` says.",
  },
  "app.reduced_motion": {
    type: boolean,
    default: false,
    about: "Nothing in the terminal UI moves but what is new.",
  },
  "app.screen_reader": {
    type: boolean,
    default: false,
    about: "The terminal UI for a screen reader: whole lines are appended, and questions are answered by numbers.",
    environment: ["CAPSTAN_SCREEN_READER"],
  },
  "api_keys.*": {
    type: string,
    default: null,
    about: "The key for the provider of that name: `anthropic`, `openai`, `google`, or one of `[providers]`.",
    example: "${ANTHROPIC_API_KEY}",
    secret: "whole",
  },
  "anthropic.cache_enabled": { type: boolean, default: true, about: "Mark the prompt for the vendor's cache." },
  "anthropic.thinking_enabled": {
    type: boolean,
    default: false,
    about: "Let the model think before it answers, within `thinking_budget_tokens`.",
  },
  "anthropic.thinking_budget_tokens": {
    type: integer(1024, maxTokens),
    default: 10_000,
    about: "Tokens the model may think.",
  },
  "anthropic.thinking": {
    type: choice(["off", "enabled", "adaptive"]),
    default: null,
    about: "How the model thinks; when set, it counts instead of `thinking_enabled`.",
    example: "adaptive",
  },
  "anthropic.effort": {
    type: choice(["low", "medium", "high", "xhigh", "max"]),
    default: null,
    about: "How much effort the model spends; without it the vendor's default.",
    example: "high",
  },
  "openai.reasoning_effort": {
    type: choice(["none", "minimal", "low", "medium", "high", "xhigh"]),
    default: null,
    about: "How much the model reasons; without it the vendor's default.",
    example: "high",
  },
  "openai.verbosity": {
    type: choice(["low", "medium", "high"]),
    default: null,
    about: "How long answers are; without it the vendor's default.",
    example: "medium",
  },
  "openai.truncation": {
    type: choice(["auto", "disabled"], { none: "disabled", preserve: "disabled" }),
    default: null,
    about: "Whether the vendor may drop the oldest part of a conversation that is too long (`openai-responses` only).",
    example: "disabled",
  },
  "google.thinking_enabled": {
    type: boolean,
    default: true,
    about: "Let the model think and show it; off: as little as the model allows.",
  },
  "google.thinking_level": {
    type: choice(["minimal", "low", "medium", "high"]),
    default: null,
    about: "How much Gemini 3 thinks; without it the vendor's default.",
    example: "high",
  },
  "google.thinking_budget_tokens": {
    type: integer(0, maxTokens),
    default: null,
    about: "Tokens Gemini 2.5 may think; without it the model decides.",
    example: 8192,
  },
  "google.cache_enabled": {
    type: boolean,
    default: false,
    about: "Keep long prompts with the vendor as cached contents, which cost by the hour.",
  },
  "google.cache_ttl_seconds": {
    type: integer(60, day),
    default: 3600,
    about: "Seconds a cached content is kept.",
  },
  "network.connect_timeout_seconds": {
    type: number(0.1, day),
    default: 30,
    about: "Seconds to wait for a connection.",
  },
  "network.first_byte_timeout_seconds": {
    type: number(0.1, day),
    default: 120,
    about: "Seconds to wait for the first byte of an answer.",
  },
  "network.idle_timeout_seconds": {
    type: number(0.1, day),
    default: 60,
    about: "Seconds an answer may pause.",
    environment: ["CAPSTAN_IDLE_TIMEOUT_SECONDS"],
  },
  "network.answer_timeout_seconds": {
    type: number(0.1, day),
    default: 600,
    about: "Seconds one whole answer of a model may take, however its pieces trickle.",
    environment: ["CAPSTAN_ANSWER_TIMEOUT_SECONDS"],
  },
  "network.proxy": {
    type: string,
    default: null,
    about: "The http or https proxy for calls to providers; empty for none.",
    example: "http://127.0.0.1:3128",
    environment: ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"],
    secret: "credentials",
  },
  "network.no_proxy": {
    type: string,
    default: null,
    about: "Hosts reached without the proxy, with commas between.",
    example: "localhost,127.0.0.1",
    environment: ["NO_PROXY", "no_proxy"],
  },
  "network.ca_file": {
    type: string,
    default: null,
    about: "A PEM file of certificate authorities to trust besides the usual ones.",
    example: "/etc/ssl/company.pem",
    environment: ["SSL_CERT_FILE"],
  },
  "retry.max_attempts": {
    type: integer(1, 100),
    default: 5,
    about: "Attempts at one model call, the first included.",
  },
  "retry.base_delay_ms": {
    type: integer(0, day * 1000),
    default: 500,
    about: "Milliseconds before the second attempt; doubled for each further one.",
  },
  "retry.max_delay_ms": {
    type: integer(0, day * 1000),
    default: 8000,
    about: "Milliseconds the delay grows to.",
  },
  "retry.jitter": { type: number(0, 1), default: 0.25, about: "The part of a delay that is random." },
  "retry.max_retry_after_seconds": {
    type: number(0, day),
    default: 60,
    about: "Seconds a vendor may ask to wait; a longer wait ends the step.",
  },
  "retry.breaker_failures": {
    type: integer(0, 1000),
    default: 5,
    about: "Failures in a row after which a provider is left alone for `breaker_seconds`; 0: never.",
  },
  "retry.breaker_seconds": {
    type: number(0, day),
    default: 10,
    about: "Seconds a provider that keeps failing is left alone, before one call tries it again.",
  },
};
