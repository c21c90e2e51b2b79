import { begin, playOn, submit } from "@capstan/testkit";
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

test("a thousand turns on a small window, killed now and then: each request is taken, and what was said at the beginning is still there; a large window brings originals back", () => {
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
    // A summary is being made now and then when the process dies.
    killed: index % 37 === 5,
  }));
  const { played, sent } = converse(begin(config(32_000)), turns, plain);
  expect(sent.filter(({ isTaken }) => !isTaken)).toEqual([]);
  const last = textOf(lastOf(sent));
  for (const words of [firstRequest, rule, decision, "Continue with file 999, please."]) expect(last).toContain(words);
  expect(played.state.lastOutcome).toBe("done");
  expect(played.state.conversation.length).toBeGreaterThan(5000);
  expect(last).not.toContain("Continue with file 900, please.");

  const larger = playOn(played, submit({ type: "configure", config: { model: config(1_000_000).model } }));
  const more = converse(larger, [{ words: "And now?", results: [] }], { ...plain, windowTokens: 1_000_000 });
  expect(more.sent.every(({ isTaken }) => isTaken)).toBe(true);
  const shown = textOf(lastOf(more.sent));
  for (const words of [firstRequest, rule, decision, "Continue with file 900, please.", "And now?"])
    expect(shown).toContain(words);
});
