import type { OnUnknown } from "@capstan/protocol";
import { toInteractionId } from "@capstan/protocol";
import {
  allowing,
  call,
  callAnswer,
  checkInvariants,
  nextRecord,
  type ScriptedCall,
  scriptedTools,
  sessionConfig,
  spoken,
  textAnswer,
  type ToolExecution,
} from "@capstan/testkit";
import { createMemoryStore } from "@capstan/storage";
import { expect, test } from "vitest";
import { dyingStore } from "./dying-store.ts";
import { journalOf, openSession, say } from "./open-session.ts";

const first = callAnswer([call("a", "look"), call("b", "act"), call("c", "change")]);
const script: readonly ScriptedCall[] = [
  {
    type: "answer",
    finish: first,
    pieces: [[{ type: "text-delta", delta: "" }], [{ type: "thinking-delta", delta: "hm" }]],
  },
  spoken(["do", "ne"], textAnswer("done")),
];

function settings(onUnknown: OnUnknown) {
  return sessionConfig({ onUnknown, policy: { rules: [allowing("act"), allowing("change")] } });
}

/** More than a turn has, so that the last ones do not die. */
const places = Array.from({ length: 14 }, (_, index) => index + 1);
const whens = ["before", "after"] as const;
const deaths = places.flatMap((dieAt) => whens.map((when) => [dieAt, when] as const));

test.each(deaths)(
  "killed at append %i, %s it: the next process continues to the end, and no effect runs twice",
  async (dieAt, when) => {
    const store = createMemoryStore();
    const log: ToolExecution[] = [];
    const config = settings("tell-model");
    const dying = await openSession({
      store: dyingStore(store, when, (_batch, number) => number === dieAt),
      tools: scriptedTools({}, log),
      config,
      script,
    });
    const over = nextRecord(dying.session, "turn-ended");
    await say(dying.session, "t1").catch(() => undefined);
    await Promise.race([dying.session.fault, over]);
    await dying.session.close();

    const kept = await journalOf(store);
    const answered = kept.some((record) => record.type === "step-completed");
    const next = await openSession({
      store,
      tools: scriptedTools({}, log),
      config,
      script: answered ? script.slice(1) : script,
    });
    const open = kept.some((record) => record.type === "turn-started") && kept.at(-1)?.type !== "turn-ended";
    const ended = open ? nextRecord(next.session, "turn-ended") : Promise.resolve({ outcome: "done" });
    await next.recover();
    expect((await ended).outcome).toBe("done");
    await next.session.close();
    const effects = log.filter((execution) => execution.tool !== "look").map((execution) => execution.callId);
    expect(new Set(effects).size).toBe(effects.length);
    expect(checkInvariants(await journalOf(store))).toEqual([]);
  },
);

test("a user is asked about a command of unknown outcome, and the answer may come from a third process", async () => {
  const store = createMemoryStore();
  const log: ToolExecution[] = [];
  const config = settings("ask");
  const hanging = scriptedTools({ act: { run: () => new Promise<never>(() => undefined) } }, log);
  const dying = await openSession({
    store: dyingStore(store, "after", ({ records }) =>
      records.some((record) => record.type === "tool-started" && record.callId === "b"),
    ),
    tools: hanging,
    config,
    script,
  });
  await say(dying.session, "t1").catch(() => undefined);
  await dying.session.fault;
  const kept = await journalOf(store);
  expect(kept.at(-1)).toMatchObject({ type: "tool-started", callId: "b" });

  const second = await openSession({ store, tools: scriptedTools({}, log), config });
  await second.recover();
  expect(second.session.snapshot().pending).toMatchObject([{ id: "1-t1", request: { type: "recovery" } }]);
  await second.session.close();

  const third = await openSession({ store, tools: scriptedTools({}, log), config, script: script.slice(1) });
  await third.recover();
  const ended = nextRecord(third.session, "turn-ended");
  await third.session.submit({
    type: "answer",
    interactionId: toInteractionId("1-t1"),
    answer: { type: "accept-as-done" },
  });
  expect((await ended).outcome).toBe("done");
  expect(log.filter((execution) => execution.callId === "b")).toEqual([]);
  expect(checkInvariants(await journalOf(store))).toEqual([]);
});

test("a session that rests is not touched by opening it", async () => {
  const store = createMemoryStore();
  const { session } = await openSession({ store, script: [{ type: "answer", finish: textAnswer("hi") }] });
  const ended = nextRecord(session, "turn-ended");
  await say(session, "t1");
  await ended;
  await session.close();
  const before = await journalOf(store);
  const again = await openSession({ store });
  await again.recover();
  await again.session.close();
  expect(await journalOf(store)).toEqual(before);
  expect(again.session.snapshot().lastOutcome).toBe("done");
});
