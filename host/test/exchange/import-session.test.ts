import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type SessionId, toSessionId, wholeText } from "@capstan/protocol";
import { createMemoryStore } from "@capstan/storage";
import { expect, onTestFinished, test } from "vitest";
import { deleteSession } from "../../src/exchange/delete-session.ts";
import { forkSession } from "../../src/exchange/fork-session.ts";
import { importSession } from "../../src/exchange/import-session.ts";
import { readSource } from "../../src/exchange/read-source.ts";
import { bootTimeMs, processIdentity } from "@capstan/storage";
import { systemChance, systemClock } from "../../src/system/system-ports.ts";
import { claudeCode, opencodeSession } from "../../../importers/test/foreign/samples.ts";
import { newPlace } from "../host-place.ts";
import { importOptions } from "./import-options.ts";

const file = { name: "session.jsonl", text: claudeCode.text };

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "capstan-import-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test("the report says whose session it was, what was in it and what was healed", async () => {
  const store = createMemoryStore();
  expect(await importSession(store, { ...file, as: "mine" }, importOptions())).toEqual({
    sessionId: "mine",
    agent: "Claude Code",
    foreignId: "5a0ddcd0-5487-4794-99ac-143f6bb9e248",
    turns: 2,
    calls: 3,
    records: 16,
    healed: {
      "answers of a sub-agent left out": 1,
      "notes of the other agent left out": 1,
      "calls without a result: outcome unknown": 1,
    },
    notes: [],
  });
  expect(await store.list()).toMatchObject([{ id: "mine", turns: 2, lastOutcome: "outcome-unknown" }]);
});

test("an id that is taken is refused, and what is there stays", async () => {
  const store = createMemoryStore();
  await importSession(store, file, importOptions());
  const before = await store.readChained(toSessionId("new-id"));
  await expect(importSession(store, file, importOptions())).rejects.toMatchObject({
    code: "usage.invalid",
    hint: expect.stringContaining("--as"),
  });
  expect(await store.readChained(toSessionId("new-id"))).toEqual(before);
});

test.each([
  ["", "import.unknown-format"],
  ["just some words\n", "import.unknown-format"],
  ["{}\n", "import.unknown-format"],
  ['{"type":"session","version":3,"id":"x","cwd":"/"}\n', "import.empty"],
  ['{"type":"summary","summary":"x","leafUuid":"y"}\n', "import.empty"],
  ['{"info":{"id":"ses_1"},"messages":[]}', "import.empty"],
  ['{"sessionId":"x","projectHash":"y","messages":[]}', "import.empty"],
  ['{"format":"capstan-session","version":1,"sessionId":"x","events":3,"head":null}\n', "import.broken"],
])("%j is refused with a reason", async (text, code) => {
  await expect(importSession(createMemoryStore(), { name: "f", text }, importOptions())).rejects.toMatchObject({
    code,
  });
});

test("secrets in results of another agent do not reach the journal", async () => {
  const store = createMemoryStore();
  const text = claudeCode.text.replace("1 failed", "key is hunter22hunter22");
  const { sessionId } = await importSession(store, { name: "f", text }, importOptions({ redact: hidden }));
  expect(JSON.stringify(await store.read(sessionId, 0))).not.toContain("hunter22");
});

test("the foreign times are kept, and never run backwards", async () => {
  const store = createMemoryStore();
  const { sessionId } = await importSession(store, file, importOptions());
  const times = (await store.read(sessionId, 0)).map((event) => event.at);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(new Date(times.at(-1) ?? 0).toISOString()).toBe("2026-01-20T11:57:14.000Z");
});

test("a session that opencode keeps in pieces is put together", async () => {
  const storage = folder();
  const write = (path: string, value: unknown): void => {
    mkdirSync(dirname(join(storage, path)), { recursive: true });
    writeFileSync(join(storage, path), JSON.stringify(value));
  };
  write("session/project/ses_1.json", opencodeSession.info);
  for (const { info, parts } of opencodeSession.messages.map((message) => ({ info: {}, parts: [], ...message }))) {
    const { id } = { id: "", ...info };
    write(`message/ses_1/${id}.json`, info);
    for (const [at, part] of Object.entries(parts)) write(`part/${id}/prt_${at}.json`, part);
  }
  const sources = await Promise.all([readSource(storage), readSource(join(storage, "session/project/ses_1.json"))]);
  expect(sources.map((text): unknown => JSON.parse(wholeText(text)))).toEqual([opencodeSession, opencodeSession]);
});

test("a folder without a session, and a file that is not there, are distinguished", async () => {
  await expect(readSource(join(folder(), "gone"))).rejects.toMatchObject({ code: "import.unreadable" });
  expect(await readSource(folder())).toBe("");
});

test("a fork is a copy with its own id that names its source", async () => {
  const store = createMemoryStore();
  const { sessionId } = await importSession(store, file, importOptions());
  const fork = await forkSession(store, sessionId, {
    chance: systemChance,
    origin: { frontend: "test" },
    version: "2",
  });
  const [before, after] = await Promise.all([store.read(sessionId, 0), store.read(fork, 0)]);
  expect(after.slice(1).map((event) => event.record)).toEqual(before.slice(1).map((event) => event.record));
  expect(after[0]?.record).toMatchObject({ sessionId: fork, forkedFrom: { sessionId, seq: before.length } });
});

test("a session is never deleted while somebody works in it", async () => {
  const store = createMemoryStore();
  const { home } = newPlace();
  const { sessionId } = await importSession(store, file, importOptions());
  const remove = (): Promise<readonly SessionId[]> =>
    deleteSession(store, sessionId, { home, clock: systemClock, chance: systemChance });
  const owner = { ...processIdentity(), id: "other", frontend: "test" };
  const held = await store.claim(sessionId, { owner, beatMs: bootTimeMs(), at: 1, isGone: () => false });
  await expect(remove()).rejects.toMatchObject({ code: "session.busy" });
  await store.release(sessionId, held.type === "granted" ? held.generation : 0);
  await remove();
  expect(await store.list()).toEqual([]);
});

function hidden(text: string): string {
  return text.replaceAll("hunter22hunter22", "***");
}
