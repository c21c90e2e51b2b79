import { createHash } from "node:crypto";
import { evolve, initialState, type SessionState } from "@capstan/session";
import type { ChainedEvent, SessionStore } from "@capstan/ports";
import { type SessionEvent, type SessionText, toSessionId, toStepId } from "@capstan/protocol";
import { createMemoryStore, inParts } from "@capstan/storage";
import { configVariants, playMoves, randomMoves, runs } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readSessionFile, sessionFileLines } from "@capstan/importers";
import { withoutSecrets } from "@capstan/runtime";
import { importSession } from "../../src/exchange/import-session.ts";
import { importOptions } from "./import-options.ts";

const id = toSessionId("one");
const none = { rules: [], yolo: false };
const here = { cwd: "/here", roots: ["/here"] };

function folded(events: readonly SessionEvent[]): SessionState {
  return events.map((event) => event.record).reduce(evolve, initialState);
}

function eventAt(line: string | undefined): { readonly record: unknown } {
  return { record: null, ...Object(JSON.parse(line ?? "{}")) };
}

async function exported(store: SessionStore, sessionId = id, redact?: (text: string) => string): Promise<string> {
  const options = {
    sessionId,
    version: "1.2.3",
    ...(redact === undefined ? {} : { redact: (stored: object) => withoutSecrets(stored, redact) }),
  };
  const lines: string[] = [];
  const read = (): AsyncGenerator<ChainedEvent> => inParts((after) => store.readChained(sessionId, after, 7));
  for await (const line of sessionFileLines(read, options)) lines.push(line);
  return [...lines, ""].join("\n");
}

/** What a file holds, and what is wrong with it. */
function contentOf(text: SessionText): { readonly events: readonly SessionEvent[]; readonly problem: string | null } {
  const events = readSessionFile(text)?.events();
  if (events === undefined) throw new Error("it is no file of a session");
  const read: SessionEvent[] = [];
  for (;;) {
    const next = events.next();
    if (next.done === true) return { events: read, problem: next.value };
    read.push(next.value);
  }
}

/** A store with one session of any kind, written as a runtime would: in several appends, with pieces that were superseded. */
const filledStore: fc.Arbitrary<() => Promise<SessionStore>> = fc
  .tuple(randomMoves, fc.nat(configVariants - 1), fc.integer({ min: 1, max: 9 }))
  .map(([moves, variant, size]) => async () => {
    const store = createMemoryStore();
    const { journal } = playMoves(moves, variant);
    let after = 0;
    for (let from = 0; from < journal.length; from += size) {
      const records = journal.slice(from, from + size);
      const events = await store.append(id, { after, at: 1000 + from, records, flush: false });
      after = events.at(-1)?.seq ?? after;
    }
    return store;
  });

test("export and import keep the conversation of a session at rest as it was, under any id", async () => {
  await fc.assert(
    fc.asyncProperty(filledStore, fc.constantFrom("one", "two"), async (fill, as) => {
      const store = await fill();
      const before = folded(await store.read(id, 0));
      const other = createMemoryStore();
      const options = importOptions({ workspace: () => Promise.resolve(here) });
      const report = await importSession(other, { name: "file", text: await exported(store), as }, options);
      const after = folded(await other.read(report.sessionId, 0));
      expect(after.sessionId).toBe(as);
      const kept = before.operation.type === "idle" ? before.conversation : after.conversation;
      expect(after.conversation).toEqual(kept);
    }),
    { numRuns: runs(100) },
  );
});

test("whatever a file says, what is imported is at rest, works in the importing run's folders, and gives no leave", async () => {
  await fc.assert(
    fc.asyncProperty(filledStore, async (fill) => {
      const text = await exported(await fill());
      const other = createMemoryStore();
      const options = importOptions({ workspace: () => Promise.resolve(here) });
      const { sessionId } = await importSession(other, { name: "file", text }, options);
      const events = await other.read(sessionId, 0);
      const state = folded(events);
      expect(state).toMatchObject({ operation: { type: "idle" }, workspace: here, approvedPlan: null });
      expect([state.queued, state.grants, state.knownFiles]).toEqual([[], [], {}]);
      expect(
        [...state.turns, ...state.rewinds.flatMap(({ turns }) => turns)].flatMap(({ effects }) => effects),
      ).toEqual([]);
      const { policy, sandbox } = state.config ?? { policy: none, sandbox: { hosts: [] } };
      expect([policy.rules, policy.yolo, sandbox.hosts]).toEqual([[], false, []]);
      expect(events[0]?.record).toMatchObject({
        origin: { frontend: "import" },
        importedFrom: { agent: "Capstan", sessionId: id, lastSeq: events.length },
      });
    }),
    { numRuns: runs(100) },
  );
});

