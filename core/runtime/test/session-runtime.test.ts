import type { SessionEvent } from "@capstan/protocol";
import { AppError, userText } from "@capstan/protocol";
import {
  aborted,
  allowing,
  call,
  callAnswer,
  checkInvariants,
  nextRecord,
  opening,
  providerFailure,
  scriptedTools,
  sessionConfig,
  spoken,
  testUsage,
  textAnswer,
} from "@capstan/testkit";
import { createMemoryStore } from "@capstan/storage";
import { expect, test } from "vitest";
import { journalOf, openSession, say, sessionId } from "./open-session.ts";

const free = sessionConfig({ policy: { rules: [allowing("act"), allowing("change")] } });

test("a turn runs to its end, and the journal holds it in order", async () => {
  const { session, store } = await openSession({
    facts: [{ name: "date", text: "Monday" }],
    script: [
      { type: "answer", finish: callAnswer([call("a", "look", { path: "x" })]) },
      { type: "answer", finish: textAnswer("done") },
    ],
  });
  const ended = nextRecord(session, "turn-ended");
  await say(session, "t1");
  expect(await ended).toEqual({ type: "turn-ended", turnId: "t1", outcome: "done", rolledBack: false });
  const journal = await journalOf(store);
  expect(journal.map((record) => record.type)).toEqual([
    "session-started",
    "session-configured",
    "turn-started",
    "context-packed",
    "step-started",
    "step-completed",
    "tool-decided",
    "tool-started",
    "tool-finished",
    "step-started",
    "step-completed",
    "turn-ended",
  ]);
  expect(checkInvariants(journal)).toEqual([]);
  await session.close();
});

test("nobody sees an event that the store does not hold", async () => {
  const { session, store } = await openSession({ script: [spoken(["Hel", "lo"], textAnswer("Hello"))] });
  const held: Promise<boolean>[] = [];
  session.subscribe((event) => {
    held.push(store.read(sessionId, event.seq - 1).then((events) => events.some(({ seq }) => seq >= event.seq)));
  });
  const ended = nextRecord(session, "turn-ended");
  await say(session, "t1");
  await ended;
  expect(await Promise.all(held)).toEqual(held.map(() => true));
  expect(held.length).toBeGreaterThan(5);
});

test("events come in order and without a hole, and with a snapshot nothing is missed or seen twice", async () => {
  const { session } = await openSession({
    script: [spoken(["a", "b"], textAnswer("ab")), spoken(["c"], textAnswer("c"))],
  });
  const all: SessionEvent[] = [];
  session.subscribe((event) => all.push(event));
  const first = nextRecord(session, "turn-ended");
  await say(session, "t1");
  await first;
  const { seq } = session.snapshot();
  const later: SessionEvent[] = [];
  session.subscribe((event) => later.push(event));
  const second = nextRecord(session, "turn-ended");
  await say(session, "t2");
  await second;
  expect(all.map((event) => event.seq)).toEqual(all.map((_, index) => index + 1));
  expect(later).toEqual(all.filter((event) => event.seq > seq));
});

test("a session in which nothing was said leaves nothing behind", async () => {
  const { session, store } = await openSession();
  await session.close();
  expect(await store.list()).toEqual([]);
});

test("a submission resolves when its records are durable", async () => {
  const { session, store } = await openSession({ script: [{ type: "hang" }] });
  await say(session, "t1");
  expect((await journalOf(store)).map((record) => record.type)).toContain("turn-started");
  await session.close();
});

test("pieces that arrive together are journaled together, and the whole equals the answer", async () => {
  const pieces = Array.from({ length: 200 }, (_, index) => `${index} `);
  const { session } = await openSession({ script: [spoken(pieces, textAnswer(pieces.join("")))] });
  const deltas: string[] = [];
  session.subscribe(({ record }) => {
    if (record.type === "text-delta") deltas.push(record.delta);
  });
  const ended = nextRecord(session, "turn-ended");
  await say(session, "t1");
  await ended;
  expect(deltas).toEqual(["0 ", pieces.slice(1).join("")]);
});

