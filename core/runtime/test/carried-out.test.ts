import type { Checkpoints } from "@capstan/ports";
import type { ResolvedSubmission, SessionEvent } from "@capstan/protocol";
import {
  aborted,
  allowing,
  call,
  callAnswer,
  checkInvariants,
  nextRecord,
  noCheckpoints,
  scriptedTools,
  sessionConfig,
  spoken,
  textAnswer,
  type ToolExecution,
} from "@capstan/testkit";
import { createMemoryStore } from "@capstan/storage";
import { expect, test } from "vitest";
import { dyingStore } from "./dying-store.ts";
import { journalOf, openSession, say, sessionId } from "./open-session.ts";

const free = sessionConfig({ policy: { rules: [allowing("act"), allowing("change")] } });
const act = { type: "answer", finish: callAnswer([call("a", "act")]) } as const;
const done = { type: "answer", finish: textAnswer("done") } as const;

function ignore(): void {
  // Replaced before anything can call it.
}

test("without the ports to act a session decides and journals; whoever recovers it carries that out, once", async () => {
  const store = createMemoryStore();
  const log: ToolExecution[] = [];
  const tools = scriptedTools({}, log);
  const config = sessionConfig({ askPolicy: "ask" });
  const asking = await openSession({ store, tools, config, script: [act] });
  const opened = nextRecord(asking.session, "interaction-opened");
  await say(asking.session, "t1");
  const { interaction } = await opened;
  await asking.session.close();
  if (interaction.request.type !== "approval") throw new Error("nobody was asked for an approval");
  const yes: ResolvedSubmission = {
    type: "answer",
    interactionId: interaction.id,
    answer: { type: "approve", digest: interaction.request.action.digest },
  };

  const quiet = await openSession({ store, tools, config });
  await quiet.session.submit(yes);
  await quiet.session.close();
  expect((await journalOf(store)).at(-1)).toMatchObject({ type: "interaction-resolved" });
  expect([log, quiet.provider.requests]).toEqual([[], []]);

  const next = await openSession({ store, tools, config, script: [done] });
  const ended = nextRecord(next.session, "turn-ended");
  await next.recover();
  expect((await ended).outcome).toBe("done");
  await next.session.close();
  expect(log.map(({ callId }) => callId)).toEqual(["a"]);
  expect(checkInvariants(await journalOf(store))).toEqual([]);
});

test("a session that comes to rest without a model settles its calls, asks nobody, and ends the turn", async () => {
  const store = createMemoryStore();
  const dying = await openSession({
    store: dyingStore(store, "after", ({ records }) => records.some(({ type }) => type === "tool-started")),
    config: free,
    script: [{ type: "answer", finish: callAnswer([call("a", "look")]) }],
  });
  await say(dying.session, "t1").catch(() => undefined);
  await dying.session.fault;

  const tools = scriptedTools();
  const { session, action, provider } = await openSession({ store, tools, config: free });
  await session.rest({ ...action, model: null });
  await session.close();
  expect(provider.requests).toEqual([]);
  const journal = await journalOf(store);
  expect(journal.find(({ type }) => type === "tool-finished")).toMatchObject({ callId: "a" });
  expect(journal.at(-1)).toMatchObject({ type: "turn-ended", outcome: "interrupted" });
  expect(checkInvariants(journal)).toEqual([]);
});

test("a call whose intent is durable is not run by a process that is the writer no more", async () => {
  const tools = scriptedTools();
  const store = createMemoryStore();
  const owner = {
    id: "me",
    processId: 1,
    processStart: "",
    bootId: "",
    processNamespace: "",
    hostname: "",
    frontend: "cli",
  };
  const claimed = await store.claim(sessionId, { owner, beatMs: 0, at: 0, isGone: () => false });
  if (claimed.type !== "granted") throw new Error("nobody else has the session");
  let isWriter = true;
  let isAsked = ignore;
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const confirm = async (): Promise<boolean> => {
    isAsked();
    return isWriter;
  };
  const lease = { generation: claimed.generation, confirm, release: async () => undefined };
  const { session } = await openSession({ store, tools, lease, config: free, script: [act] });
  session.subscribe(({ record }) => {
    if (record.type === "tool-started") isWriter = false;
  });
  const finished = nextRecord(session, "tool-finished");
  await say(session, "t1");
  await Promise.race([asked, finished]);
  await session.close();
  expect(tools.log).toEqual([]);
});

