import { expect } from "vitest";
import { type Crowd, gatherCrowd } from "./crowd.ts";

/** Everybody sees what the journal says, each number once and in order. */
export async function checkCrowd(crowd: Crowd): Promise<void> {
  const seen = await gatherCrowd(crowd);
  expect(seen.views).toHaveLength(crowd.clients);
  expect(seen.misplaced).toEqual([]);
  for (const view of seen.views) expect(view).toEqual(seen.journal);
  expect(seen.finishedCalls).toBe(crowd.calls);
}
