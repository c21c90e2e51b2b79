import { freezeAction, isWhole } from "../src/effects/prepare-actions.ts";
import { createHash } from "node:crypto";
import type { SessionStore } from "@capstan/ports";
import { createMemoryStore } from "@capstan/storage";
import {
  action,
  allowing,
  call,
  callAnswer,
  nextRecord,
  type ScriptedCall,
  scriptedTools,
  sessionConfig,
  spoken,
  textAnswer,
  type ToolExecution,
} from "@capstan/testkit";
import { expect, test } from "vitest";
import { dyingStore } from "./dying-store.ts";
import { journalOf, openSession, say } from "./open-session.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

test("an action is run only as long as it is the one that its digest was taken of", () => {
  const { digest: _, ...draft } = action("act", { path: "a.txt" });
  const frozen = freezeAction(draft, sha256);
  expect(isWhole(frozen, sha256)).toBe(true);
  expect(isWhole(JSON.parse(JSON.stringify(frozen)), sha256)).toBe(true);
  const changes = [{ arguments: { path: "b.txt" } }, { summary: "other" }, { risk: "high" as const }, { digest: "0" }];
  expect(changes.map((change) => isWhole({ ...frozen, ...change }, sha256))).toEqual([false, false, false, false]);
});

test("a call whose action was changed in the journal is not run after a restart, and one that was not is", async () => {
  const config = sessionConfig({ policy: { rules: [allowing("act")] } });
  const script: readonly ScriptedCall[] = [
    { type: "answer", finish: callAnswer([call("a", "act", { path: "a.txt" })]) },
    spoken(["done"], textAnswer("done")),
  ];
  const results: unknown[] = [];
  for (const path of ["a.txt", "b.txt"]) {
    const store = createMemoryStore();
    const decided = dyingStore(store, "after", ({ records }) => records.some(({ type }) => type === "tool-decided"));
    const first = await openSession({ store: decided, tools: scriptedTools({}), config, script });
    await say(first.session, "t1").catch(() => undefined);
    await first.session.fault;
    await first.session.close();
    const log: ToolExecution[] = [];
    const changed: SessionStore = {
      ...store,
      read: async (...asked) =>
        (await store.read(...asked)).map((event) =>
          event.record.type === "tool-decided"
            ? { ...event, record: { ...event.record, action: { ...event.record.action, arguments: { path } } } }
            : event,
        ),
    };
    const next = await openSession({ store: changed, tools: scriptedTools({}, log), config, script: script.slice(1) });
    const ended = nextRecord(next.session, "turn-ended");
    await next.recover();
    await ended;
    await next.session.close();
    const outcomes = (await journalOf(store)).flatMap((record) =>
      record.type === "tool-finished" ? [record.outcome] : [],
    );
    results.push([log.length, outcomes]);
  }
  expect(results).toEqual([
    [1, [expect.objectContaining({ type: "done" })]],
    [0, [expect.objectContaining({ type: "rejected", code: "tool.changed" })]],
  ]);
});

test("a call that a newer version of its tool prepares in another way is decided on again after a restart, and runs once", async () => {
  const config = sessionConfig({ policy: { rules: [allowing("act")] } });
  const script: readonly ScriptedCall[] = [
    { type: "answer", finish: callAnswer([call("a", "act", { path: "a.txt" })]) },
    spoken(["done"], textAnswer("done")),
  ];
  const store = createMemoryStore();
  const decided = dyingStore(store, "after", ({ records }) => records.some(({ type }) => type === "tool-decided"));
  const first = await openSession({ store: decided, tools: scriptedTools({}), config, script });
  await say(first.session, "t1").catch(() => undefined);
  await first.session.fault;
  await first.session.close();
  const log: ToolExecution[] = [];
  const next = await openSession({
    store,
    tools: preparingEachTime(scriptedTools({}, log)),
    config,
    script: script.slice(1),
  });
  const ended = nextRecord(next.session, "turn-ended");
  await next.recover();
  await ended;
  await next.session.close();
  const journal = await journalOf(store);
  const summaries = journal.flatMap((record) => (record.type === "tool-decided" ? [record.action.summary] : []));
  expect(new Set(summaries).size).toBe(2);
  expect(log).toEqual([{ callId: expect.any(String), tool: "act" }]);
  expect(journal.flatMap((record) => (record.type === "tool-finished" ? [record.outcome] : []))).toEqual([
    expect.objectContaining({ type: "done" }),
  ]);
});

/** The same tools, whose actions have another summary and so another digest. */
function preparingEachTime(tools: ReturnType<typeof scriptedTools>): ReturnType<typeof scriptedTools> {
  return {
    ...tools,
    route: (name, args) => {
      const routed = tools.route(name, args);
      if (routed.type !== "routed") return routed;
      const { tool } = routed;
      const prepare: typeof tool.prepare = async (...asked) => {
        const draft = await tool.prepare(...asked);
        return "summary" in draft ? { ...draft, summary: `${draft.summary}, prepared again` } : draft;
      };
      return { ...routed, tool: { ...tool, prepare } };
    },
  };
}
