import type { Correction } from "./corrections.ts";
import type { ModelRow } from "./model-row.ts";

/** Published rows with the corrections laid over them, in the order of their ids, without dated doubles. */
export function mergeRows(published: readonly ModelRow[], corrections: readonly Correction[]): readonly ModelRow[] {
  const rows = new Map(published.map((row) => [row.id, row]));
  for (const correction of corrections) rows.set(correction.id, corrected(rows.get(correction.id), correction));
  return [...rows.values()].filter((row) => !isDatedDouble(row, rows)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function corrected(row: ModelRow | undefined, { prices, ...others }: Correction): ModelRow {
  const { prices: published, ...merged } = { ...(row ?? complete(others)), ...others };
  const known = prices === undefined ? published : (prices ?? undefined);
  return known === undefined ? merged : { ...merged, prices: known };
}

function complete({ id, window, output, inputs, thinking }: Omit<Correction, "prices">): ModelRow {
  if (window === undefined || output === undefined || inputs === undefined || thinking === undefined)
    throw new Error(`${id} is not in the published catalog, and its correction does not say everything`);
  return { id, window, output, inputs, thinking };
}

/** `name-20250929` beside a `name` of which the same is said: a beginning of the id is enough to look it up. */
function isDatedDouble(row: ModelRow, rows: ReadonlyMap<string, ModelRow>): boolean {
  const name = /^(.+?)-(?:\d{8}|\d{4}-\d{2}-\d{2}|\d{2}-\d{4}|\d{3,4})$/.exec(row.id)?.[1];
  const plain = name === undefined ? undefined : rows.get(name);
  return plain !== undefined && facts(plain) === facts(row);
}

function facts({ window, output, prices, inputs, thinking, longPrompt }: ModelRow): string {
  return JSON.stringify({ window, output, prices, inputs, thinking, longPrompt });
}
