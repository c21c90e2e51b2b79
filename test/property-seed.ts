/**
 * One seed for every property test of a run, taken from the tree that is tested: what was green once is green again, and each
 * commit tries other cases. `CAPSTAN_TEST_SEED=N` chooses one, `CAPSTAN_TEST_SEED=random` a new one for each property.
 */
import * as fc from "fast-check";

const chosen = process.env["CAPSTAN_TEST_SEED"] ?? process.env["CAPSTAN_TEST_TREE"] ?? "0";

if (chosen !== "random") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: seedOf(chosen) });

function seedOf(text: string): number {
  const seed = Number(text);
  if (!Number.isSafeInteger(seed)) throw new Error(`CAPSTAN_TEST_SEED: a whole number or "random", not ${text}`);
  return seed;
}
