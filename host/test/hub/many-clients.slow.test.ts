import { test } from "vitest";
import { checkCrowd } from "./many-clients.ts";

test("fifty clients that attach at random numbers during 2 MB and 50 calls all see what the journal says", async ({
  annotate,
}) => {
  const delays = await checkCrowd({ clients: 50, characters: 2_000_000, calls: 50, seed: 50 });
  await annotate(JSON.stringify(delays));
});
