import type { SessionState, Stimulus } from "@capstan/engine";
import { conversation, evolve } from "@capstan/engine";
import type { Message, ModelRequest, SessionConfig } from "@capstan/protocol";
import {
  action,
  begin,
  call,
  callAnswer,
  checkInvariants,
  completes,
  ends,
  fails,
  packed,
  type Played,
  playOn,
  prepared,
  restarts,
  says,
  sessionConfig,
  submit,
  testUsage,
  textAnswer,
} from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";

/** A vendor that counts otherwise than anybody guesses, and refuses what is too long. */
interface Vendor {
  readonly windowTokens: number;
  readonly charactersPerToken: number;
  /** What it does when it is asked for a summary. */
  readonly summary: "writes" | "refuses" | "is-cut";
}

interface Turn {
  readonly words: string;
  /** The lengths of what the tool says, a call and a round each. */
  readonly results: readonly number[];
  /** The process dies once while this turn's summary, or answer, is made. */
  readonly killed?: boolean;
}

const firstRequest = "Please port the harbour module to the new tide tables.";
const rule = "You must never rename a public function of the harbour module.";

/** Plays whole turns against a vendor; every request that was sent is kept, with whether it was taken. */
function converse(played: Played, turns: readonly Turn[], vendor: Vendor): { played: Played; sent: readonly Sent[] } {
  const sent: Sent[] = [];
  let now = played;
  for (const turn of turns) {
    const id = `t${now.state.turnIds.length + 1}`;
    now = playOn(now, says(id, turn.words));
    let round = 0;
    let mayDie = turn.killed === true;
    for (let moves = 0; now.state.operation.type !== "idle"; moves += 1) {
      expect(moves).toBeLessThan(1000);
      if (mayDie && (now.state.operation.type === "compacting" || moves > 3)) {
        mayDie = false;
        now = playOn(now, restarts);
        continue;
      }
      const asked = now.last.effects.find((effect) => effect.type === "call-model");
      const answer: Stimulus | null =
        asked?.type === "call-model"
          ? reply(asked, turn, round, { vendor, sent })
          : withoutModel(now.state, id, turn, round);
      if (answer === null) break;
      if (asked?.type === "call-model" && answer.type === "model-finished" && answer.finish.reason === "tool-calls")
        round += 1;
      now = playOn(now, answer);
    }
  }
  return { played: now, sent };
}

interface Sent {
  readonly stepId: string;
  readonly request: ModelRequest;
  readonly tokens: number;
  readonly isTaken: boolean;
}

function reply(
  asked: { readonly stepId: string; readonly attempt: number; readonly request: ModelRequest },
  turn: Turn,
  round: number,
  { vendor, sent }: { readonly vendor: Vendor; readonly sent: Sent[] },
): Stimulus {
  const { stepId, attempt, request } = asked;
  const text = JSON.stringify([request.system, request.tools, request.messages]);
  const tokens = Math.ceil(text.length / vendor.charactersPerToken);
  const isTaken = tokens + request.maxOutputTokens <= vendor.windowTokens;
  sent.push({ stepId, request, tokens, isTaken });
  if (!isTaken) {
    const message = `prompt is too long: ${tokens} tokens > ${vendor.windowTokens} maximum`;
    return fails(stepId, { code: "provider.context", message, retryable: false }, attempt);
  }
  const usage = { ...testUsage, inputTokens: tokens, outputTokens: 20 };
  if (/\.c\d+$/.test(stepId)) {
    if (vendor.summary === "refuses") return fails(stepId, { retryable: false }, attempt);
    if (vendor.summary === "is-cut")
      return completes(stepId, textAnswer("half a", { usage, reason: "length" }), attempt);
    return completes(stepId, textAnswer("Work was done on many files.", { usage }), attempt);
  }
  if (round >= turn.results.length) return completes(stepId, textAnswer(`Done with ${stepId}.`, { usage }), attempt);
  return completes(stepId, callAnswer([call(`${stepId}c`, "look", { path: `${stepId}.txt` })], { usage }), attempt);
}