test("what a cancelled call did to files is journaled, and can be taken back", async () => {
  const effect = {
    path: "/work/file.txt",
    before: null,
    after: { blob: "f".repeat(64), mode: "100644" },
  } as const;
  const applied: unknown[] = [];
  const checkpoints: Checkpoints = {
    ...noCheckpoints,
    since: async () => [effect],
    apply: async (_workspace, effects) => {
      applied.push(...effects);
      return effects.map(({ path }) => ({ type: "done", path }));
    },
  };
  const tools = scriptedTools({ act: { run: async (_action, { signal }) => await aborted(signal) } });
  const { session, store } = await openSession({ tools, checkpoints, config: free, script: [act] });
  const started = nextRecord(session, "tool-started");
  const seen = nextRecord(session, "tool-effects");
  await say(session, "t1");
  await started;
  await session.submit({ type: "cancel", reason: "interrupted" });
  expect((await seen).effects).toEqual([effect]);
  const finished = nextRecord(session, "rewind-finished");
  await session.submit({ type: "rewind", keepTurns: 0, conversation: true, files: true });
  await finished;
  await session.close();
  expect(applied).toEqual([{ path: effect.path, before: effect.after, after: effect.before }]);
  expect(checkInvariants(await journalOf(store))).toEqual([]);
});

test("what comes back while the session closes adds no record", async () => {
  let isPreparing = ignore;
  const preparing = new Promise<void>((resolve) => {
    isPreparing = resolve;
  });
  const prepare = async ({ signal }: { readonly signal: AbortSignal }): Promise<void> => {
    isPreparing();
    await aborted(signal).catch(() => undefined);
  };
  const { session, store } = await openSession({
    tools: scriptedTools({ act: { prepare } }),
    config: free,
    script: [act],
  });
  await say(session, "t1");
  await preparing;
  const before = await journalOf(store);
  await session.close();
  expect(before.at(-1)).toMatchObject({ type: "step-completed" });
  expect(await journalOf(store)).toEqual(before);
});

test("a copy of the state is saved at rest only, however much has been journaled", async () => {
  const memory = createMemoryStore();
  const savedAt: string[] = [];
  const store: typeof memory = {
    ...memory,
    saveState: async (id, saved) => {
      savedAt.push(JSON.parse(JSON.stringify(saved.state)).operation.type);
      await memory.saveState(id, saved);
    },
  };
  const { session } = await openSession({ store, config: free, unsavedRecords: 100_000, script: [act, done] });
  const ended = nextRecord(session, "turn-ended");
  await say(session, "t1");
  await ended;
  await session.close();
  expect(savedAt).toEqual(["idle"]);
});

test("the end of a call's output comes out whole, though it could begin a secret", async () => {
  const tools = scriptedTools({
    act: {
      run: async (_action, context) => {
        context.onOutput("stdout", "its key begins with AKIA");
        context.onOutput("stderr", "and this one with sk-");
        return { status: "ok", content: "ran" };
      },
    },
  });
  const { session } = await openSession({ tools, config: free, script: [act, done] });
  const shown = { stdout: "", stderr: "" };
  session.subscribe(({ record }: SessionEvent) => {
    if (record.type === "tool-output-delta") shown[record.stream] += record.delta;
  });
  const ended = nextRecord(session, "turn-ended");
  await say(session, "t1");
  await ended;
  expect(shown).toEqual({ stdout: "its key begins with AKIA", stderr: "and this one with sk-" });
});

test("the end of an answer that breaks off is shown before the answer is given up", async () => {
  const { session } = await openSession({
    config: sessionConfig({ retry: { maxAttempts: 1 } }),
    script: [{ type: "cut", pieces: [[{ type: "text-delta", delta: "it begins with sk-" }]] }],
  });
  let shown = "";
  session.subscribe(({ record }) => {
    if (record.type === "text-delta") shown += record.delta;
  });
  const ended = nextRecord(session, "turn-ended");
  await say(session, "t1");
  expect((await ended).outcome).toBe("provider-failed");
  expect(shown).toBe("it begins with sk-");
});

test("a secret in the facts about the workspace reaches neither the model nor the journal", async () => {
  const secret = "hunter2-hunter2";
  const { session, store, provider } = await openSession({
    secrets: [secret],
    facts: [
      { name: "git", text: `Branch: fix-${secret}` },
      { name: "instructions", text: `Log in with ${secret}.` },
    ],
    script: [spoken(["do", "ne"], textAnswer("done"))],
  });
  const ended = nextRecord(session, "turn-ended");
  await say(session, "t1");
  await ended;
  expect(JSON.stringify(provider.requests)).toContain("Branch: fix-***");
  expect(JSON.stringify(provider.requests)).not.toContain(secret);
  expect(JSON.stringify(await journalOf(store))).not.toContain(secret);
});