test("the same journal stored as it is holds what an import leaves out", async () => {
  const found = new Set<string>();
  await fc.assert(
    fc.asyncProperty(filledStore, async (fill) => {
      const state = folded(await (await fill()).read(id, 0));
      if (state.operation.type !== "idle") found.add("open turn");
      if (state.queued.length > 0) found.add("words in line");
      if (state.turns.some(({ effects }) => effects.length > 0)) found.add("effects");
    }),
    { numRuns: runs(500), seed: 3 },
  );
  expect([...found].toSorted()).toEqual(["effects", "open turn", "words in line"]);
});

test("a record that is not what its type says is refused when it is imported", async () => {
  const [fill] = fc.sample(filledStore, { numRuns: 1, seed: 7 });
  const lines = (await exported(await (fill?.() ?? createMemoryStore()))).trimEnd().split("\n");
  const hostile = { seq: 2, at: 1, record: { type: "step-completed", stepId: 1, message: null } };
  const started = { seq: 1, at: 1, record: eventAt(lines[1]).record };
  const turn = { seq: 3, at: 1, record: { type: "turn-started", turnId: "t", content: null, origin: null } };
  for (const events of [
    [started, hostile],
    [started, { ...turn, seq: 2 }],
  ]) {
    let head = "0".repeat(64);
    const body = events.map((event) => {
      head = createHash("sha256")
        .update(`${head} ${event.seq} ${event.at} ${JSON.stringify(event.record)}`)
        .digest("hex");
      return JSON.stringify({ ...event, hash: head });
    });
    const first: unknown = JSON.parse(lines[0] ?? "");
    const text = [JSON.stringify({ ...Object(first), events: 2, head }), ...body, ""].join("\n");
    const imported = importSession(createMemoryStore(), { name: "file", text }, importOptions());
    await expect(imported).rejects.toMatchObject({ code: "import.broken" });
  }
});

test("whatever is changed, removed or cut in a file is found, and what is kept is what was", async () => {
  await fc.assert(
    fc.asyncProperty(filledStore, fc.nat(), fc.constantFrom("change", "remove", "cut"), async (fill, place, how) => {
      const lines = (await exported(await fill())).trimEnd().split("\n");
      const at = 1 + (place % (lines.length - 1));
      const damaged = {
        change: lines.with(at, (lines[at] ?? "").replace('"at":1', '"at":2')),
        remove: lines.toSpliced(at, 1),
        cut: [...lines.slice(0, at), (lines[at] ?? "").slice(0, 20)],
      }[how];
      const read = contentOf(damaged.join("\n"));
      const original = contentOf(lines);
      // A piece of an unfinished answer stands outside the chain; its time is nobody's evidence.
      const isDelta = (lines[at] ?? "").includes('"hash":null');
      expect(read.problem !== null || (isDelta && how === "change")).toBe(true);
      const kept = read.events.slice(0, at - 1);
      expect(kept).toEqual(original.events.slice(0, kept.length));
    }),
    { numRuns: runs(200) },
  );
});

