/**
 * One seed for every property test of a run, taken from the tree that is tested: what was green once is green again, and each
 * commit tries other cases. `CAPSTAN_TEST_SEED=N` chooses one, `CAPSTAN_TEST_SEED=random` a new one for each property.
 */
import { execFileSync } from "node:child_process";
import * as fc from "fast-check";

const chosen = process.env["CAPSTAN_TEST_SEED"];

if (chosen !== "random") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: seedOf(chosen) });

/** 32 bits; of a checkout without git always the same. */
function seedOf(text: string | undefined): number {
  if (text !== undefined) {
    const seed = Number(text);
    if (!Number.isSafeInteger(seed)) throw new Error(`CAPSTAN_TEST_SEED: a whole number or "random", not ${text}`);
    return seed;
  }
  return Number.parseInt(treeId().slice(0, 8), 16) | 0;
}

function treeId(): string {
  try {
    return execFileSync("git", ["rev-parse", "HEAD^{tree}"], {
      cwd: import.meta.dirname,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return "00000000";
  }
}
