import type { Stimulus } from "@capstan/engine";
import { conversation, evolve } from "@capstan/session";
import { resultsToKeep } from "@capstan/context";
import { type SessionConfig, toToolCallId, toTurnId } from "@capstan/protocol";
import {
  action,
  begin,
  call,
  callAnswer,
  checkInvariants,
  completes,
  ends,
  packed,
  type Played,
  playOn,
  prepared,
  restarts,
  says,
  submit,
  testUsage,
  textAnswer,
  runs,
  slowTest,
} from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  config,
  converse,
  lastOf,
  many,
  plain,
  problems,
  rule,
  firstRequest,
  textOf,
  type Vendor,
} from "./sized-vendor.ts";

test("a long session stays inside the window, and keeps the first request and a rule word for word", () => {
  const { played, sent } = converse(begin(config(32_000)), many(40, 6000), plain);
  const answers = sent.filter(({ stepId }) => !/\.c\d+$/.test(stepId));
  expect(sent.every(({ isTaken }) => isTaken)).toBe(true);
  expect(textOf(lastOf(answers))).toContain(firstRequest);
  expect(textOf(lastOf(answers))).toContain(rule);
  expect(textOf(lastOf(answers))).toContain("Now file number 39.");
  expect(played.journal.filter(({ type }) => type === "compaction-selected").length).toBeGreaterThan(2);
  // They were made beside the turns: none waited.
  expect(played.journal.filter(({ type }) => type === "compaction-started")).toEqual([]);
  expect(played.state.lastOutcome).toBe("done");
  expect(invariants(played)).toEqual([]);
});

test("one turn of a hundred rounds keeps its own request in sight", () => {
  const words = "Rewrite each of the hundred charts, and end with the letter Q.";
  const { played, sent } = converse(
    begin(config(32_000)),
    [{ words, results: Array.from({ length: 100 }, () => 5000) }],
    plain,
  );
  expect(
    sent.filter(({ stepId }) => stepId.startsWith("t1")).every(({ request }) => textOf(request).includes(words)),
  ).toBe(true);
  expect(played.state.lastOutcome).toBe("done");
});

test("what the workspace's instructions say is shown to the model again after a summary", () => {
  const { sent } = converse(begin(config(32_000)), many(20, 6000), plain);
  const answers = sent.filter(({ stepId }) => !/\.c\d+$/.test(stepId));
  expect(answers.every(({ request }) => textOf(request).includes("AGENTS.md says"))).toBe(true);
});

test("a vendor whose window is smaller than it was said to be is sent a shorter conversation, once, in the same turn", () => {
  const { played, sent } = converse(begin(config(200_000)), many(12, 8000), { ...plain, windowTokens: 60_000 });
  expect(sent.some(({ isTaken }) => !isTaken)).toBe(true);
  expect(played.journal.filter((record) => record.type === "turn-ended" && record.outcome !== "done")).toEqual([]);
  expect(played.journal.some((record) => record.type === "compaction-started" && record.reason === "overflow")).toBe(
    true,
  );
});

test("results that were shown short are whole again in a larger window, and stay so in the next turn", () => {
  const small = { ...plain, windowTokens: 16_000 };
  const short = converse(begin(config(16_000)), [{ words: "Look.", results: [90_000] }], small).played;
  expect(short.state.shortened).not.toBeNull();
  const large = { ...plain, windowTokens: 1_000_000 };
  const { played, sent } = converse(switched(short, 1_000_000), many(2, 10), large);
  expect(played.state.shortened).toBeNull();
  expect(textOf(lastOf(sent))).not.toContain("characters of this are not shown");
  expect(played.journal.filter(({ type }) => type === "compaction-selected")).toHaveLength(1);
  expect(invariants(played)).toEqual([]);
});

