import { AppError } from "@capstan/protocol";
import type { CapstanConfig } from "@capstan/settings";
import { builtInProviders } from "./built-in-providers.ts";
import { noKey } from "./choose-model.ts";
import { type Environment, requireKey, type ResolvedProvider, resolveProvider } from "./resolve-provider.ts";

/** A provider that could be asked now. */
export interface AskableProvider {
  readonly provider: ResolvedProvider;
  /** Names under which the same key reaches the same models another way. */
  readonly alsoAs: readonly string[];
}

/** A provider that is configured in a way that nobody could ask it. */
export interface UnusableProvider {
  readonly name: string;
  readonly error: AppError;
}

export interface ProvidersToAsk {
  readonly askable: readonly AskableProvider[];
  readonly unusable: readonly UnusableProvider[];
}

/**
 * The providers that have a key, or need none; those that differ in their wire alone are one.
 * @param only  the name of the one that is meant
 * @throws {AppError} `model.none` when there are none; of the one that is meant also `model.unknown`, `config.invalid`, `provider.auth`
 */
export function providersToAsk(config: CapstanConfig, env: Environment, only?: string): ProvidersToAsk {
  if (only !== undefined) {
    const provider = resolveProvider(only, config, env);
    requireKey(provider);
    return { askable: [{ provider, alsoAs: [] }], unusable: [] };
  }
  const names = new Set([...Object.keys(builtInProviders), ...Object.keys(config.providers)]);
  const resolved = [...names].map((name) => tryResolve(name, config, env));
  const askable = joinWires(resolved.flatMap((result) => ("provider" in result ? [result.provider] : [])));
  // Without a key it is not meant.
  const unusable = resolved.flatMap((result) =>
    "error" in result && result.error.code !== "provider.auth" ? [result] : [],
  );
  if (askable.length === 0) throw unusable[0]?.error ?? noKey("no provider has a key");
  return { askable, unusable };
}

function tryResolve(
  name: string,
  config: CapstanConfig,
  env: Environment,
): UnusableProvider | { readonly provider: ResolvedProvider } {
  try {
    const provider = resolveProvider(name, config, env);
    requireKey(provider);
    return { provider };
  } catch (error) {
    if (error instanceof AppError) return { name, error };
    throw error;
  }
}

/** The first of those that have address and key in common, with the names of the others. */
function joinWires(providers: readonly ResolvedProvider[]): readonly AskableProvider[] {
  const found = new Map<string, AskableProvider>();
  for (const provider of providers) {
    const { wire, baseUrl, apiKey = "", headers } = provider;
    const key = JSON.stringify([wire.replace(/^openai-.*/, "openai"), baseUrl, apiKey, headers]);
    const first = found.get(key);
    if (first === undefined) found.set(key, { provider, alsoAs: [] });
    else found.set(key, { ...first, alsoAs: [...first.alsoAs, provider.name] });
  }
  return [...found.values()];
}
