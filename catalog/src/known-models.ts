import type { ModelCatalog } from "./model-catalog.ts";
import type { CatalogModel, ModelFacts } from "./model-facts.ts";
import type { ModelTable } from "./model-table.ts";
import { widelyServed } from "./vendors.ts";

export type KnownModel = ModelFacts & Required<Pick<ModelFacts, "contextWindowTokens" | "maxOutputTokens">>;

/** A model that nobody described: as little as leaves our first request most of its room (decision 0081), and no prices. */
export const unknownModel: KnownModel = { contextWindowTokens: 32_768, maxOutputTokens: 8192 };

/** The longest answer of a model of which only the window is known. */
const usualMostOutputTokens = 16_384;

/** The model of `capstan rehearse`, which takes whatever it is sent. */
const rehearsalModel: CatalogModel & KnownModel = {
  id: "rehearsal",
  listed: false,
  contextWindowTokens: 128_000,
  maxOutputTokens: 16_384,
};

/** What is known of a model, with sizes in place of those that nobody said. */
export function withSizes(facts: ModelFacts): KnownModel {
  return facts.contextWindowTokens === undefined
    ? { ...unknownModel, ...facts }
    : { maxOutputTokens: usualMostOutputTokens, ...facts, contextWindowTokens: facts.contextWindowTokens };
}

/**
 * Looks a model up: the whole id among the vendor's own models; else its last part among those that many serve, so that
 * gateways' prefixes (`anthropic/…`) are looked through. The longest known beginning counts.
 */
export function findModel(id: string, vendor: string, catalog: ModelCatalog): CatalogModel | undefined {
  const whole = id.toLowerCase();
  const own = findBeginning(whole, catalog.modelsOf(vendor));
  if (own !== undefined) return own;
  const name = whole.slice(whole.lastIndexOf("/") + 1);
  if (name === rehearsalModel.id) return rehearsalModel;
  for (const maker of widelyServed) {
    // Gateways write `claude-sonnet-4.5`.
    const known = findBeginning(maker === "anthropic" ? name.replaceAll(".", "-") : name, catalog.modelsOf(maker));
    if (known !== undefined) return known;
  }
  return undefined;
}

function findBeginning(name: string, models: ModelTable): CatalogModel | undefined {
  const exact = models.get(name);
  if (exact !== undefined) return exact;
  let best = "";
  for (const id of models.ids()) {
    const fits = name.startsWith(id.toLowerCase()) && "-@:".includes(name.charAt(id.length) || " ");
    if (fits && id.length > best.length) best = id;
  }
  return models.get(best);
}
