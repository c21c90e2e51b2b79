import { AppError } from "@capstan/protocol";
import { type CapstanConfig, didYouMean } from "@capstan/settings";
import { builtInProviders } from "../built-in-providers.ts";
import { familyOf, isNewer } from "./model-family.ts";
import { catalogFor, type ModelCatalog, openCatalog } from "../model-catalog.ts";
import { type Environment, providersWithKeys } from "../resolve-provider.ts";
import { vendorOf } from "../vendors.ts";

/** A model's name in its two parts. */
export interface ModelName {
  readonly provider: string;
  readonly id: string;
}

export interface NamePlace {
  readonly config: CapstanConfig;
  readonly env: Environment;
  /** What is built in, when it is left out. */
  readonly catalog?: ModelCatalog;
  /** Names of providers that come from outside. */
  readonly isExternal?: (name: string) => boolean;
}

/** What people call a vendor, and the beginning of its models' ids. */
const vendorNicknames: Readonly<Record<string, string>> = { claude: "anthropic", gpt: "openai", gemini: "google" };
const vendorsOfNicknames = new Map(Object.entries(vendorNicknames).map(([nickname, vendor]) => [vendor, nickname]));

/**
 * The model that a name means: `provider/id`, or as people type it. Without a slash it is a model (`sonnet`, `gpt`,
 * `claude-sonnet-4-5`), before a slash a provider or what its vendor is called (`claude/opus`). A family's name means its newest
 * model in the catalog, a vendor's name the newest of the family it is known for.
 * @throws {AppError} `model.unknown`, naming what is nearest
 */
export function modelNamedBy(text: string, place: NamePlace): ModelName {
  const slash = text.indexOf("/");
  if (slash > 0 && slash < text.length - 1) return ofProvider(text.slice(0, slash), text.slice(slash + 1), place);
  if (slash !== -1 || text.trim() === "") throw unknownName(text, []);
  const { provider } = place.config.app;
  return provider === null ? bareName(text, place) : nameBesideProvider(providerNamedBy(provider, place), text, place);
}

/** The provider of the configuration comes first; a name of another vendor's model means that. */
function nameBesideProvider(provider: string, text: string, place: NamePlace): ModelName {
  const own = ofProvider(provider, text, place);
  if (own.id !== text || !isBuiltIn(provider, place)) return own;
  return findBareName(text, place) ?? own;
}

/** The provider that a name means: one of that name, else the vendor's that is called so. */
export function providerNamedBy(name: string, { config, isExternal = () => false }: NamePlace): string {
  if (Object.hasOwn(config.providers, name) || isExternal(name)) return name;
  return Object.hasOwn(vendorNicknames, name) ? (vendorNicknames[name] ?? name) : name;
}

function ofProvider(name: string, id: string, place: NamePlace): ModelName {
  const provider = providerNamedBy(name, place);
  // What another's server calls its models is its own matter.
  if (!isBuiltIn(provider, place)) return { provider, id };
  return { provider, id: idAmong(id, vendorOfProvider(provider, place.config), place) ?? id };
}

function isBuiltIn(provider: string, { isExternal = () => false }: NamePlace): boolean {
  return Object.hasOwn(builtInProviders, provider) && !isExternal(provider);
}

function bareName(text: string, place: NamePlace): ModelName {
  const found = findBareName(text, place);
  if (found !== undefined) return found;
  const known = providersInOrder(place).flatMap((provider) => namesOf(vendorOfProvider(provider, place.config), place));
  throw unknownName(text, [...Object.keys(vendorNicknames), ...known]);
}

function findBareName(text: string, place: NamePlace): ModelName | undefined {
  const own = Object.keys(place.config.models).find((name) => name.slice(name.indexOf("/") + 1) === text);
  if (own !== undefined) return { provider: own.slice(0, own.indexOf("/")), id: text };
  for (const provider of providersInOrder(place)) {
    const vendor = vendorOfProvider(provider, place.config);
    const id = idAmong(text, vendor, place) ?? (isOfKnownFamily(text, vendor, place) ? text : undefined);
    if (id !== undefined) return { provider, id };
  }
  return undefined;
}

/** Those that can be asked first, as a default is looked for. */
function providersInOrder({ config, env }: NamePlace): readonly string[] {
  return [
    ...new Set([...providersWithKeys(config, env), ...Object.keys(config.providers), ...Object.keys(builtInProviders)]),
  ];
}

function vendorOfProvider(name: string, { providers }: CapstanConfig): string {
  const own = Object.hasOwn(providers, name) ? providers[name]?.base_url : undefined;
  return vendorOf({ name, baseUrl: own ?? "" });
}

/** The id of a model that the catalog knows under this name; `undefined`: none. */
function idAmong(name: string, vendor: string, place: NamePlace): string | undefined {
  const models = catalogOf(place).modelsOf(vendor);
  const wanted = name.toLowerCase();
  if (models.get(wanted) !== undefined) return wanted;
  const nickname = vendorsOfNicknames.get(vendor);
  const prefixed = `${nickname ?? ""}-${wanted}`;
  if (nickname !== undefined && models.get(prefixed) !== undefined) return prefixed;
  const family = wanted === nickname ? familyOf(defaultModelOf(vendor))?.name : wanted;
  return newestOf([family, prefixed], vendor, place);
}

function newestOf(families: readonly (string | undefined)[], vendor: string, place: NamePlace): string | undefined {
  const models = catalogOf(place).modelsOf(vendor);
  let newest: string | undefined;
  for (const id of models.ids()) {
    const family = familyOf(id)?.name;
    const fits = family !== undefined && families.includes(family) && models.get(id)?.listed === true;
    if (fits && (newest === undefined || isNewer(id, newest))) newest = id;
  }
  return newest;
}

/** A model that came out after the catalog: a new version of a family that it has. */
function isOfKnownFamily(name: string, vendor: string, place: NamePlace): boolean {
  const family = familyOf(name.toLowerCase());
  if (family === undefined || family.version.length === 0) return false;
  return newestOf([family.name], vendor, place) !== undefined;
}

/** The model that the vendor's family of choice is read from. */
function defaultModelOf(vendor: string): string {
  return Object.hasOwn(builtInProviders, vendor) ? (builtInProviders[vendor]?.defaultModel ?? "") : "";
}

function namesOf(vendor: string, place: NamePlace): readonly string[] {
  const nickname = vendorsOfNicknames.get(vendor);
  return [...catalogOf(place).modelsOf(vendor).ids()].flatMap((id) => {
    const family = familyOf(id)?.name ?? id;
    return nickname !== undefined && family.startsWith(`${nickname}-`)
      ? [id, family, family.slice(nickname.length + 1)]
      : [id, family];
  });
}

/** What `app.model` means, as `provider/id`; `undefined`: nothing else than it says, or nothing. */
export async function modelMeant({
  loaded: { values: config },
  env,
  home,
}: {
  readonly loaded: { readonly values: CapstanConfig };
  readonly env: Environment;
  readonly home: string;
}): Promise<string | undefined> {
  const text = config.app.model;
  if (text === null) return undefined;
  const { provider, id } = modelNamedBy(text, { config, env, catalog: await catalogFor(config, home) });
  return `${provider}/${id}` === text ? undefined : `${provider}/${id}`;
}

function catalogOf({ catalog }: NamePlace): ModelCatalog {
  return catalog ?? openCatalog();
}

function unknownName(text: string, known: readonly string[]): AppError {
  return new AppError("model.unknown", `${JSON.stringify(text)} does not name a model${didYouMean(text, known)}`, {
    hint: "Try: capstan models",
  });
}
