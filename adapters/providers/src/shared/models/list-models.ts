import type { JsonValue, ModelOffer } from "@capstan/protocol";
import { limits } from "../../limits.ts";
import { toEndpoint } from "../http/endpoint.ts";
import type { ExchangeCall } from "../http/exchange.ts";
import { getDocument } from "../http/get-document.ts";

/** How a wire says which models there are. */
export interface ModelListing {
  /** Path below the base URL. */
  readonly path: readonly string[];
  /** Query of a page. @param next  what the page before named; `undefined` for the first */
  query(next: string | undefined): string;
  /** `undefined`: the document is no list of models. */
  readPage(document: JsonValue): ModelPage | undefined;
}

export interface ModelPage {
  readonly offers: readonly ModelOffer[];
  /** Names the page after this one; absent: this is the last. */
  readonly next?: string;
}

/** Asks for every page of the list. @throws {ProviderError} */
export async function listModels(
  base: Omit<ExchangeCall, "endpoint" | "body">,
  listing: ModelListing,
): Promise<readonly ModelOffer[]> {
  // By id: some gateways name a model once for each server behind them.
  const offers: Map<string, ModelOffer> = new Map();
  let next: string | undefined;
  for (let page = 0; page < limits.modelPages && offers.size < limits.models; page += 1) {
    const endpoint = toEndpoint(base.options, listing.path, listing.query(next));
    const read = listing.readPage(await getDocument({ ...base, endpoint }, limits.modelListBytes));
    if (read === undefined) throw base.failures.protocol("answered with JSON that is no list of models", false);
    for (const offer of read.offers) if (!offers.has(offer.id)) offers.set(offer.id, offer);
    // A server that does not know the query sends the same page forever.
    if (read.next === undefined || read.next === next) break;
    next = read.next;
  }
  return [...offers.values()].slice(0, limits.models);
}
