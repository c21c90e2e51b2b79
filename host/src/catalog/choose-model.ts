import { AppError, type ModelPrices, type ModelSettings } from "@capstan/protocol";
import type { CapstanConfig, ModelConfig } from "../config/keys/capstan-config.ts";
import { builtInProviders } from "./built-in-providers.ts";
import { knownModel } from "./known-models.ts";
import { type Environment, providersWithKeys, type ResolvedProvider, resolveProvider } from "./resolve-provider.ts";

/** Room for one answer unless the configuration says otherwise: vendors reserve it against rate limits, and few answers need more. */
const usualOutputTokens = 32_000;

export interface ChosenModel {
  readonly provider: ResolvedProvider;
  readonly model: ModelSettings;
}

/**
 * The model a session runs on: `app.model`, else the default of `app.provider`, else of the first provider that has a key.
 * @throws {AppError} `model.none`, `model.unknown`, `config.invalid`
 */
export function chooseModel(config: CapstanConfig, env: Environment): ChosenModel {
  const { provider: name, id } = splitModel(config.app.model ?? defaultModel(config, env), config);
  const provider = resolveProvider(name, config, env);
  const own = modelConfig(config, `${name}/${id}`);
  const known = knownModel(id);
  const maxOutputTokens = own?.max_output_tokens ?? known.maxOutputTokens;
  const prices = pricesOf(own) ?? known.prices;
  return {
    provider,
    model: {
      provider: name,
      id,
      wire: provider.wire,
      contextWindowTokens: own?.context_window ?? known.contextWindowTokens,
      maxOutputTokens: Math.min(
        config.app.max_output_tokens ?? own?.max_output_tokens ?? usualOutputTokens,
        maxOutputTokens,
      ),
      ...(prices === undefined ? {} : { prices }),
      options: provider.options,
    },
  };
}

function splitModel(text: string, config: CapstanConfig): { readonly provider: string; readonly id: string } {
  const slash = text.indexOf("/");
  if (slash > 0 && slash < text.length - 1) return { provider: text.slice(0, slash), id: text.slice(slash + 1) };
  if (slash === -1 && config.app.provider !== null && text !== "") return { provider: config.app.provider, id: text };
  throw new AppError("model.unknown", `${JSON.stringify(text)} does not name a model`, {
    hint: "Write it as provider/id, for example anthropic/claude-sonnet-4-5 or openai/gpt-5.2.",
  });
}

function defaultModel(config: CapstanConfig, env: Environment): string {
  const provider = config.app.provider ?? providersWithKeys(config, env)[0];
  const builtIn =
    provider !== undefined && Object.hasOwn(builtInProviders, provider) ? builtInProviders[provider] : undefined;
  if (provider !== undefined && builtIn !== undefined) return `${provider}/${builtIn.defaultModel}`;
  if (provider !== undefined) {
    throw new AppError("model.none", `no model is named, and the provider ${provider} has no default`, {
      hint: `Name one: -m ${provider}/MODEL, or [app] model.`,
    });
  }
  throw new AppError("model.none", "no model is named and no provider has a key", {
    hint: "Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or name a model with -m provider/id; `capstan config init` writes a commented configuration.",
  });
}

function modelConfig(config: CapstanConfig, name: string): ModelConfig | undefined {
  return Object.hasOwn(config.models, name) ? config.models[name] : undefined;
}

function pricesOf(own: ModelConfig | undefined): ModelPrices | undefined {
  if (own == null || own.price_input === null || own.price_output === null) return undefined;
  return {
    input: own.price_input,
    output: own.price_output,
    ...(own.price_cached_input === null ? {} : { cachedInput: own.price_cached_input }),
    ...(own.price_cache_write === null ? {} : { cacheWrite: own.price_cache_write }),
  };
}
