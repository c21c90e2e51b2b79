import type { CapstanConfig } from "@capstan/settings";
import type { ResolvedProvider } from "./resolve-provider.ts";

/** Those whose models others serve under the same names, at the same prices. */
export const widelyServed: readonly string[] = ["anthropic", "openai", "google", "xai"];

const vendorOfHost: Readonly<Record<string, string>> = {
  "api.anthropic.com": "anthropic",
  "api.openai.com": "openai",
  "generativelanguage.googleapis.com": "google",
  "api.x.ai": "xai",
  "api.deepseek.com": "deepseek",
  "api.mistral.ai": "mistral",
  "api.moonshot.ai": "moonshotai",
  "api.z.ai": "zai",
  "api.minimax.io": "minimax",
};

/** Those who serve what others made; their models are loaded when one of them is configured. */
const gatewayOfHost: Readonly<Record<string, string>> = {
  "api.groq.com": "groq",
  "api.cerebras.ai": "cerebras",
  "openrouter.ai": "openrouter",
};

/** Whose models a refreshed catalog keeps. */
export const knownVendors: readonly string[] = [...Object.values(vendorOfHost), ...Object.values(gatewayOfHost)];

const vendorOfName: Readonly<Record<string, string>> = { "openai-chat": "openai" };

/** Whose models a provider has, by its address, else by its name; the catalog may know nobody of that name. */
export function vendorOf({ name, baseUrl }: Pick<ResolvedProvider, "name" | "baseUrl">): string {
  const host = hostOf(baseUrl);
  if (Object.hasOwn(vendorOfHost, host)) return vendorOfHost[host] ?? name;
  if (Object.hasOwn(gatewayOfHost, host)) return gatewayOfHost[host] ?? name;
  return Object.hasOwn(vendorOfName, name) ? (vendorOfName[name] ?? name) : name;
}

/** Whether models of gateways are of interest at all. */
export function hasGateways({ providers }: CapstanConfig): boolean {
  return Object.values(providers).some((own) => Object.hasOwn(gatewayOfHost, hostOf(own.base_url ?? "")));
}

function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).hostname : "";
}