test("a listener that throws harms neither the session nor the other listeners", async () => {
  const { session, reports } = await openSession({ script: [{ type: "answer", finish: textAnswer("hi") }] });
  const broken = new Error("no screen");
  session.subscribe(() => {
    throw broken;
  });
  const ended = nextRecord(session, "turn-ended");
  await say(session, "t1");
  expect((await ended).outcome).toBe("done");
  expect(new Set(reports)).toEqual(new Set([broken]));
});

test("a failed call is made again when its delay has passed", async () => {
  const { session, clock, provider } = await openSession({
    script: [
      { type: "fail", failure: providerFailure() },
      { type: "answer", finish: textAnswer("hi") },
    ],
  });
  const retrying = nextRecord(session, "step-retrying");
  const ended = nextRecord(session, "turn-ended");
  await say(session, "t1");
  await retrying;
  // A submission that changes nothing comes back when everything before it is done, the timer's start included.
  await session.submit({ type: "compact" });
  clock.advance(999);
  expect(provider.requests).toHaveLength(1);
  clock.advance(1);
  expect((await ended).outcome).toBe("done");
  expect(provider.requests[1]).toEqual(provider.requests[0]);
});

test("a stream that ends without a finish is a failure, not an answer", async () => {
  const script = [{ type: "cut", pieces: [[{ type: "text-delta", delta: "So" }]] } as const];
  const { session } = await openSession({ script, config: sessionConfig({ retry: { maxAttempts: 1 } }) });
  const ended = nextRecord(session, "turn-ended");
  await say(session, "t1");
  expect(await ended).toMatchObject({
    outcome: "provider-failed",
    failure: { code: "provider.stream" },
    rolledBack: true,
  });
});

test("interrupted in mid-answer, the call is stopped, the words come back, and what was shown is in the store after a restart", async () => {
  const { session, provider, store } = await openSession({
    script: [{ type: "hang", pieces: [[{ type: "text-delta", delta: "So far" }]] }],
  });
  const received = nextRecord(session, "text-delta");
  const ended = nextRecord(session, "turn-ended");
  await say(session, "t1");
  await received;
  await session.submit({ type: "cancel", reason: "interrupted" });
  const draft = userText("words of t1");
  expect(await ended).toMatchObject({ outcome: "interrupted", rolledBack: true, draft });
  const again = await session.submit({ type: "cancel", reason: "interrupted" });
  expect(again).toMatchObject({ type: "refused", code: "input.no-turn" });
  await session.close();
  expect(provider.hanging).toBe(0);

  const resumed = await openSession({ store, script: [{ type: "answer", finish: textAnswer("done") }] });
  const done = nextRecord(resumed.session, "turn-ended");
  await say(resumed.session, "t2");
  await done;
  expect(resumed.provider.requests[0]?.messages).toEqual([{ role: "user", content: userText("words of t2") }]);
  const kept = (await journalOf(store)).filter((record) => record.type === "step-abandoned");
  expect(kept).toMatchObject([{ text: "So far" }]);
  await resumed.session.close();
});

test("cancelled while a tool runs, the tool is stopped and its call is stored as cancelled", async () => {
  let stopped = false;
  const tools = scriptedTools({
    act: {
      run: async (_action, { signal }) => {
        try {
          return await aborted(signal);
        } finally {
          stopped = true;
        }
      },
    },
  });
  const { session, store } = await openSession({
    tools,
    config: free,
    script: [{ type: "answer", finish: callAnswer([call("a", "act")]) }],
  });
  const started = nextRecord(session, "tool-started");
  const ended = nextRecord(session, "turn-ended");
  await say(session, "t1");
  await started;
  await session.submit({ type: "cancel", reason: "interrupted" });
  expect((await ended).outcome).toBe("interrupted");
  await session.close();
  expect(stopped).toBe(true);
  const journal = await journalOf(store);
  expect(journal.find((record) => record.type === "tool-finished")).toMatchObject({ outcome: { type: "cancelled" } });
  expect(checkInvariants(journal)).toEqual([]);
});

