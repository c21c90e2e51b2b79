import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type JournalRecord,
  type NoticeRecord,
  type SessionConfig,
  type SessionEvent,
  type SessionId,
  type SessionTarget,
  toSessionId,
  userText,
} from "@capstan/protocol";
import type { Chance, SessionStore } from "@capstan/ports";
import { createRedactor, ProviderHealth, type SessionRuntime } from "@capstan/runtime";
import { openSqliteStore } from "@capstan/storage";
import {
  allowing,
  call,
  callAnswer,
  FakeClock,
  noCheckpoints,
  tester,
  type ScriptedCall,
  scriptedProvider,
  scriptedTools,
  sequentialChance,
  sessionConfig,
  sha256,
  testWorkspace,
  textAnswer,
} from "@capstan/testkit";
import { expect, onTestFinished, test } from "vitest";
import { SessionArchive } from "../../src/session/session-archive.ts";
import { LocalEngine, type SessionParts } from "../../src/session/local-engine.ts";

interface World {
  readonly store: SessionStore;
  readonly archive: SessionArchive;
  /** A new engine on the same data, as a new process has it. */
  engine(
    script?: readonly ScriptedCall[],
    config?: SessionConfig,
    notices?: readonly Omit<NoticeRecord, "type">[],
  ): LocalEngine;
}

async function newWorld(): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), "capstan-engine-"));
  const store = await openSqliteStore({ path: join(folder, "capstan.db"), backupDirectory: folder });
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const chance: Chance = sequentialChance();
  const engine: World["engine"] = (script = [], config = sessionConfig(), notices = []) => {
    const provider = scriptedProvider(script);
    const clock = new FakeClock();
    const action: SessionParts["action"] = {
      tools: scriptedTools(),
      digest: sha256,
      checkpoints: noCheckpoints,
      model: {
        context: { collect: async () => [] },
        provider: async () => provider,
        health: new ProviderHealth(clock, { breakerFailures: 0, breakerMs: 0, maxLimitWaitMs: 0 }),
        callLimitMs: 600_000,
      },
    };
    const ofResumed = () => ({ config, lack: null });
    const modelNamed = () => config.model;
    const settings = { ofNew: () => config, ofResumed, patched: () => ({}), modelNamed, lack: () => null };
    const parts = { workspace: testWorkspace, settings, action, notices };
    return new LocalEngine({
      parts: async () => parts,
      version: "1.2.3",
      ports: { store, chance, clock, redact: createRedactor([]), report: () => undefined },
    });
  };
  return { store, archive: new SessionArchive(store), engine };
}

function answer(text: string): ScriptedCall {
  return { type: "answer", finish: textAnswer(text) };
}

/** Opens a session to work in. */
async function open(engine: LocalEngine, target: SessionTarget): Promise<SessionRuntime> {
  const identity = { ...tester, role: "operate" } as const;
  return (await engine.openSession(target, { identity, recover: true })).runtime;
}

/** One turn, to its end. */
async function take(engine: LocalEngine, session: SessionRuntime, words: string): Promise<void> {
  await session.submit({ type: "user-input", turnId: engine.newTurnId(), content: userText(words) });
  await ended(session);
}

/** The turn that is under way, or is over already, has ended. */
function ended(session: SessionRuntime): Promise<void> {
  return new Promise((resolve) => {
    session.subscribe(({ record }) => {
      if (record.type === "turn-ended") resolve();
    });
    if (session.snapshot().activity.type === "idle") resolve();
  });
}

function types(events: readonly SessionEvent[]): readonly string[] {
  return events.map(({ record }) => record.type).filter((type) => !type.endsWith("-delta"));
}

function spoken(session: SessionRuntime): readonly string[] {
  return session
    .conversation(null, 100)
    .messages.flatMap(({ content }) => content.flatMap((block) => (block.type === "text" ? [block.text] : [])));
}

async function held(world: World, words = "hello", text = "hi"): Promise<SessionId> {
  const engine = world.engine([answer(text)]);
  const session = await open(engine, { type: "new" });
  await take(engine, session, words);
  await session.close();
  return session.id;
}

const turn = ["turn-started", "step-started", "step-completed", "turn-ended"];

test("a new session leaves nothing behind until something was said", async () => {
  const world = await newWorld();
  const engine = world.engine();
  const session = await open(engine, { type: "new" });
  await session.close();
  expect(await world.archive.list()).toEqual([]);
  await expect(world.archive.read(session.id)).rejects.toMatchObject({ code: "session.unknown" });
});

