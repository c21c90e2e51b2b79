import { test } from "vitest";
import { checkCrowd } from "./crowd/check-crowd.ts";

test("fifty clients that attach at random numbers during 2 MB and 50 calls all see what the journal says", async () => {
  await checkCrowd({ clients: 50, characters: 2_000_000, calls: 50, steps: 2, seed: 50 });
});
