import { test } from "vitest";
import { checkCrowd } from "./crowd/check-crowd.ts";

test("clients that attach at random numbers, here and over the socket, all see what the journal says", async () => {
  await checkCrowd({ clients: 10, characters: 60_000, calls: 10, steps: 2, seed: 7 });
});
