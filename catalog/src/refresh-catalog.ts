import type { ProviderOptions, Wires } from "@capstan/ports";
import { AppError, canonicalJson, type JsonValue, ProviderError } from "@capstan/protocol";
import { prepareDataDirectory, type Settings } from "@capstan/settings";
import { connectionOptions } from "./make-provider.ts";
import { type ModelCatalog, openWholeCatalog } from "./model-catalog.ts";
import type { CatalogModel } from "./model-facts.ts";
import { modelSection } from "./model-table.ts";
import { type PublicCatalog, readPublicCatalog } from "./public-catalog.ts";
import { refreshedFile, writeRefreshedModels } from "./refreshed-file.ts";
import { isLoopback } from "./resolve-provider.ts";
import { knownVendors } from "./vendors.ts";

/** What a refresh brought. */
export interface RefreshReport {
  readonly source: string;
  readonly file: string;
  readonly vendors: number;
  readonly models: number;
  /** Models nobody knew before. */
  readonly newModels: number;
  /** Models whose known prices are others now. */
  readonly changedPrices: number;
  /** Entries that could not be read. */
  readonly skipped: number;
}

/** Bytes; the public catalogs have a few megabytes. */
const maxCatalogBytes = 33_554_432;

/**
 * Gets the public catalog of the configuration, and puts what it says beside the built-in one.
 * @throws {AppError} `config.invalid`, `provider.*`, `storage.unavailable`; then everything is as it was
 */
export async function refreshCatalog(
  settings: Settings,
  signal: AbortSignal,
  wires: Pick<Wires, "fetchJson">,
): Promise<RefreshReport> {
  const { home, loaded } = settings;
  const source = checkedSource(loaded.values.catalog.source_url);
  const wanted = new Set([...knownVendors, ...Object.keys(loaded.values.providers)]);
  const read = readPublicCatalog(
    await download(source, settings, (options) => wires.fetchJson(options, maxCatalogBytes, signal)),
    wanted,
  );
  if (read === undefined) {
    throw new AppError("provider.protocol", `what ${shown(source)} answers is no catalog of models`, {
      hint: "Set catalog.source_url to one in the form of https://models.dev/api.json. The catalog as it was still counts.",
    });
  }
  await prepareDataDirectory(home);
  const report = reportOf(read, await openWholeCatalog(home));
  const sections = [...read.vendors].map(([vendor, models]) => [vendor, modelSection(models)]);
  writeRefreshedModels(home, shown(source), Object.fromEntries(sections));
  return { source: shown(source), file: refreshedFile(home), ...report };
}

/** What it says could be changed on the way: plain http only from this machine. */
function checkedSource(address: string): URL {
  const url = new URL(address);
  if (url.protocol === "https:" || isLoopback(url.hostname)) return url;
  throw new AppError("config.invalid", `catalog.source_url is plain http to ${url.hostname}`, {
    hint: "Use https, or an address of this machine (127.0.0.1, localhost, [::1]).",
  });
}

async function download(
  source: URL,
  { loaded, env }: Settings,
  fetch: (options: ProviderOptions) => Promise<JsonValue>,
): Promise<JsonValue> {
  const { username, password, href } = source;
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const headers = username === "" ? {} : { authorization: `Basic ${Buffer.from(user).toString("base64")}` };
  const options = {
    name: "catalog",
    baseUrl: href,
    apiKey: undefined,
    keyHint: "Set catalog.source_url to an address that may be read.",
    headers,
    ...(await connectionOptions(href, loaded.values, env)),
  };
  try {
    return await fetch(options);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    // A refusal here is no matter of a model's key.
    const code = error.code === "provider.auth" ? "provider.http" : error.code;
    throw new AppError(code, `${shown(source)} gave no catalog: ${error.message.replace(/^catalog: /, "")}`, {
      cause: error,
      hint: "Check network, proxy and catalog.source_url. The catalog as it was still counts.",
    });
  }
}

/** Without user, password and query. */
function shown({ origin, pathname }: URL): string {
  return origin + pathname;
}

function reportOf({ vendors, skipped }: PublicCatalog, before: ModelCatalog): Omit<RefreshReport, "source" | "file"> {
  const models = [...vendors].flatMap(([vendor, list]) =>
    list.map((model) => ({ model, old: before.modelsOf(vendor).get(model.id) })),
  );
  return {
    vendors: vendors.size,
    models: models.length,
    newModels: models.filter(({ old }) => old === undefined).length,
    changedPrices: models.filter(({ model, old }) => old !== undefined && hasOtherPrices(model, old)).length,
    skipped,
  };
}

function hasOtherPrices({ prices }: CatalogModel, old: CatalogModel): boolean {
  if (prices === undefined || old.prices === undefined) return false;
  return canonicalJson({ ...old.prices, ...prices }) !== canonicalJson(old.prices);
}
