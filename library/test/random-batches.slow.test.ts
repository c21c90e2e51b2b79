import { expect, test } from "vitest";
import { outcomeOf } from "./batch-outcome.ts";
import { randomBatch } from "./random-batch.ts";

const batches = 100;

test.each(["sequential", "parallel-reads"])(
  "random batches of calls that stand on each other equal the same calls one by one: %s",
  async (strategy) => {
    for (let seed = 1; seed <= batches; seed += 1) {
      const batch = randomBatch(strategy === "sequential" ? seed : seed + batches);
      const together = await outcomeOf([batch], strategy);
      const alone = await outcomeOf(
        batch.map((call) => [call]),
        strategy,
      );
      // Asked before a command had run, a user may deny what would have been rejected after it.
      const results = together.results.map((result, at) =>
        result.startsWith("denied: Denied by the user") && alone.results[at]?.startsWith("rejected:")
          ? alone.results[at]
          : result,
      );
      expect({ seed, batch, files: together.files, results }).toEqual({
        seed,
        batch,
        files: alone.files,
        results: alone.results,
      });
    }
  },
  1_800_000,
);
