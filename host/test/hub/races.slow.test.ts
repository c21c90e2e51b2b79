import { test } from "vitest";
import { checkRaces } from "./races.ts";

test(
  "of two answers in the same millisecond one counts, and both frontends learn which, ten thousand times",
  { timeout: 1_200_000 },
  async () => {
    await checkRaces(10_000);
  },
);
