import { begin } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { config, converse, firstRequest, lastOf, plain, textOf, type Turn } from "./sized-vendor.ts";

const things = ["the ledger", "the harbour module", "the tide table", "the export", "the parser", "the login page"];
const bounds = [
  "must never be renamed",
  "should always stay readable",
  "has to stay below 200 lines",
  "may not call the network",
];
const choices = [
  "We will use %s as the source of truth.",
  "We decided to keep %s as it is.",
  "Let's go with %s first.",
];

test("a thousand turns on a small window: each request is taken, and what was said at the beginning is still there", () => {
  const said = fc.sample(
    fc.tuple(
      fc.constantFrom(...things),
      fc.constantFrom(...bounds),
      fc.constantFrom(...choices),
      fc.constantFrom(...things),
    ),
    { numRuns: 1, seed: 7 },
  )[0];
  if (said === undefined) throw new Error("nothing was made");
  const [thing, bound, choice, other] = said;
  const rule = `By the way, ${thing} ${bound}.`;
  const decision = choice.replace("%s", other);
  const turns: readonly Turn[] = Array.from({ length: 1000 }, (_, index) => ({
    words:
      [firstRequest, "Begin with the first file.", rule, decision][index] ?? `Continue with file ${index}, please.`,
    results: [6000, 6000],
  }));
  const { played, sent } = converse(begin(config(32_000)), turns, plain);
  expect(sent.filter(({ isTaken }) => !isTaken)).toEqual([]);
  const last = textOf(lastOf(sent));
  for (const words of [firstRequest, rule, decision, "Continue with file 999, please."]) expect(last).toContain(words);
  expect(played.state.lastOutcome).toBe("done");
  expect(played.state.conversation.length).toBeGreaterThan(5000);
});
