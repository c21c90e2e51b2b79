import type { TokenPrices } from "../../core/protocol/src/index.ts";
import { type CatalogModel, inputKinds, type Thinking } from "../../catalog/src/model-facts.ts";

/** USD per million tokens: input, output, from the cache, to the cache; later ones may be missing. */
export type RowPrices = readonly [input: number, output: number, cachedInput?: number, cacheWrite?: number];

/** A model of the catalog as it is short to write by hand; tokens. Without prices they are not known. */
export interface ModelRow {
  readonly id: string;
  readonly window: number;
  readonly output: number;
  readonly prices?: RowPrices;
  /** First letters of image, pdf, audio, video. */
  readonly inputs: string;
  readonly thinking: Thinking;
  /** Prices of calls whose prompt has more tokens than this. */
  readonly longPrompt?: readonly (readonly [aboveTokens: number, prices: RowPrices])[];
  /** Its makers have retired it, or it stands for a family: it is looked up, not listed. */
  readonly unlisted?: boolean;
}

export function toCatalogModel(row: ModelRow): CatalogModel {
  const longPrompt = row.longPrompt?.map(([aboveTokens, prices]) => ({ ...toPrices(prices), aboveTokens }));
  return {
    id: row.id,
    listed: row.unlisted !== true,
    contextWindowTokens: row.window,
    maxOutputTokens: row.output,
    inputs: inputKinds.filter((kind) => row.inputs.includes(kind.charAt(0))),
    thinking: row.thinking,
    ...(row.prices === undefined
      ? {}
      : { prices: { ...toPrices(row.prices), ...(longPrompt === undefined ? {} : { longPrompt }) } }),
  };
}

function toPrices([input, output, cachedInput, cacheWrite]: RowPrices): TokenPrices {
  return {
    input,
    output,
    ...(cachedInput === undefined ? {} : { cachedInput }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
}