test("a new session begins with who, where and under what", async () => {
  const world = await newWorld();
  const id = await held(world);
  const events = await world.archive.read(id);
  expect(types(events)).toEqual(["session-started", "session-configured", ...turn]);
  expect(events.slice(0, 2).map(({ record }) => record)).toEqual([
    { type: "session-started", sessionId: id, workspace: testWorkspace, origin: tester, version: "1.2.3" },
    { type: "session-configured", config: sessionConfig() },
  ]);
});

test("notices of the start are in the journal of the session that is opened first, before its first turn, and reported once", async () => {
  const world = await newWorld();
  const notice = { level: "warning", code: "trust.flag", text: "WARNING: --trust" } as const;
  const engine = world.engine([answer("hi"), answer("hi")], sessionConfig(), [notice]);
  const journals: (readonly string[])[] = [];
  for (const words of ["first", "second"]) {
    const session = await open(engine, { type: "new" });
    await take(engine, session, words);
    await session.close();
    journals.push(types(await world.archive.read(session.id)).slice(0, 4));
  }
  expect(journals).toEqual([
    ["session-started", "session-configured", "notice", "turn-started"],
    ["session-started", "session-configured", "turn-started", "step-started"],
  ]);
});

test("a chosen id is taken once; the session that has it is not written over", async () => {
  const world = await newWorld();
  const engine = world.engine([answer("hi")]);
  const id = toSessionId("mine");
  const session = await open(engine, { type: "new", id });
  expect(session.id).toBe(id);
  await take(engine, session, "hello");
  const before = await world.archive.read(id);
  await expect(open(engine, { type: "new", id })).rejects.toMatchObject({
    code: "usage.invalid",
    message: "the session mine exists already",
  });
  expect(await world.archive.read(id)).toEqual(before);
});

test("a resumed session knows what was said, and continues in the same journal", async () => {
  const world = await newWorld();
  const id = await held(world);
  const engine = world.engine([answer("again")]);
  const session = await open(engine, { type: "resume", id });
  expect(spoken(session)).toEqual(["hello", "hi"]);
  await take(engine, session, "more");
  expect(spoken(session)).toEqual(["hello", "hi", "more", "again"]);
  expect((await world.archive.list()).map((summary) => [summary.id, summary.turns])).toEqual([[id, 2]]);
});

test("the same settings are not repeated in the journal; other settings are distinguished from there on", async () => {
  const world = await newWorld();
  const id = await held(world);
  const configs = async (): Promise<readonly JournalRecord[]> =>
    (await world.store.read(id, 0))
      .map(({ record }) => record)
      .filter((record) => record.type === "session-configured");
  const same = world.engine([answer("a")]);
  const first = await open(same, { type: "resume", id });
  await take(same, first, "more");
  await first.close();
  expect(await configs()).toEqual([{ type: "session-configured", config: sessionConfig() }]);

  const config = sessionConfig({ mode: "plan" });
  const other = world.engine([answer("b")], config);
  const session = await open(other, { type: "resume", id });
  expect(session.snapshot().config).toEqual(config);
  await take(other, session, "more");
  expect((await configs()).slice(1)).toEqual([{ type: "session-configured", config }]);
});

test("a session that is open cannot be opened to write again, until it is closed; a fork of it can", async () => {
  const world = await newWorld();
  const id = await held(world);
  const first = await open(world.engine([]), { type: "resume", id });
  const attempt = open(world.engine([]), { type: "resume", id });
  await expect(attempt).rejects.toMatchObject({
    code: "session.busy",
    hint: expect.stringContaining("fork") as unknown,
  });
  await (await open(world.engine([]), { type: "fork", id })).close();
  await first.close();
  await (await open(world.engine([]), { type: "resume", id })).close();
});

test("a writer that was silent for too long is replaced, and cannot write any more", async () => {
  const world = await newWorld();
  const id = await held(world);
  const engine = world.engine([answer("never said")]);
  const first = await open(engine, { type: "resume", id });
  // Somebody else found it silent: the store says so with a newer generation.
  const owner = { id: "other", processId: 1, processStart: "", bootId: "", processNamespace: "", frontend: "test" };
  const claim = { owner, beatMs: 0, at: 0, isGone: () => true };
  expect((await world.store.claim(id, claim)).type).toBe("granted");
  await expect(
    first.submit({ type: "user-input", turnId: engine.newTurnId(), content: userText("late") }),
  ).rejects.toMatchObject({ code: "session.busy" });
  expect((await first.fault).code).toBe("session.busy");
});