test("a vendor that takes more than its window is said to hold is asked on until it refuses", () => {
  const asked = [says("t1", "Look."), packed("t1")].reduce(playOn, begin(config(32_000)));
  const usage = { ...testUsage, inputTokens: 40_000 };
  const round = (at: number): readonly Stimulus[] => {
    const [step, id] = [`t1.s${at}`, `c${at}`];
    const asks = callAnswer([call(id, "look", { path: id })], { usage });
    return [completes(step, asks), prepared(step, { [id]: action("look", { path: id }) }), ends(id)];
  };
  const played = [1, 2, 3, 4].flatMap(round).reduce(playOn, asked);
  expect(played.journal.filter(({ type }) => type.startsWith("compaction-"))).toEqual([]);
  expect(played.last.records.at(-1)).toMatchObject({ type: "step-started", stepId: "t1.s5" });
});

test("an answer that is cut because the window is full is continued with a shorter conversation, and one cut by its own limit is not", () => {
  const before = converse(begin(config(200_000)), many(6, 1000), { ...plain, windowTokens: 200_000 }).played;
  const id = `t${before.state.turnIds.length + 1}`;
  const asked = [says(id, "Write it all."), packed(id)].reduce(playOn, before);
  const cut = (tokens: number): Stimulus =>
    completes(`${id}.s1`, textAnswer("It begins", { reason: "length", usage: { ...testUsage, inputTokens: tokens } }));
  expect(playOn(asked, cut(100_000)).journal.at(-1)).toMatchObject({ outcome: "limit-reached" });
  const full = playOn(asked, cut(190_000));
  expect(full.last.records).toContainEqual(expect.objectContaining({ type: "compaction-started", reason: "overflow" }));
  const compaction = full.last.effects.find((effect) => effect.type === "call-model")?.stepId ?? "none";
  const continued = [completes(compaction, textAnswer("Six files were seen.")), packed(id)].reduce(playOn, full);
  expect(continued.last.records).toContainEqual(expect.objectContaining({ type: "step-started", stepId: `${id}.s2` }));
  const whole = playOn(continued, completes(`${id}.s2`, textAnswer(" and ends.")));
  expect(whole.state.lastOutcome).toBe("done");
  expect(invariants(whole)).toEqual([]);
});

test("where even a shorter conversation is too long, the turn ends with the vendor's words, and the next one can be begun", () => {
  const tiny: Vendor = { ...plain, windowTokens: 8000 };
  const { played } = converse(begin(config(200_000)), [{ words: "x".repeat(40_000), results: [] }], tiny);
  expect(played.journal.at(-1)).toMatchObject({
    type: "turn-ended",
    outcome: "provider-failed",
    failure: { code: "provider.context" },
  });
  const next = converse(played, [{ words: "short", results: [] }], tiny);
  expect(next.played.state.lastOutcome).toBe("done");
});

test.each(["refuses", "is-cut"] as const)(
  "a model that %s the summary loses nothing: rules make one, and say so",
  (summary) => {
    const { played, sent } = converse(begin(config(32_000)), many(30, 6000), { ...plain, summary });
    expect(played.journal).toContainEqual(expect.objectContaining({ type: "summary-made", by: "rules" }));
    expect(played.journal).toContainEqual(expect.objectContaining({ type: "notice", code: "context.trimmed" }));
    expect(played.state.lastOutcome).toBe("done");
    expect(textOf(lastOf(sent))).toContain(rule);
  },
);

test("without summaries by a model none is asked for: rules make one at once", () => {
  const rules: SessionConfig = { ...config(32_000), compactor: "rules" };
  const { played, sent } = converse(begin(rules), many(30, 6000), plain);
  expect(sent.filter(({ stepId }) => /\.c\d+$/.test(stepId))).toEqual([]);
  expect(sent.every(({ isTaken }) => isTaken)).toBe(true);
  expect(textOf(lastOf(sent))).toContain(rule);
  expect(played.state.lastOutcome).toBe("done");
  expect(invariants(played)).toEqual([]);
});

