import type { CapstanConfig } from "@capstan/settings";
import makerModels from "./data/maker-models.json" with { type: "json" };
import { type CatalogModel, overlay } from "./model-facts.ts";
import { type ModelTable, readModels } from "./model-table.ts";
import { readRefreshedModels } from "./refreshed-file.ts";
import { hasGateways } from "./vendors.ts";

/** What is known about models without asking anyone: the built-in catalog with the refreshed one over it. */
export interface ModelCatalog {
  /** A vendor's models by id; none for a vendor nobody knows. */
  modelsOf(vendor: string): ModelTable;
}

/** The catalog a configuration can have a use for. @param home  the data directory */
export async function catalogFor(config: CapstanConfig, home: string): Promise<ModelCatalog> {
  return hasGateways(config) ? await openWholeCatalog(home) : openCatalog(home);
}

/** The catalog with the many models of gateways, which are loaded apart. */
export async function openWholeCatalog(home: string): Promise<ModelCatalog> {
  const { default: gatewayModels } = await import("./data/gateway-models.json", { with: { type: "json" } });
  return openCatalog(home, { ...makerModels, ...gatewayModels });
}

/**
 * Opens a catalog. A vendor's models are read when first asked for.
 * @param home  the data directory; without it only what is built in counts
 */
export function openCatalog(home?: string, builtIn: ModelSections = makerModels): ModelCatalog {
  const refreshed = home === undefined ? {} : readRefreshedModels(home);
  const read = new Map<string, ModelTable>();
  return {
    modelsOf(vendor) {
      const models = read.get(vendor) ?? merge(sectionOf(builtIn, vendor), sectionOf(refreshed, vendor));
      read.set(vendor, models);
      return models;
    },
  };
}

/** Models by vendor, as a file of the catalog holds them. */
type ModelSections = Readonly<Record<string, unknown>>;

function sectionOf(sections: ModelSections, vendor: string): ModelTable {
  return readModels(Object.hasOwn(sections, vendor) ? sections[vendor] : {});
}

function merge(below: ModelTable, above: ModelTable): ModelTable {
  const ids = new Set([...below.ids(), ...above.ids()]);
  const get = (id: string): CatalogModel | undefined => {
    const [old, model] = [below.get(id), above.get(id)];
    if (model === undefined) return old;
    return { ...overlay(old ?? {}, withOldPrices(model, old)), id, listed: model.listed };
  };
  return { ids: () => ids, get, all: () => [...ids].flatMap((id) => get(id) ?? []) };
}

/** Few catalogs say what cached tokens and long prompts cost: where the price is as it was, so is the rest. */
function withOldPrices(model: CatalogModel, old: CatalogModel | undefined): CatalogModel {
  const { prices } = model;
  const isSame = prices?.input === old?.prices?.input && prices?.output === old?.prices?.output;
  return prices !== undefined && isSame ? { ...model, prices: { ...old?.prices, ...prices } } : model;
}