test("a fork continues by itself, under an id of its own, and its source stays as it was", async () => {
  const world = await newWorld();
  const id = await held(world);
  const before = await world.store.read(id, 0);
  const engine = world.engine([answer("elsewhere")]);
  const fork = await open(engine, { type: "fork", id });
  const received: SessionEvent[] = [];
  fork.subscribe((event) => void received.push(event));
  expect(fork.id).not.toBe(id);
  expect(spoken(fork)).toEqual(["hello", "hi"]);
  await take(engine, fork, "another way");
  expect(spoken(fork)).toEqual(["hello", "hi", "another way", "elsewhere"]);
  expect(await world.store.read(id, 0)).toEqual(before);
  // Whoever counts what the fork's turn cost must not receive the source's turns.
  expect(types(received)).toEqual(turn);

  const events = await world.archive.read(fork.id);
  expect(events.map((event) => event.seq)).toEqual(events.map((_event, index) => index + 1));
  expect(types(events).filter((type) => type === "session-started" || type === "session-configured")).toHaveLength(2);
  expect(events[0]?.record).toMatchObject({
    sessionId: fork.id,
    forkedFrom: { sessionId: id, seq: before.at(-1)?.seq },
  });
  expect((await world.archive.list()).find((summary) => summary.id === fork.id)).toMatchObject({
    forkedFrom: id,
    turns: 2,
  });
});

test("what a dead process left in flight is settled when the session is opened; a fork begins at rest", async () => {
  const world = await newWorld();
  const first = world.engine(
    [{ type: "answer", finish: callAnswer([call("c1", "look")]) }, { type: "hang" }],
    sessionConfig({ policy: { rules: [allowing("look")] } }),
  );
  const dead = await open(first, { type: "new" });
  const reached = new Promise<void>((resolve) => {
    dead.subscribe(({ record }) => {
      if (record.type === "step-started" && record.stepId.endsWith(".s2")) resolve();
    });
  });
  await dead.submit({ type: "user-input", turnId: first.newTurnId(), content: userText("look") });
  await reached;
  await dead.close();

  const forker = world.engine([answer("more")]);
  const fork = await open(forker, { type: "fork", id: dead.id });
  const copied = (await world.archive.read(fork.id)).map(({ record }) => record);
  expect(copied.at(-1)).toMatchObject({ type: "turn-ended", outcome: "interrupted" });
  await take(forker, fork, "continue");
  expect(fork.snapshot().lastOutcome).toBe("done");
  await fork.close();

  const engine = world.engine([answer("seen")]);
  const session = await open(engine, { type: "resume", id: dead.id });
  await ended(session);
  const records = (await world.archive.read(session.id)).map(({ record }) => record);
  expect(records).toContainEqual({ type: "session-recovered", found: "a model call that had not ended" });
  expect(records.at(-1)).toMatchObject({ type: "turn-ended", outcome: "done" });
  expect(spoken(session)).toEqual(["look", "seen"]);
  await session.close();
});

test("ids that are not there are refused, and so are beginnings of more than one", async () => {
  const world = await newWorld();
  const one = await held(world);
  const two = await held(world);
  const engine = world.engine();
  const unknown = { code: "session.unknown" };
  const missing = toSessionId("missing");
  await expect(open(engine, { type: "resume", id: missing })).rejects.toMatchObject(unknown);
  await expect(open(engine, { type: "fork", id: missing })).rejects.toMatchObject(unknown);
  await expect(world.archive.read(missing)).rejects.toMatchObject(unknown);
  for (const text of ["missing", "", "%", "_", `${one}x`])
    await expect(engine.resolveSession(text)).rejects.toMatchObject(unknown);
  await expect(engine.resolveSession("0")).rejects.toMatchObject({ code: "session.ambiguous" });
  expect(await engine.resolveSession(one)).toBe(one);
  expect(await engine.resolveSession(two)).toBe(two);
});

test("turn ids are never given twice", async () => {
  const engine = (await newWorld()).engine();
  const ids = Array.from({ length: 100 }, () => engine.newTurnId());
  expect(new Set(ids).size).toBe(ids.length);
});
