import type { WireName } from "@capstan/ports";
/** A vendor Capstan knows by name: where it is, and which variables people set for it. */
export interface BuiltInProvider {
  readonly wire: WireName;
  readonly baseUrl: string;
  readonly baseUrlVariables: readonly string[];
  readonly keyVariables: readonly string[];
  /** Key in the configuration's `[api_keys]`. */
  readonly keyName: string;
  readonly defaultModel: string;
}

/** In the order in which a default is looked for. */
export const builtInProviders: Readonly<Record<string, BuiltInProvider>> = {
  anthropic: {
    wire: "anthropic",
    baseUrl: "https://api.anthropic.com",
    baseUrlVariables: ["ANTHROPIC_BASE_URL"],
    keyVariables: ["ANTHROPIC_API_KEY"],
    keyName: "anthropic",
    defaultModel: "claude-sonnet-5-5",
  },
  openai: {
    wire: "openai-responses",
    baseUrl: "https://api.openai.com/v1",
    baseUrlVariables: ["OPENAI_BASE_URL"],
    keyVariables: ["OPENAI_API_KEY"],
    keyName: "openai",
    defaultModel: "gpt-5.2",
  },
  "openai-chat": {
    wire: "openai-chat",
    baseUrl: "https://api.openai.com/v1",
    baseUrlVariables: ["OPENAI_BASE_URL"],
    keyVariables: ["OPENAI_API_KEY"],
    keyName: "openai",
    defaultModel: "gpt-5.2",
  },
  google: {
    wire: "google",
    baseUrl: "https://generativelanguage.googleapis.com",
    baseUrlVariables: ["GEMINI_BASE_URL", "GOOGLE_GEMINI_BASE_URL"],
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    keyName: "google",
    defaultModel: "gemini-3-pro-preview",
  },
};
