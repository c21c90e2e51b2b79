import { ownCompactors } from "@capstan/protocol";
import { conversation } from "@capstan/session";
import { begin, playOn, submit } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { config, converse, problems } from "./sized-vendor.ts";

const cases = 10_000;
/** On a machine that has other work. */
const limitMs = 900_000;
const [leastWindow, mostWindow] = [4000, 1_000_000];

/** Every compactor, too. */
const session = fc
  .record({
    windowTokens: fc
      .double({ min: 0, max: 1, noNaN: true })
      .map((at) => Math.round(leastWindow * (mostWindow / leastWindow) ** at)),
    charactersPerToken: fc.double({ min: 2, max: 5, noNaN: true }),
    compactor: fc.constantFrom(...ownCompactors, "of-a-program"),
    summary: fc.constantFrom("writes" as const, "refuses" as const, "is-cut" as const),
  })
  .chain((vendor) => {
    const result = fc.integer({ min: 0, max: Math.min(60_000, vendor.windowTokens) });
    const turn = fc.record({
      words: fc.string({ minLength: 1, maxLength: 80 }).map((text) => `Please ${text}`),
      results: fc.array(result, { maxLength: 4 }),
      killed: fc.boolean(),
    });
    return fc.record({ vendor: fc.constant(vendor), turns: fc.array(turn, { minLength: 1, maxLength: 5 }) });
  });

test(
  "in any window from 4k to 1M every turn ends, no pair is parted, and a vendor refuses at most once a turn",
  { timeout: limitMs },
  () => {
    let beside = 0;
    fc.assert(
      fc.property(session, ({ vendor, turns }) => {
        const { played, sent } = converse(
          begin({ ...config(vendor.windowTokens), compactor: vendor.compactor }),
          turns,
          vendor,
        );
        for (const { request } of sent) expect(problems(request.messages)).toEqual([]);
        const ends = played.journal.flatMap((record) => (record.type === "turn-ended" ? [record.outcome] : []));
        expect(ends).toEqual(turns.map(() => "done"));
        beside += played.journal.filter(({ type }) => type === "summary-made").length;
        const answers = sent.filter(({ stepId }) => !/\.c\d+$/.test(stepId));
        for (const [at] of turns.entries()) {
          const refused = answers.filter(({ stepId, isTaken }) => !isTaken && stepId.startsWith(`t${at + 1}.`));
          expect(refused.length).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: cases },
    );
    // Summaries are made beside the turns, too.
    expect(beside).toBeGreaterThan(cases / 200);
  },
);

test("in a window that has room, undoing every compaction shows the model all that was said", () => {
  fc.assert(
    fc.property(session, ({ vendor, turns }) => {
      let { played } = converse(begin({ ...config(vendor.windowTokens), compactor: vendor.compactor }), turns, vendor);
      played = playOn(played, submit({ type: "configure", config: { model: config(100 * mostWindow).model } }));
      for (let undone = 0; undone < 50 && typeof played.state.summary?.stepId === "string"; undone += 1) {
        const compaction = played.state.summary.stepId;
        played = playOn(
          played,
          submit({ type: "change-compaction", compaction, change: { type: "undo" }, submissionId: `u${undone}` }),
        );
        expect(played.last.refusal).toBeUndefined();
      }
      const { state } = played;
      expect(state.summary).toBeNull();
      const shown = JSON.stringify(conversation(state));
      for (const { words } of turns) expect(shown).toContain(JSON.stringify(words).slice(1, -1));
    }),
    { numRuns: 500 },
  );
});
