import type { ModelProvider, Wires } from "@capstan/ports";
import { AppError, messageOf, type ModelOffer } from "@capstan/protocol";
import type { Settings } from "@capstan/settings";
import { chosenName } from "./choose-model.ts";
import { configuredModel } from "./configured-model.ts";
import { findModel } from "./known-models.ts";
import { makeProvider } from "./make-provider.ts";
import { type ModelCatalog, openWholeCatalog } from "./model-catalog.ts";
import { type ModelFacts, overlay } from "./model-facts.ts";
import { type AskableProvider, providersToAsk } from "./providers-to-ask.ts";
import { vendorOf } from "./vendors.ts";

export interface ListOptions {
  /** Only this provider. */
  readonly provider?: string;
  /** Only models in whose name this occurs. */
  readonly filter?: string;
  /** Also models that do not write text. */
  readonly all: boolean;
  readonly signal: AbortSignal;
}

/** A model that can be asked for. */
export interface ListedModel extends ModelFacts {
  readonly provider: string;
  readonly id: string;
  /** For people. */
  readonly name?: string;
  /** Who says so. */
  readonly source: "vendor" | "catalog" | "configuration";
  /** What runs when no model is named. */
  readonly isDefault: boolean;
}

export interface ModelList {
  readonly models: readonly ListedModel[];
  /** Providers that did not say which models they have. */
  readonly silent: readonly { readonly provider: string; readonly message: string; readonly fromCatalog: boolean }[];
  /** Names under which a provider's models can be asked for, too. */
  readonly alsoAs: Readonly<Record<string, readonly string[]>>;
}

/** Patience with a vendor, in ms: somebody sits and waits, and the catalog knows most. */
const listTimeoutMs = 10_000;

/**
 * What the configured keys can reach: as the vendors say, else as the catalog knows.
 * @throws {AppError} `model.none` without any key; `model.unknown`, `provider.auth`, `config.invalid`
 */
export async function listModels(
  settings: Settings,
  options: ListOptions,
  wires: Pick<Wires, "createProvider">,
): Promise<ModelList> {
  const { loaded, env, home } = settings;
  const { askable: providers, unusable } = providersToAsk(loaded.values, env, options.provider);
  const catalog = await openWholeCatalog(home);
  const place: Place = { settings, wires, catalog, options, chosen: chosenOf(settings, catalog) };
  const answers = await Promise.all(
    providers.map(async (provider) => ({ provider, said: await ask(provider, place) })),
  );
  const found = answers.map(({ provider, said }) => ({ provider, said, models: modelsOf(provider, said, place) }));
  return {
    models: found.flatMap(({ models }) => models).filter((model) => fits(model, options.filter)),
    silent: [
      ...found.flatMap(({ provider: { provider }, said, models }) =>
        said.type === "silent"
          ? [{ provider: provider.name, message: said.message, fromCatalog: models.length > 0 }]
          : [],
      ),
      ...unusable.map(({ name, error }) => ({ provider: name, message: error.message, fromCatalog: false })),
    ],
    alsoAs: Object.fromEntries(
      providers.flatMap(({ provider, alsoAs }) => (alsoAs.length === 0 ? [] : [[provider.name, alsoAs]])),
    ),
  };
}

interface Place {
  readonly settings: Settings;
  readonly wires: Pick<Wires, "createProvider">;
  readonly catalog: ModelCatalog;
  readonly options: ListOptions;
  readonly chosen: { readonly provider: string; readonly id: string } | undefined;
}

type Said =
  | { readonly type: "offers"; readonly offers: readonly ModelOffer[] }
  | { readonly type: "silent"; readonly message: string };

function chosenOf({ loaded, env }: Settings, catalog: ModelCatalog): Place["chosen"] {
  try {
    return chosenName(loaded.values, env, { catalog });
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

async function ask({ provider }: AskableProvider, { settings, wires, options }: Place): Promise<Said> {
  const patience = AbortSignal.timeout(listTimeoutMs);
  let client: ModelProvider | undefined;
  try {
    client = await makeProvider(provider, settings, wires);
    const offers = await client.models?.(AbortSignal.any([options.signal, patience]));
    return offers === undefined ? { type: "silent", message: "its wire has no list" } : { type: "offers", offers };
  } catch (error) {
    options.signal.throwIfAborted();
    if (patience.aborted) return { type: "silent", message: `no whole list within ${listTimeoutMs / 1000} s` };
    const message = messageOf(error);
    const beginning = `${provider.name}: `;
    return { type: "silent", message: message.startsWith(beginning) ? message.slice(beginning.length) : message };
  } finally {
    client?.close();
  }
}

function modelsOf(asked: AskableProvider, said: Said, place: Place): readonly ListedModel[] {
  const { provider } = asked;
  const { catalog, options } = place;
  const vendor = vendorOf(provider);
  if (said.type === "offers") {
    const offers = options.all ? said.offers : said.offers.filter(({ id }) => !otherKinds.test(id));
    return offers.map(({ id, name, ...offered }) => {
      const facts = overlay(factsOf(findModel(id, vendor, catalog)), offered);
      return listed({ id, ...(name === undefined ? {} : { name }), source: "vendor" }, facts, asked, place);
    });
  }
  const known = catalog
    .modelsOf(vendor)
    .all()
    .filter((model) => model.listed);
  const own = configuredIds(provider.name, place).filter((id) => !known.some((model) => model.id === id));
  return [
    ...known.map((model) => listed({ id: model.id, source: "catalog" }, factsOf(model), asked, place)),
    ...own.map((id) => listed({ id, source: "configuration" }, factsOf(findModel(id, vendor, catalog)), asked, place)),
  ];
}

/** What vendors list beside the models one talks with. */
const otherKinds =
  /embed|(?:^|[-/])tts|whisper|dall-e|moderation|realtime|transcri|(?:^|[-/])(?:image|audio|sora|veo|imagen|lyria)(?:[-:/]|$)|-image|-audio|davinci|babbage/i;

function factsOf(model: (ModelFacts & { readonly id?: string; readonly listed?: boolean }) | undefined): ModelFacts {
  const { id: _id, listed: _listed, ...facts } = model ?? {};
  return facts;
}

function configuredIds(provider: string, { settings }: Place): readonly string[] {
  const beginning = `${provider}/`;
  const names = Object.keys(settings.loaded.values.models);
  return names.flatMap((name) => (name.startsWith(beginning) ? [name.slice(beginning.length)] : []));
}

function listed(
  model: Pick<ListedModel, "id" | "name" | "source">,
  facts: ModelFacts,
  { provider, alsoAs }: AskableProvider,
  { settings, chosen }: Place,
): ListedModel {
  const own = configuredModel(settings.loaded.values, `${provider.name}/${model.id}`);
  const isDefault = chosen?.id === model.id && [provider.name, ...alsoAs].includes(chosen.provider);
  return { provider: provider.name, ...model, ...overlay(facts, own), isDefault };
}

function fits({ provider, id, name = "" }: ListedModel, filter: string = ""): boolean {
  return `${provider}/${id} ${name}`.toLowerCase().includes(filter.toLowerCase());
}
