import { isJsonObject, type JsonValue, type ModelPrices, type TokenPrices } from "@capstan/protocol";
import { type CatalogModel, inputKinds, type ModelFacts, type Thinking } from "./model-facts.ts";

/** Models by id; of most of them a run only ever wants the ids. */
export interface ModelTable {
  ids(): Iterable<string>;
  get(id: string): CatalogModel | undefined;
  all(): readonly CatalogModel[];
}

/** A vendor's models as the catalog's files hold them: facts by id, and `"listed": false` where a model is not. */
export type ModelSection = Readonly<Record<string, ModelFacts & { readonly listed?: false }>>;

/** Reads a vendor's models, each when it is asked for. What does not fit is left out: the file may be of another version. */
export function readModels(section: unknown): ModelTable {
  const models = isJsonObject(section) ? section : {};
  const get = (id: string): CatalogModel | undefined =>
    Object.hasOwn(models, id) ? readModel(id, models[id]) : undefined;
  return {
    ids: () => Object.keys(models),
    get,
    all: () => Object.keys(models).flatMap((id) => get(id) ?? []),
  };
}

/** @see readModels */
export function modelSection(models: readonly CatalogModel[]): ModelSection {
  return Object.fromEntries(models.map(({ id, listed, ...facts }) => [id, listed ? facts : { listed, ...facts }]));
}

const thinkings: readonly Thinking[] = ["no", "yes", "adaptive", "budget", "both"];

function readModel(id: string, facts: JsonValue | undefined): CatalogModel | undefined {
  if (!isJsonObject(facts)) return undefined;
  const { listed, contextWindowTokens, maxOutputTokens, inputs, thinking } = facts;
  const prices = readPrices(facts["prices"]);
  const style = thinkings.find((word) => word === thinking);
  return {
    id,
    listed: listed !== false,
    ...(isCount(contextWindowTokens) ? { contextWindowTokens } : {}),
    ...(isCount(maxOutputTokens) ? { maxOutputTokens } : {}),
    ...(prices === undefined ? {} : { prices }),
    ...(Array.isArray(inputs) ? { inputs: inputKinds.filter((kind) => inputs.includes(kind)) } : {}),
    ...(style === undefined ? {} : { thinking: style }),
  };
}

function readPrices(value: JsonValue | undefined): ModelPrices | undefined {
  const prices = tokenPrices(value);
  if (prices === undefined || !isJsonObject(value) || !Array.isArray(value["longPrompt"])) return prices;
  const longPrompt = value["longPrompt"].flatMap((step) => {
    const own = tokenPrices(step);
    const aboveTokens = isJsonObject(step) ? step["aboveTokens"] : undefined;
    return own === undefined || !isCount(aboveTokens) ? [] : [{ ...own, aboveTokens }];
  });
  return longPrompt.length === 0 ? prices : { ...prices, longPrompt };
}

function tokenPrices(value: JsonValue | undefined): TokenPrices | undefined {
  if (!isJsonObject(value)) return undefined;
  const { input, output, cachedInput, cacheWrite } = value;
  if (!isPrice(input) || !isPrice(output)) return undefined;
  return {
    input,
    output,
    ...(isPrice(cachedInput) ? { cachedInput } : {}),
    ...(isPrice(cacheWrite) ? { cacheWrite } : {}),
  };
}

function isCount(value: JsonValue | undefined): value is number {
  return typeof value === "number" && Number.isInteger(value) && value > 0;
}

function isPrice(value: JsonValue | undefined): value is number {
  return typeof value === "number" && value >= 0;
}