test("a tool that ends well after it was cancelled stays cancelled", async () => {
  const tools = scriptedTools({
    act: {
      run: async (_action, { signal }) => {
        await aborted(signal).catch(() => undefined);
        return { status: "ok", content: "I did it anyway" };
      },
    },
  });
  const { session, store } = await openSession({
    tools,
    config: free,
    script: [{ type: "answer", finish: callAnswer([call("a", "act")]) }],
  });
  const started = nextRecord(session, "tool-started");
  await say(session, "t1");
  await started;
  await session.submit({ type: "cancel", reason: "interrupted" });
  await session.close();
  expect((await journalOf(store)).filter((record) => record.type === "tool-finished")).toMatchObject([
    { outcome: { type: "cancelled" } },
  ]);
});

test("close stops the model, the timers and the tools, and leaves the work in flight in the journal", async () => {
  const { session, provider, clock, store } = await openSession({
    config: sessionConfig({ limits: { maxTurnDurationMs: 5000 } }),
    script: [{ type: "hang", pieces: [[{ type: "text-delta", delta: "So" }]] }],
  });
  const received = nextRecord(session, "text-delta");
  await say(session, "t1");
  await received;
  await session.close();
  expect(provider.hanging).toBe(0);
  expect(clock.waitingMs).toEqual([]);
  expect((await journalOf(store)).at(-1)).toEqual({ type: "text-delta", stepId: "t1.s1", delta: "So" });
});

test("the turn's time limit stops it", async () => {
  const { session, clock } = await openSession({
    config: sessionConfig({ limits: { maxTurnDurationMs: 5000 } }),
    script: [{ type: "hang", pieces: [[{ type: "text-delta", delta: "So" }]] }],
  });
  const received = nextRecord(session, "text-delta");
  const ended = nextRecord(session, "turn-ended");
  await say(session, "t1");
  await received;
  clock.advance(5000);
  expect((await ended).outcome).toBe("timeout");
  await session.close();
});

test("a session that is opened with another writer's journal fails as busy, and says so once", async () => {
  const store = createMemoryStore();
  const { session } = await openSession({ store });
  await store.append(sessionId, { after: 0, at: 0, records: opening(), flush: false });
  await expect(say(session, "t1")).rejects.toMatchObject({ code: "session.busy" });
  expect(await session.fault).toBeInstanceOf(AppError);
  await expect(say(session, "t2")).rejects.toMatchObject({ code: "session.busy" });
});

test("settings and requests go the same way as input", async () => {
  const { session } = await openSession();
  await session.submit({ type: "configure", config: sessionConfig({ mode: "plan" }) });
  expect(session.snapshot().config.mode).toBe("plan");
  const reported = nextRecord(session, "notice");
  await session.submit({ type: "compact" });
  expect((await reported).code).toBe("compaction.nothing");
});

test("a count of tokens that cannot be true is cut, and reported; a true one is left as it is", async () => {
  const wrong = { ...testUsage, inputTokens: 1e308, outputTokens: -5, reasoningTokens: Number.NaN };
  const { session, store } = await openSession({
    script: [
      { type: "answer", finish: { ...textAnswer("one"), usage: wrong } },
      { type: "answer", finish: { ...textAnswer("two"), usage: testUsage } },
    ],
  });
  for (const turn of ["t1", "t2"]) {
    const ended = nextRecord(session, "turn-ended");
    await say(session, turn);
    await ended;
  }
  await session.close();
  const journal = await journalOf(store);
  const usages = journal.flatMap((record) => (record.type === "step-completed" ? [record.usage] : []));
  expect(usages).toEqual([
    { ...testUsage, inputTokens: 20_000_000, outputTokens: 0, reasoningTokens: 20_000_000 },
    testUsage,
  ]);
  const notices = journal.flatMap((record) => (record.type === "notice" ? [[record.code, record.text]] : []));
  expect(notices).toEqual([
    ["provider.usage", expect.stringContaining("counts inputTokens as 1e+308, which cannot be")],
  ]);
});
