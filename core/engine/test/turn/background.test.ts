import type { Stimulus } from "@capstan/engine";
import { conversation } from "@capstan/session";
import type { JournalRecord, SessionConfig } from "@capstan/protocol";
import {
  begin,
  cancels,
  checkInvariants,
  completes,
  type ConfigOverrides,
  fails,
  fires,
  packed,
  type Played,
  playOn,
  restarts,
  says,
  sessionConfig,
  submit,
  testUsage,
  textAnswer,
} from "@capstan/testkit";
import { expect, test } from "vitest";
import { config } from "./sized-vendor.ts";

/** A request to it may have 26,508 tokens; a summary is made beside the turn from 21,206 on. */
const windowTokens = 32_000;
const made = "session.c1";

test("from 80 % of the budget on one summary is made beside the turn, which does not wait for it", () => {
  expect(typesOf(asked(21_000).last.records)).toEqual(["context-packed", "step-started"]);
  const played = asked(22_000);
  expect(typesOf(played.last.records)).toEqual(["context-packed", "summary-started", "step-started"]);
  expect(callsOf(played)).toEqual([made, "t5.s1"]);
  const answered = playOn(played, completes("t5.s1", textAnswer("five", { usage: counted(22_500) })));
  expect(answered.state.lastOutcome).toBe("done");
  expect(answered.state.background?.stepId).toBe(made);
  const next = [says("t6"), packed("t6")].reduce(playOn, answered);
  expect(typesOf(next.last.records)).toEqual(["step-started"]);
  expect(checkInvariants(next.journal)).toEqual([]);
});

test("the originals are shown as long as they have room, and the summary from the step on in which they have none", () => {
  const ready = [completes("t5.s1", textAnswer("five", { usage: counted(23_000) })), writes].reduce(
    playOn,
    asked(22_000),
  );
  expect(ready.state.background).toBeNull();
  expect(shown(ready)).toContain("words of t1");
  const next = [says("t6"), packed("t6"), completes("t6.s1", textAnswer("six", { usage: counted(27_000) }))];
  const full = [...next, says("t7"), packed("t7")].reduce(playOn, ready);
  expect(full.last.records).toContainEqual({ type: "compaction-selected", stepId: made, reason: "smaller-window" });
  expect(full.last.effects).toEqual([{ type: "pack-context", turnId: "t7" }]);
  const sent = playOn(full, packed("t7"));
  expect(callsOf(sent)).toEqual(["t7.s1"]);
  expect(shown(sent)).toContain("What was said at first.");
  expect(shown(sent)).not.toContain("answer of t1");
  expect(checkInvariants(sent.journal)).toEqual([]);
});

test("a request that does not fit waits for the summary that is being made, and no other is asked for", () => {
  const waiting = waitingTurn();
  expect(waiting.last.records).toContainEqual(
    expect.objectContaining({ type: "compaction-started", stepId: made, attempt: 1, turnId: "t6" }),
  );
  expect(callsOf(waiting)).toEqual([]);
  const sent = [writes, packed("t6")].reduce(playOn, waiting);
  expect(callsOf(sent)).toEqual(["t6.s1"]);
  expect(shown(sent)).toContain("What was said at first.");
  expect(checkInvariants(sent.journal)).toEqual([]);
});

test("whoever cancels the turn that waits cancels the summary with it", () => {
  const stopped = playOn(waitingTurn(), cancels());
  expect(stopped.last.effects).toContainEqual({ type: "stop-model", stepId: made });
  expect([stopped.state.operation.type, stopped.state.background]).toEqual(["idle", null]);
  expect(playOn(stopped, writes).last.records).toEqual([]);
});

test("a rewind that takes back what is being summarised stops it, and one that does not leaves it", () => {
  const idle = playOn(asked(22_000), completes("t5.s1", textAnswer("five", { usage: counted(22_500) })));
  const rewind = (keepTurns: number): Played =>
    playOn(idle, submit({ type: "rewind", keepTurns, conversation: true, files: false, submissionId: "r" }));
  const { messageCount = 0 } = idle.state.background ?? {};
  expect(messageCount).toBe(4);
  expect(rewind(2).state.background?.stepId).toBe(made);
  const touched = rewind(1);
  expect(touched.state.background).toBeNull();
  expect(touched.last.effects).toContainEqual({ type: "stop-model", stepId: made });
  expect(playOn(touched, writes).last.records).toEqual([]);
  expect(checkInvariants(touched.journal)).toEqual([]);
});

test("what it costs counts against the turn's budgets, and what it may cost is set aside", () => {
  const limits = { maxCostUsd: 2 };
  const played = asked(22_000, { limits });
  const started = played.last.records.find(({ type }) => type === "summary-started");
  expect(started).toMatchObject({ mayCostUsd: expect.any(Number) });
  const paid = playOn(played, writes);
  const turn = "turn" in paid.state.operation ? paid.state.operation.turn : null;
  expect(turn).toMatchObject({ tokens: 1100, costUsd: 0.0045 });
  // A quarter of this is less than it may cost: the turn's own calls go first.
  const poor = asked(22_000, { limits: { maxCostUsd: 0.2 } });
  expect(callsOf(poor)).toEqual(["t5.s1"]);
});

