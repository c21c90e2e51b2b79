import * as catalog from "@capstan/catalog";
import { createProvider, fetchJson } from "@capstan/providers";
import type { ListOptions, ModelList, RefreshReport } from "@capstan/catalog";
import type { Settings } from "@capstan/settings";

const wires = { createProvider, fetchJson };

/** What the configured keys can reach. @throws AppError `model.none` without any key; `model.unknown`, `provider.auth`, `config.invalid` */
export async function listModels(settings: Settings, options: ListOptions): Promise<ModelList> {
  return await catalog.listModels(settings, options, wires);
}

/** Gets the public catalog of the configuration. @throws AppError `config.invalid`, `provider.*`, `storage.unavailable` */
export async function refreshCatalog(settings: Settings, signal: AbortSignal): Promise<RefreshReport> {
  return await catalog.refreshCatalog(settings, signal, wires);
}