test.each(["rules", "simple", "token_budget", "intelligent", "distill", "of-a-program"])(
  "the compactor %s keeps what binds and the request, is named by what it made, and what it made is undone",
  (compactor) => {
    // Results that are cut make much room alone; of a conversation of many small messages a vendor counts more than is guessed.
    const turns = many(compactor === "token_budget" ? 40 : 16, 4000);
    const small = { ...plain, windowTokens: 16_000 };
    const { played, sent } = converse(begin({ ...config(16_000), compactor }), turns, small);
    expect(sent.filter(({ isTaken }) => !isTaken).length).toBeLessThanOrEqual(1);
    expect(textOf(lastOf(sent))).toContain(rule);
    expect(invariants(played)).toEqual([]);
    const made = played.journal.filter(({ type }) => type === "compaction-completed" || type === "summary-made");
    expect(made.length).toBeGreaterThan(0);
    expect(made.every((record) => "compactor" in record && record.compactor === compactor)).toBe(true);
    const larger = playOn(played, submit({ type: "configure", config: { model: config(1_000_000).model } }));
    const more = converse(larger, [{ words: "And now?", results: [] }], { ...plain, windowTokens: 1_000_000 });
    expect(textOf(lastOf(more.sent))).toContain("Now file number 3.");
  },
);

test.each([{}, { block: "not now" }])(
  "a compactor that is rules alone waits for PreCompact hooks, which know its name, and does as %j says",
  (answer) => {
    const hook = { id: "h1", name: "watch", by: "user", event: "PreCompact", matcher: "*" } as const;
    const begun = begin({ ...config(32_000), compactor: "simple", hooks: [hook] });
    const { played } = converse(begun, many(2, 6000), plain);
    const asked = playOn(played, submit({ type: "compact" }));
    expect(asked.last.effects).toMatchObject([
      { type: "run-hooks", event: "PreCompact", facts: { compactor: "simple" } },
    ]);
    expect(asked.last.records.map(({ type }) => type)).toEqual(["compaction-started", "hook-started"]);
    const [run] = asked.last.effects;
    const runId = run?.type === "run-hooks" ? run.runId : "";
    const answered = playOn(asked, { type: "hooks-ended", runId, outcomes: [], answer });
    const made = answered.last.records.find(
      ({ type }) => type === "compaction-completed" || type === "compaction-failed",
    );
    expect(JSON.stringify(made)).toContain(
      "block" in answer ? "a PreCompact hook refused" : "earlier messages are not shown",
    );
  },
);

test("token_budget cuts long results before it leaves anything out", () => {
  const turns = many(6, 20_000);
  const first = (compactor: string): string | undefined =>
    converse(begin({ ...config(32_000), compactor }), turns, plain).played.journal.find(
      ({ type }) => type === "results-shortened" || type === "compaction-completed",
    )?.type;
  expect([first("token_budget"), first("rules")]).toEqual(["results-shortened", "compaction-completed"]);
});

test("distill asks for one document in place of nearly all messages, and has ten minutes for it", () => {
  const { played } = converse(begin({ ...config(16_000), compactor: "distill" }), many(16, 4000), {
    ...plain,
    windowTokens: 16_000,
  });
  const calls = played.effects.flatMap((effect) =>
    effect.type === "call-model" && effect.limitMs !== undefined ? [effect] : [],
  );
  expect(calls.length).toBeGreaterThan(0);
  expect(calls[0]?.limitMs).toBe(600_000);
  expect(JSON.stringify(calls[0]?.request.messages.at(-1))).toContain("Open questions");
});

test("the newest results alone are too long: their beginnings and ends are shown", () => {
  const { played, sent } = converse(begin(config(16_000)), [{ words: "Look.", results: [90_000] }], {
    ...plain,
    windowTokens: 16_000,
  });
  expect(played.journal).toContainEqual(expect.objectContaining({ type: "results-shortened" }));
  expect(played.state.lastOutcome).toBe("done");
  expect(sent.every(({ isTaken }) => isTaken)).toBe(true);
  expect(textOf(lastOf(sent))).toContain("characters of this are not shown");
});

