import { expect, test } from "vitest";
import { Engine, type Interaction, type JournalRecord } from "../src/index.ts";
import { bell, deferred, newPlace, rehearse, ringing } from "./library-place.ts";

test("a program's tool runs when the callback approves it, and the turn's events and result agree", async () => {
  const { tool, rung } = bell();
  const asked: Interaction[] = [];
  const engine = newPlace().engine(await rehearse(ringing), {
    tools: [tool],
    onApproval: (interaction) => {
      asked.push(interaction);
      return { type: "approve", digest: interaction.digest };
    },
  });
  const session = await engine.open();
  const turn = session.send("Ring twice.");
  const records: JournalRecord[] = [];
  for await (const { record } of turn) records.push(record);
  expect(await turn.result()).toEqual({ type: "ended", outcome: "done", text: "It rang twice." });
  expect(records.at(0)).toMatchObject({ type: "turn-started", turnId: turn.id });
  expect(records.at(-1)).toMatchObject({ type: "turn-ended", turnId: turn.id, outcome: "done" });
  expect(records).toContainEqual(expect.objectContaining({ type: "text-delta" }));
  expect(asked.map(({ request }) => request.type)).toEqual(["approval"]);
  expect(rung).toEqual([2]);
});

test("without a callback what would be asked is denied", async () => {
  const { tool, rung } = bell();
  const engine = newPlace().engine(await rehearse(ringing), { tools: [tool] });
  const result = await (await engine.open()).send("Ring twice.").result();
  expect(result).toMatchObject({ type: "ended", text: "It rang twice." });
  expect(rung).toEqual([]);
});

test("initialize opens the engine once and reports what it found", async () => {
  const place = newPlace();
  const engine = place.engine(await rehearse([{ text: "Nobody asks." }]), {
    mode: "plan",
    set: { "limits.max_model_calls_per_turn": 7 },
  });
  const report = await engine.initialize();
  expect(report).toMatchObject({
    home: place.home,
    cwd: place.workspace,
    model: "anthropic/rehearsal",
    mode: "plan",
    warnings: [],
  });
  expect(await engine.initialize()).toBe(report);
  const snapshot = await (await engine.open()).client.snapshot();
  expect(snapshot.config).toMatchObject({ mode: "plan", limits: { maxModelCallsPerTurn: 7 } });
});

test("configuration that is wrong is refused by name, and nothing is made", async () => {
  const engine = newPlace().engine(await rehearse([{ text: "Nobody asks." }]), { set: { "limits.no_such_limit": 1 } });
  await expect(engine.initialize()).rejects.toThrow(/no_such_limit/);
  await expect(engine.open()).rejects.toThrow(/no_such_limit/);
});

test("an engine that was shut down, twice, opens nothing", async () => {
  const engine = newPlace().engine(await rehearse([{ text: "Nobody asks." }]));
  await engine.open();
  await Promise.all([engine.shutdown(), engine.shutdown()]);
  await engine.shutdown();
  await expect(engine.open()).rejects.toMatchObject({ code: "usage.invalid" });
  await expect(engine.initialize()).rejects.toMatchObject({ code: "usage.invalid" });
  await new Engine().shutdown();
});

test("a session that was closed is resumed by another engine of the same home", async () => {
  const place = newPlace();
  const model = await rehearse([{ text: "One." }, { text: "Two." }]);
  const first = place.engine(model);
  const session = await first.open();
  expect(await session.send("Count.").result()).toMatchObject({ outcome: "done", text: "One." });
  await first.shutdown();
  const second = place.engine(model);
  const resumed = await second.open({ type: "resume", id: session.id });
  expect(await resumed.send("Continue.").result()).toMatchObject({ outcome: "done", text: "Two." });
  const sessions = await (await second.client()).sessions.list();
  expect(sessions.map(({ id, turns }) => ({ id, turns }))).toEqual([{ id: session.id, turns: 2 }]);
});

test("two engines with different homes live in one process", async () => {
  const places = [newPlace(), newPlace()];
  const engines = await Promise.all(
    places.map(async (place, index) => {
      const { tool, rung } = bell();
      const engine = place.engine(await rehearse(ringing), {
        tools: [tool],
        user: `user-${index}`,
        onApproval: ({ digest }) => (index === 0 ? { type: "approve", digest } : { type: "deny" }),
      });
      return { engine, rung };
    }),
  );
  const results = await Promise.all(
    engines.map(async ({ engine }) => await (await engine.open()).send("Ring twice.").result()),
  );
  expect(results.map(({ type }) => type)).toEqual(["ended", "ended"]);
  expect(engines.map(({ rung }) => rung)).toEqual([[2], []]);
  for (const [index, { engine }] of engines.entries()) {
    const client = await engine.client();
    const [summary] = await client.sessions.list();
    expect(await client.sessions.list()).toHaveLength(1);
    const events = summary === undefined ? [] : await client.sessions.read(summary.id, 0);
    const started = events.find(({ record }) => record.type === "turn-started");
    expect(started?.record).toMatchObject({ origin: { user: `user-${index}` } });
  }
  await engines[0]?.engine.shutdown();
  await expect(engines[1]?.engine.open()).resolves.toBeDefined();
});

test("words that wait in the queue are a turn of their own, with its own events", async () => {
  const engine = newPlace().engine(await rehearse([{ text: "One." }, { text: "Two." }]));
  const session = await engine.open();
  const turns = [session.send("First."), session.send("Second.")];
  const results = await Promise.all(turns.map((turn) => turn.result()));
  expect(results.map((result) => (result.type === "ended" ? result.text : result.type))).toEqual(["One.", "Two."]);
});

test("words that are refused have no events, and the result says why", async () => {
  const engine = newPlace().engine(await rehearse([{ text: "Nobody asks." }]));
  const turn = (await engine.open()).send("");
  const events = [];
  for await (const event of turn) events.push(event);
  expect(events).toEqual([]);
  expect(await turn.result()).toMatchObject({ type: "refused", code: "input.empty" });
});

test("the result of a turn whose session is closed says so", async () => {
  const { tool } = bell();
  const asked = deferred<AbortSignal>();
  const engine = newPlace().engine(await rehearse(ringing), {
    tools: [tool],
    onApproval: (_, { signal }) => {
      asked.resolve(signal);
      return undefined;
    },
  });
  const session = await engine.open();
  const result = session.send("Ring twice.").result();
  const signal = await asked.promise;
  await session.close();
  await session.close();
  expect(await result).toMatchObject({ type: "closed" });
  expect(signal.aborted).toBe(true);
});
