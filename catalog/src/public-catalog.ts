import {
  type InputKind,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ModelPrices,
  type TokenPrices,
} from "@capstan/protocol";
import { maxTokens } from "@capstan/settings";
import { type CatalogModel, inputKinds } from "./model-facts.ts";

/** What a published catalog says, in the form of https://models.dev/api.json. */
export interface PublicCatalog {
  readonly vendors: ReadonlyMap<string, readonly CatalogModel[]>;
  /** Entries that could not be read. */
  readonly skipped: number;
}

/** Models of one vendor; gateways have some hundreds. */
const maxModels = 5000;
const maxIdLength = 200;
/** USD per million tokens; a slip of the decimal point is no price. */
const maxPrice = 1_000_000;

/**
 * Reads a published catalog: an entry that does not fit is skipped and counted.
 * @param wanted  the vendors that are kept
 * @returns `undefined` when the document is none, or has nothing of any of them
 */
export function readPublicCatalog(document: JsonValue, wanted: ReadonlySet<string>): PublicCatalog | undefined {
  if (!isJsonObject(document)) return undefined;
  const vendors = new Map<string, readonly CatalogModel[]>();
  let skipped = 0;
  for (const [vendor, section] of Object.entries(document)) {
    if (!wanted.has(vendor)) continue;
    const entries = isJsonObject(section) && isJsonObject(section["models"]) ? Object.values(section["models"]) : [];
    const read = entries.slice(0, maxModels).map(readEntry);
    const models = read.flatMap((entry) => (entry.type === "model" ? [entry.model] : []));
    skipped += read.filter((entry) => entry.type === "bad").length + Math.max(0, entries.length - maxModels);
    if (models.length > 0) vendors.set(vendor, models);
  }
  return vendors.size === 0 ? undefined : { vendors, skipped };
}

type ReadEntry =
  | { readonly type: "model"; readonly model: CatalogModel }
  /** It writes no text. */
  | { readonly type: "other" }
  | { readonly type: "bad" };

function readEntry(entry: JsonValue): ReadEntry {
  if (!isJsonObject(entry)) return { type: "bad" };
  const { id, limit, cost, modalities, reasoning, status } = entry;
  const { input, output } = isJsonObject(modalities) ? modalities : {};
  if (Array.isArray(output) && !output.includes("text")) return { type: "other" };
  const { context, output: longest } = isJsonObject(limit) ? limit : {};
  const prices = cost === undefined ? undefined : readPrices(cost);
  if (!isId(id) || !isCount(context) || !isCount(longest) || prices === "bad") return { type: "bad" };
  return {
    type: "model",
    model: {
      id,
      listed: status !== "deprecated",
      contextWindowTokens: context,
      maxOutputTokens: Math.min(longest, context),
      ...(prices === undefined ? {} : { prices }),
      ...(Array.isArray(input) ? { inputs: inputKinds.filter((kind: InputKind) => input.includes(kind)) } : {}),
      ...(typeof reasoning === "boolean" ? { thinking: reasoning ? "yes" : "no" } : {}),
    },
  };
}

function isId(value: JsonValue | undefined): value is string {
  return typeof value === "string" && value.length <= maxIdLength && /^[^\s*\p{Cc}]+$/u.test(value);
}

function isCount(value: JsonValue | undefined): value is number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 && value <= maxTokens;
}

function readPrices(cost: JsonValue): CatalogModel["prices"] | "bad" {
  const prices = isJsonObject(cost) ? tokenPrices(cost) : "bad";
  if (prices === "bad" || !isJsonObject(cost)) return "bad";
  const { tiers, context_over_200k: above } = cost;
  // The older field is left for those who do not know the newer one, and is less exact.
  if (Array.isArray(tiers)) return withSteps(prices, tiers.map(readTier));
  return isJsonObject(above) ? withSteps(prices, [readStep(above, 200_000)]) : prices;
}

type Step = NonNullable<ModelPrices["longPrompt"]>[number];

/** A call of which one price cannot be determined has none that can be relied on. */
function withSteps(prices: TokenPrices, steps: readonly (Step | "bad")[]): ModelPrices | "bad" {
  const longPrompt = steps.filter((step) => step !== "bad");
  if (longPrompt.length < steps.length) return "bad";
  return longPrompt.length === 0 ? prices : { ...prices, longPrompt };
}

function readTier(value: JsonValue): Step | "bad" {
  const { tier = null, ...prices } = isJsonObject(value) ? value : {};
  if (!isJsonObject(tier) || tier["type"] !== "context" || !isCount(tier["size"])) return "bad";
  return readStep(prices, tier["size"]);
}

function readStep(prices: JsonObject, aboveTokens: number): Step | "bad" {
  const read = tokenPrices(prices);
  return read === "bad" ? "bad" : { ...read, aboveTokens };
}

function tokenPrices({
  input,
  output,
  cache_read: cachedInput,
  cache_write: cacheWrite,
}: JsonObject): TokenPrices | "bad" {
  if (!isPrice(input) || !isPrice(output)) return "bad";
  if (![cachedInput, cacheWrite].every((price) => price === undefined || isPrice(price))) return "bad";
  return {
    input,
    output,
    ...(isPrice(cachedInput) ? { cachedInput } : {}),
    ...(isPrice(cacheWrite) ? { cacheWrite } : {}),
  };
}

function isPrice(value: JsonValue | undefined): value is number {
  return typeof value === "number" && value >= 0 && value <= maxPrice;
}