/** What the tools and the workspace give back. */
function withoutModel(state: SessionState, id: string, turn: Turn, round: number): Stimulus | null {
  const { operation } = state;
  if (operation.type === "preparing") return packed(id, { instructions: "AGENTS.md says: spaces, no tabs." });
  if (operation.type !== "tool-loop") return null;
  const pending = operation.batch.calls[0];
  if (pending === undefined) return null;
  const { callId } = pending.call;
  if (pending.type === "new") return prepared(operation.batch.stepId, { [callId]: action("look", { path: callId }) });
  const content = `${callId} `.repeat(1 + Math.floor((turn.results[round - 1] ?? 0) / (callId.length + 1)));
  return ends(callId, { outcome: { type: "done", content } });
}

function config(windowTokens: number): SessionConfig {
  const { model, ...rest } = sessionConfig();
  return sessionConfig({
    ...rest,
    model: {
      ...model,
      contextWindowTokens: windowTokens,
      maxOutputTokens: Math.min(4096, Math.floor(windowTokens / 4)),
    },
  });
}

function lastOf(sent: readonly Sent[]): ModelRequest {
  const last = sent.at(-1);
  if (last === undefined) throw new Error("nothing was sent");
  return last.request;
}

function textOf(request: ModelRequest): string {
  return JSON.stringify(request.messages);
}

const many = (count: number, size: number): readonly Turn[] =>
  Array.from({ length: count }, (_, index) => ({
    words: index === 0 ? firstRequest : index === 2 ? rule : `Now file number ${index}.`,
    results: [size, size],
  }));

const plain: Vendor = { windowTokens: 32_000, charactersPerToken: 3.3, summary: "writes" };

test("a long session stays inside the window, and keeps the first request and a rule word for word", () => {
  const { played, sent } = converse(begin(config(32_000)), many(40, 6000), plain);
  const answers = sent.filter(({ stepId }) => !/\.c\d+$/.test(stepId));
  expect(sent.every(({ isTaken }) => isTaken)).toBe(true);
  expect(textOf(lastOf(answers))).toContain(firstRequest);
  expect(textOf(lastOf(answers))).toContain(rule);
  expect(textOf(lastOf(answers))).toContain("Now file number 39.");
  expect(played.journal.filter(({ type }) => type === "compaction-completed").length).toBeGreaterThan(2);
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
    expect(played.journal).toContainEqual(expect.objectContaining({ type: "compaction-completed", by: "rules" }));
    expect(played.journal).toContainEqual(expect.objectContaining({ type: "notice", code: "context.trimmed" }));
    expect(played.state.lastOutcome).toBe("done");
    expect(textOf(lastOf(sent))).toContain(rule);
  },
);

test("without summaries by a model none is asked for: rules make one at once", () => {
  const rules: SessionConfig = { ...config(32_000), summaries: "rules" };
  const { played, sent } = converse(begin(rules), many(30, 6000), plain);
  expect(sent.filter(({ stepId }) => /\.c\d+$/.test(stepId))).toEqual([]);
  expect(sent.every(({ isTaken }) => isTaken)).toBe(true);
  expect(textOf(lastOf(sent))).toContain(rule);
  expect(played.state.lastOutcome).toBe("done");
  expect(invariants(played)).toEqual([]);
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

test("a larger window brings the originals back, and a smaller one the summary that was made before", () => {
  const before = converse(begin(config(32_000)), many(20, 6000), plain).played;
  const switched = (played: Played, windowTokens: number): Played =>
    playOn(played, submit({ type: "configure", config: { model: config(windowTokens).model } }));
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
    { numRuns: 60 },
  );
});

/** The model's whole request is worked out now and then: it is the slow part. */
function invariants({ journal }: Played): readonly string[] {
  return checkInvariants(journal, evolve, (at) => at % 40 === 0).map((problem) => problem.slice(0, 300));
}

/** What a vendor refuses whatever its window is. */
function problems(messages: readonly Message[]): readonly string[] {
  const found: string[] = messages.length === 0 || messages[0]?.role !== "user" ? ["does not begin with the user"] : [];
  for (const [index, message] of messages.entries()) {
    if (message.content.length === 0) found.push(`message ${index} is empty`);
    const calls = message.content.flatMap((block) => (block.type === "tool-call" ? [block.callId] : []));
    const next =
      messages[index + 1]?.content.flatMap((block) => (block.type === "tool-result" ? [block.callId] : [])) ?? [];
    if (calls.length > 0 && calls.join() !== next.slice(0, calls.length).join())
      found.push(`call ${index} has no result`);
  }
  return found;
}