test("it is tried five times, 500 ms and then twice as long each time, and made by rules then, with a notice", () => {
  let played = asked(22_000, { retry: { maxAttempts: 9, jitter: 0 } });
  const delays: number[] = [];
  for (let attempt = 1; attempt < 5; attempt += 1) {
    played = playOn(played, fails(made, { retryable: true }, attempt));
    delays.push(...played.last.effects.flatMap((effect) => (effect.type === "start-timer" ? [effect.delayMs] : [])));
    played = playOn(played, fires(`${made}.retry${attempt}`));
    expect(played.last.effects).toEqual([expect.objectContaining({ type: "call-model", limitMs: 60_000 })]);
  }
  expect(delays).toEqual([500, 1000, 2000, 4000]);
  const last = playOn(played, fails(made, { retryable: true }, 5));
  expect(last.last.records).toEqual([
    expect.objectContaining({ type: "summary-made", by: "rules" }),
    expect.objectContaining({ type: "notice", code: "context.trimmed" }),
  ]);
  expect(checkInvariants(last.journal)).toEqual([]);
});

test("a summary that saves nothing is not shown, and the same is not asked for again", () => {
  const long = completes(made, textAnswer("and so on ".repeat(40_000), { usage: testUsage }));
  const dropped = playOn(asked(22_000), long);
  expect(dropped.last.records).toEqual([expect.objectContaining({ type: "summary-dropped", usage: testUsage })]);
  const next = [completes("t5.s1", textAnswer("five", { usage: counted(22_500) })), says("t6"), packed("t6")];
  expect(callsOf(next.reduce(playOn, dropped))).toEqual(["t6.s1"]);
});

test("after a restart it is asked for once more, as the same summary, also where no turn is under way", () => {
  const idle = playOn(asked(22_000), completes("t5.s1", textAnswer("five", { usage: counted(22_500) })));
  for (const before of [asked(22_000), idle]) {
    const again = playOn(before, restarts);
    expect(again.last.records).toContainEqual(
      expect.objectContaining({ type: "summary-started", stepId: made, attempt: 2 }),
    );
    expect(callsOf(again).filter((id) => id === made)).toEqual([made]);
    // What the dead process was answered is nobody's.
    expect(playOn(again, writes).last.records).toEqual([]);
    const whole = playOn(again, completes(made, textAnswer("What was said at first."), 2));
    expect(whole.state.summaries).toHaveLength(1);
    expect(checkInvariants(whole.journal)).toEqual([]);
  }
});

test("a cheaper model of the provider writes it where one is set, at its own price", () => {
  const { model } = config(windowTokens);
  const prices = { input: 1, output: 1 };
  const played = asked(22_000, { model: { ...model, summarizer: { ...model, id: "small", prices } } });
  const call = played.last.effects.find((effect) => effect.type === "call-model");
  expect(call).toMatchObject({ stepId: made, model: { id: "small" } });
  expect(playOn(played, writes).last.records).toEqual([
    expect.objectContaining({ type: "summary-made", costUsd: 0.0011 }),
  ]);
});

const writes: Stimulus = completes(made, textAnswer("What was said at first."));

/** About 5,000 tokens. */
const filler = "and so ".repeat(2700);

function counted(inputTokens: number): typeof testUsage {
  return { ...testUsage, inputTokens, outputTokens: 0 };
}

/** Four turns were held, after which the vendor counted so many tokens; the fifth has just asked its model. */
function asked(tokens: number, overrides: ConfigOverrides = {}): Played {
  const settings: SessionConfig = sessionConfig({ model: config(windowTokens).model, ...overrides });
  const turns = ["t1", "t2", "t3", "t4"].flatMap((id, index) => [
    says(id),
    packed(id),
    completes(
      `${id}.s1`,
      textAnswer(`answer of ${id}: ${filler}`, { usage: counted(id === "t4" ? tokens : 250 + 5100 * index) }),
    ),
  ]);
  return [...turns, says("t5"), packed("t5", { date: "today" })].reduce(playOn, begin(settings));
}

/** The sixth turn does not fit while the summary is being made. */
function waitingTurn(): Played {
  const full = completes("t5.s1", textAnswer("five", { usage: counted(27_000) }));
  return [full, says("t6"), packed("t6")].reduce(playOn, asked(22_000));
}

function typesOf(records: readonly JournalRecord[]): readonly string[] {
  return records.map(({ type }) => type);
}

function callsOf({ last }: Played): readonly string[] {
  return last.effects.flatMap((effect) => (effect.type === "call-model" ? [effect.stepId] : []));
}

function shown({ state }: Played): string {
  return JSON.stringify(conversation(state));
}