test("results that are shown cut say where the whole of them is, and a restart in between loses no file", () => {
  const asked = converse(begin(config(16_000)), [{ words: "Look.", results: [90_000] }], {
    ...plain,
    windowTokens: 16_000,
  }).played;
  const cut = asked.moves.findIndex(({ records }) => records.some(({ type }) => type === "results-shortened"));
  const { state, effects } = asked.moves[cut] ?? asked.moves[0] ?? { state: asked.state, effects: [] };
  expect(effects).toEqual([{ type: "pack-context", turnId: "t1" }]);
  const [first, ...others] = resultsToKeep(state);
  expect(others).toEqual([]);
  const kept = [{ callId: first?.callId ?? toToolCallId("none"), path: "/kept/result.txt" }];
  const before: Played = { ...asked, state, journal: [], moves: [], effects: [] };
  for (const played of [before, playOn(before, restarts)]) {
    const sent = playOn(played, { type: "context-packed", turnId: toTurnId("t1"), parts: [], kept });
    expect(sent.last.records[0]).toEqual({ type: "results-kept", files: kept });
    const asks = sent.last.effects.find(({ type }) => type === "call-model");
    expect(JSON.stringify(asks)).toContain("All of it is in /kept/result.txt: read it in parts");
    expect(resultsToKeep(sent.state)).toEqual([]);
  }
});

function switched(played: Played, windowTokens: number): Played {
  return playOn(played, submit({ type: "configure", config: { model: config(windowTokens).model } }));
}

test("a larger window brings the originals back, and a smaller one the summary that was made before", () => {
  const before = converse(begin(config(32_000)), many(20, 6000), plain).played;
  const large = converse(switched(before, 1_000_000), many(1, 100), { ...plain, windowTokens: 1_000_000 });
  expect(large.played.journal).toContainEqual(
    expect.objectContaining({ type: "compaction-selected", stepId: null, reason: "larger-window" }),
  );
  expect(textOf(lastOf(large.sent))).toContain("Now file number 1.");
  const small = converse(switched(large.played, 32_000), many(1, 100), plain);
  expect(small.played.journal).toContainEqual(
    expect.objectContaining({ type: "compaction-selected", reason: "smaller-window" }),
  );
  expect(small.sent.every(({ isTaken }) => isTaken)).toBe(true);
});

slowTest(
  "a conversation of many windows takes one model call to fit: what is older than it can read is left out by rules",
  () => {
    const long = converse(begin(config(1_000_000)), many(120, 6000), { ...plain, windowTokens: 1_000_000 }).played;
    const { played, sent } = converse(switched(long, 32_000), many(1, 100), plain);
    expect(sent.filter(({ stepId }) => /\.c\d+$/.test(stepId)).map(({ isTaken }) => isTaken)).toEqual([true]);
    expect(played.state.summaries.map(({ text }) => text.includes("no model summarised them"))).toEqual([true, false]);
    expect([played.state.lastOutcome, sent.every(({ isTaken }) => isTaken)]).toEqual(["done", true]);
    expect(textOf(lastOf(sent))).toContain(firstRequest);
    expect(textOf(lastOf(sent))).toContain(rule);
  },
);

test("for any session, window and vendor: no request is empty or parts a pair, and no turn fails that could be shortened", () => {
  const turn = fc.record({
    words: fc.string({ minLength: 1, maxLength: 60 }).map((text) => `Please ${text}`),
    results: fc.array(fc.integer({ min: 0, max: 12_000 }), { maxLength: 6 }),
    killed: fc.boolean(),
  });
  const vendor = fc.record({
    windowTokens: fc.constantFrom(16_000, 32_000, 128_000, 1_000_000),
    charactersPerToken: fc.double({ min: 2, max: 5, noNaN: true }),
    summary: fc.constantFrom("writes" as const, "refuses" as const, "is-cut" as const),
  });
  fc.assert(
    fc.property(fc.array(turn, { minLength: 1, maxLength: 12 }), vendor, (turns, asked) => {
      const { played, sent } = converse(begin(config(asked.windowTokens)), turns, asked);
      expect(invariants(played)).toEqual([]);
      for (const { request } of sent) expect(problems(request.messages)).toEqual([]);
      expect(played.state.operation.type).toBe("idle");
      expect(problems(conversation(played.state))).toEqual([]);
    }),
    { numRuns: runs(60) },
  );
});

/** The model's whole request is worked out now and then: it is the slow part. */
function invariants({ journal }: Played): readonly string[] {
  return checkInvariants(journal, evolve, (at) => at % 40 === 0).map((problem) => problem.slice(0, 300));
}