test("a session that continues while it is exported is exported as it was when that began", async () => {
  const store = createMemoryStore();
  const { journal } = playMoves([], 0);
  const begun = await store.append(id, { after: 0, at: 1, records: journal, flush: false });
  const stepId = toStepId("t1.s1");
  const pieces = [1, 2, 3].map((part) => ({ type: "text-delta", stepId, delta: `piece ${part}` }) as const);
  const open = await store.append(id, { after: begun.at(-1)?.seq ?? 0, at: 2, records: pieces, flush: false });
  const lines: string[] = [];
  const read = (): AsyncGenerator<ChainedEvent> => inParts((after, limit) => store.readChained(id, after, limit));
  for await (const line of sessionFileLines(read, { sessionId: id, version: "1.2.3" })) {
    // The answer breaks off: its pieces are gone, and a record stands for them.
    const ended = { type: "step-abandoned", stepId, cause: "failed", text: "piece 1" } as const;
    if (lines.length === 0)
      await store.append(id, { after: open.at(-1)?.seq ?? 0, at: 3, records: [ended], flush: false });
    lines.push(line);
  }
  const { events, problem } = contentOf(lines);
  expect({ problem, events: events.length }).toEqual({ problem: null, events: begun.length + 3 });
});

test("a file that changes while it is read is not imported", async () => {
  const [fill] = fc.sample(filledStore, { numRuns: 1, seed: 11 });
  const lines = (await exported(await (fill?.() ?? createMemoryStore()))).trimEnd().split("\n");
  let times = 0;
  const text = {
    *[Symbol.iterator]() {
      times += 1;
      // The first line is looked at, all of it is read; the third time its end is missing.
      yield* times < 3 ? lines : lines.slice(0, -1);
    },
  };
  const store = createMemoryStore();
  await expect(importSession(store, { name: "file", text }, importOptions())).rejects.toMatchObject({
    code: "import.broken",
    message: expect.stringContaining("changed while it was read"),
  });
  expect(await store.list()).toEqual([]);
});

test("a broken file is refused with its line, and healed only when that is asked for", async () => {
  const [fill] = fc.sample(filledStore, { numRuns: 1, seed: 11 });
  const lines = (await exported(await (fill?.() ?? createMemoryStore()))).trimEnd().split("\n");
  const text = lines.with(2, (lines[2] ?? "").replace('"at":1', '"at":2')).join("\n");
  const store = createMemoryStore();
  await expect(importSession(store, { name: "file.jsonl", text }, importOptions())).rejects.toMatchObject({
    code: "import.broken",
    message: expect.stringContaining("file.jsonl: line 3 (record 2): its hash does not follow"),
  });
  expect(await store.list()).toEqual([]);
  const report = await importSession(store, { name: "file.jsonl", text, heal: true }, importOptions());
  expect({ records: report.records, notes: report.notes }).toEqual({
    // What there was, and the notice that it was imported.
    records: 2,
    notes: expect.arrayContaining([expect.stringContaining("only its good beginning was kept")]),
  });
});

test("a redacted file says so, holds no secret, carries a chain of its own, and can still be imported", async () => {
  const store = createMemoryStore();
  const secret = "hunter22hunter22";
  await store.append(id, {
    after: 0,
    at: 1000,
    records: [
      {
        type: "session-started",
        sessionId: id,
        workspace: { cwd: "/", roots: ["/"] },
        origin: { frontend: "test" },
        version: "1.2.3",
      },
      { type: "notice", level: "info", code: "test", text: `the word is ${secret}` },
    ],
    flush: true,
  });
  const text = await exported(store, id, (value) => value.replaceAll(secret, "***"));
  expect(text).not.toContain(secret);
  const exact = await exported(store);
  const [first, exactFirst] = [text, exact].map((file): unknown => JSON.parse(file.split("\n")[0] ?? ""));
  expect(first).toMatchObject({ redacted: true, originalHead: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(exactFirst).toMatchObject({ redacted: false, head: Object(first)["originalHead"] });
  const report = await importSession(createMemoryStore(), { name: "file", text }, importOptions());
  expect(report.notes).toEqual([expect.stringContaining("without its secrets")]);
  const changed = text.replace("the word is", "the word was");
  const refused = importSession(createMemoryStore(), { name: "file", text: changed }, importOptions());
  await expect(refused).rejects.toMatchObject({ code: "import.broken" });
});

test("a file of a newer format is refused, not guessed at", () => {
  const text = '{"format":"capstan-session","version":2,"sessionId":"x","events":0,"head":null}\n';
  expect(contentOf(text).problem).toContain("version 2");
});
