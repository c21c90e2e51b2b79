import type { ModelCatalog } from "./model-catalog.ts";
import type { CatalogModel, ModelFacts } from "./model-facts.ts";
import type { ModelTable } from "./model-table.ts";
import { widelyServed } from "./vendors.ts";

export type KnownModel = ModelFacts & Required<Pick<ModelFacts, "contextWindowTokens" | "maxOutputTokens">>;

/** A model that nobody described: sizes that today's servers accept, and no prices. */
export const unknownModel: KnownModel = { contextWindowTokens: 128_000, maxOutputTokens: 16_384 };

/** What is known about a model by its vendor's id, with sizes for those nobody knows. */
export function knownModel(id: string, vendor: string, catalog: ModelCatalog): KnownModel {
  return { ...unknownModel, ...findModel(id, vendor, catalog) };
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
