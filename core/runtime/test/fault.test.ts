import type { SessionEvent } from "@capstan/protocol";
import {
  allowing,
  call,
  callAnswer,
  nextRecord,
  pruned,
  scriptedTools,
  sessionConfig,
  spoken,
  textAnswer,
} from "@capstan/testkit";
import { createMemoryStore } from "@capstan/storage";
import { expect, test } from "vitest";
import { dyingStore } from "./dying-store.ts";
import { journalOf, openSession, say } from "./open-session.ts";

const script = [
  { type: "answer", finish: callAnswer([call("a", "look"), call("b", "act"), call("c", "change")]) } as const,
  spoken(["do", "ne"], textAnswer("done")),
];
const config = sessionConfig({ policy: { rules: [allowing("act"), allowing("change")] } });

test("whichever append fails, the session stops: nothing more is shown or run, and everyone is notified", async () => {
  const appends = await countAppends();
  expect(appends).toBeGreaterThan(8);
  for (let dieAt = 1; dieAt <= appends; dieAt += 1) await checkDeath(dieAt);
});

async function checkDeath(dieAt: number): Promise<void> {
  const store = createMemoryStore();
  const tools = scriptedTools();
  const dying = dyingStore(store, "before", (_batch, number) => number === dieAt);
  const { session, provider } = await openSession({ store: dying, tools, config, script });
  const seen: SessionEvent[] = [];
  session.subscribe((event) => seen.push(event));
  await say(session, "t1").catch(() => undefined);
  expect(await session.fault).toMatchObject({ code: "storage.full", message: "no space left" });
  const before = [seen.length, tools.log.length, provider.requests.length];
  await session.close();
  expect([seen.length, tools.log.length, provider.requests.length]).toEqual(before);
  expect(pruned(seen.map((event) => event.record))).toEqual(await journalOf(store));
  const started = seen.flatMap(({ record }) => (record.type === "tool-started" ? [record.callId] : []));
  expect(tools.log.map((execution) => execution.callId)).toEqual(started);
  await expect(say(session, "t2")).rejects.toMatchObject({ code: "storage.full" });
}

/** How many appends the turn takes when nothing fails. */
async function countAppends(): Promise<number> {
  let appends = 0;
  const store = dyingStore(createMemoryStore(), "before", (_batch, number) => {
    appends = number;
    return false;
  });
  const { session } = await openSession({ store, config, script });
  const ended = nextRecord(session, "turn-ended");
  await say(session, "t1");
  await ended;
  await session.close();
  return appends;
}

test("an error that is none of ours becomes `storage.failed` and keeps its cause", async () => {
  const cause = new Error("EIO");
  const store = { ...createMemoryStore(), append: () => Promise.reject(cause) };
  const { session } = await openSession({ store });
  await say(session, "t1").catch(() => undefined);
  const fault = await session.fault;
  expect({ code: fault.code, message: fault.message, cause: fault.cause }).toEqual({
    code: "storage.failed",
    message: "EIO",
    cause,
  });
});

test("what runs is stopped when the journal cannot be written", async () => {
  const store = createMemoryStore();
  const { session, provider } = await openSession({
    store: dyingStore(store, "before", ({ records }) => records.some((record) => record.type === "turn-queued")),
    script: [{ type: "hang", pieces: [[{ type: "text-delta", delta: "So" }]] }],
  });
  const received = nextRecord(session, "text-delta");
  await say(session, "t1");
  await received;
  await expect(say(session, "t2")).rejects.toMatchObject({ code: "storage.full" });
  await session.fault;
  await session.close();
  expect(provider.hanging).toBe(0);
});
