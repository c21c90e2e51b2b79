import { test } from "vitest";

/** Whether this is the slow tier (`npm run test:all`): what the fast one only samples is then tried in full. */
export const isSlowTier: boolean = process.env["CAPSTAN_TEST_TIER"] === "slow";

/**
 * `test` for what only the slow tier runs: a further story of the real binary, say, beside others of its kind whose promise a
 * test of the fast tier owns. The fast tier counts it as skipped.
 */
// oxlint-disable-next-line vitest/expect-expect, vitest/no-disabled-tests, vitest/valid-title -- no test yet
export const slowTest: ReturnType<typeof test.runIf> = test.runIf(isSlowTier);

/** The share of a property's runs that the fast tier makes. */
const fastShare = 1 / 10;
/** Fewer runs than this would leave the ordinary cases to luck. */
const leastRuns = 10;

/** How often a property that takes long is tried: so many times in the slow tier, a share of them in the fast one. */
export function runs(full: number): number {
  return isSlowTier ? full : Math.min(full, Math.max(leastRuns, Math.ceil(full * fastShare)));
}

/** Cases of one kind: all of them in the slow tier, so many, spread over them, in the fast one. */
export function sampled<Case>(cases: readonly Case[], count: number): readonly Case[] {
  const step = cases.length / Math.max(1, count);
  return isSlowTier || step <= 1
    ? cases
    : cases.filter((_case, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
}

/**
 * What a promise does not depend on (a wire, mostly): all of it in the slow tier; in the fast one a single one, another for
 * each name.
 * @param at number of the case under this name: neighbours get different ones
 */
export function inTurn<Choice>(choices: readonly Choice[], name: string, at = 0): readonly Choice[] {
  const chosen = (numberOf(name) + at) % choices.length;
  return isSlowTier ? choices : choices.slice(chosen, chosen + 1);
}

/** The same number for the same name, on every machine. */
function numberOf(name: string): number {
  let number = 0;
  for (const letter of name) number = (number * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
  return number;
}
