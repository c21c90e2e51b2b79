import { AppError, type JsonObject, type ModelSettings } from "@capstan/protocol";
import type { CapstanConfig } from "@capstan/settings";
import { builtInProviders } from "./built-in-providers.ts";
import { configuredModel } from "./configured-model.ts";
import type { ExternalProviders } from "./external-provider.ts";
import { findModel, withSizes } from "./known-models.ts";
import { catalogFor, type ModelCatalog, openCatalog } from "./model-catalog.ts";
import { withoutUnusedEffort } from "./model-effort.ts";
import { type ModelFacts, overlay } from "./model-facts.ts";
import { type ModelName, modelNamedBy, type NamePlace, providerNamedBy } from "./names/model-names.ts";
import {
  type Environment,
  providersWithKeys,
  requireKey,
  type ResolvedProvider,
  resolveProvider,
} from "./resolve-provider.ts";
import { toolProfileOf } from "./tool-profile.ts";
import { vendorOf } from "./vendors.ts";

/** Room for one answer unless the configuration says otherwise: vendors reserve it against rate limits, and few answers need more. */
const usualOutputTokens = 32_000;

export interface ChosenModel {
  /** Absent: it comes from outside. */
  readonly provider?: ResolvedProvider;
  readonly model: ModelSettings;
}

/**
 * The model a session runs on: `app.model`, else the default of `app.provider`, else of the first provider that has a key.
 * Of the model counts what the configuration says, then what the catalog knows, then what any server accepts.
 * @throws {AppError} `model.none`, `model.unknown`, `config.invalid`
 */
export function chooseModel(config: CapstanConfig, env: Environment, known: KnownModels = {}): ChosenModel {
  return modelNamed(chosenName(config, env, known), config, env, known);
}

/** The chosen model, as `provider/id`, where an effort is set that it does not have. */
export async function modelWithoutEffort({
  loaded: { values: config },
  env,
  home,
}: {
  readonly loaded: { readonly values: CapstanConfig };
  readonly env: Environment;
  readonly home: string;
}): Promise<string | undefined> {
  if (config.app.effort === null) return undefined;
  const { model, provider } = chooseModel(config, env, { catalog: await catalogFor(config, home) });
  // Nothing else is ever left out.
  const isWhole = Object.keys(provider?.options ?? {}).every((option) => Object.hasOwn(model.options, option));
  return isWhole ? undefined : `${model.provider}/${model.id}`;
}

/**
 * The models to turn to when the chosen one fails.
 * @throws {AppError} `model.unknown`, `config.invalid`; `provider.auth` when one has no key
 */
export function chooseFallbacks(
  config: CapstanConfig,
  env: Environment,
  known: KnownModels = {},
): readonly ModelSettings[] {
  return config.app.model_fallbacks.map((text) => {
    try {
      const { provider, model } = modelNamed(modelNamedBy(text, placeOf(config, env, known)), config, env, known);
      if (provider !== undefined) requireKey(provider);
      return model;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { code, hint = "Fix it there, or leave it out." } = error;
      throw new AppError(code, `app.model_fallbacks: ${error.message}`, { hint, cause: error });
    }
  });
}

/** What is known beside the configuration. */
export interface KnownModels {
  readonly catalog?: ModelCatalog;
  readonly external?: ExternalProviders;
}

/** A model, with the one of its provider that summarises for it. */
function modelNamed(name: ModelName, config: CapstanConfig, env: Environment, known: KnownModels): ChosenModel {
  const chosen = modelAlone(name, config, env, known);
  const { provider } = name;
  const id = Object.hasOwn(config.providers, provider) ? config.providers[provider]?.summary_model : null;
  if (id == null || id === name.id) return chosen;
  const { model: summarizer } = modelAlone({ provider, id }, config, env, known);
  return { ...chosen, model: { ...chosen.model, summarizer } };
}

function modelAlone(
  { provider: name, id }: ModelName,
  config: CapstanConfig,
  env: Environment,
  { catalog = openCatalog(), external = {} }: KnownModels,
): ChosenModel {
  const outside = Object.hasOwn(external, name) ? external[name] : undefined;
  const own = configuredModel(config, `${name}/${id}`);
  if (outside !== undefined) {
    const sizes = sizesOf(own, own, config);
    const profile = toolProfileOf(id, config);
    return { model: { provider: name, id, wire: outside.wire, ...sizes, ...profile, options: {} } };
  }
  const provider = resolveProvider(name, config, env);
  const facts = overlay(findModel(id, vendorOf(provider), catalog) ?? {}, own);
  const { wire } = provider;
  const set = withoutUnusedEffort(
    provider.options,
    { wire, id, thinking: facts.thinking },
    config.providers[name]?.options,
  );
  const options = { ...thinkingOptions(provider, facts.thinking), ...set };
  const sizes = sizesOf(facts, own, config);
  const profile = toolProfileOf(id, config);
  return { provider, model: { provider: name, id, wire, ...sizes, ...profile, options } };
}

/** What a session needs to know of a model. `own`: what the configuration says of it. */
function sizesOf(
  facts: ModelFacts,
  own: ModelFacts,
  { app }: CapstanConfig,
): Pick<ModelSettings, "contextWindowTokens" | "maxOutputTokens" | "sizes" | "prices" | "inputs"> {
  const { contextWindowTokens, maxOutputTokens, prices, inputs } = withSizes(facts);
  return {
    contextWindowTokens,
    maxOutputTokens: Math.min(app.max_output_tokens ?? own.maxOutputTokens ?? usualOutputTokens, maxOutputTokens),
    ...(facts.contextWindowTokens === undefined ? { sizes: "assumed" } : {}),
    ...(prices === undefined ? {} : { prices }),
    ...(inputs === undefined ? {} : { inputs }),
  };
}

/** How a Claude can be asked to think; the wire chooses by it what to send. What the user sets stands above it. */
function thinkingOptions({ wire }: ResolvedProvider, thinking: ModelFacts["thinking"]): JsonObject {
  const known = thinking === "adaptive" || thinking === "budget" || thinking === "both";
  return wire === "anthropic" && known ? { thinking_style: thinking } : {};
}

/** The name of that model, in its two parts. @throws {AppError} `model.none`, `model.unknown` */
export function chosenName(config: CapstanConfig, env: Environment, known: KnownModels = {}): ModelName {
  const place = placeOf(config, env, known);
  return config.app.model === null ? defaultModel(place) : modelNamedBy(config.app.model, place);
}

function placeOf(config: CapstanConfig, env: Environment, { catalog, external = {} }: KnownModels): NamePlace {
  const isExternal = (name: string): boolean => Object.hasOwn(external, name);
  return { config, env, isExternal, ...(catalog === undefined ? {} : { catalog }) };
}

function defaultModel(place: NamePlace): ModelName {
  const { config, env } = place;
  const named = config.app.provider === null ? undefined : providerNamedBy(config.app.provider, place);
  const provider = named ?? providersWithKeys(config, env)[0];
  if (provider === undefined) throw noKey("no model is named and no provider has a key");
  const builtIn = Object.hasOwn(builtInProviders, provider) ? builtInProviders[provider] : undefined;
  if (builtIn !== undefined) return { provider, id: builtIn.defaultModel };
  throw new AppError("model.none", `no model is named, and the provider ${provider} has no default`, {
    hint: `Name one: -m ${provider}/MODEL, or [app] model.`,
  });
}

/** @param message  what cannot be done without a key */
export function noKey(message: string): AppError {
  return new AppError("model.none", message, {
    hint: "Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or name a model with -m provider/id; `capstan config init` writes a commented configuration.",
  });
}
