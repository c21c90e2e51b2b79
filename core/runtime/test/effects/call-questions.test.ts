import type { UserReply } from "@capstan/ports";
import type { Interaction, InteractionAnswer, SessionConfig } from "@capstan/protocol";
import {
  allowing,
  call,
  callAnswer,
  nextRecord,
  type ScriptedCall,
  scriptedTools,
  sessionConfig,
  textAnswer,
} from "@capstan/testkit";
import { createMemoryStore } from "@capstan/storage";
import { expect, test } from "vitest";
import { journalOf, openSession, type OpenWorld, say, type World } from "../open-session.ts";

const asking: SessionConfig = sessionConfig({ askPolicy: "ask", policy: { rules: [allowing("*")] } });
const questions = [{ question: "Which sk-hidden one?", options: [{ label: "a" }, { label: "b" }], multiple: false }];
const script: readonly ScriptedCall[] = [
  { type: "answer", finish: callAnswer([call("c1", "act")]) },
  { type: "answer", finish: textAnswer("done") },
];

/** A session whose tool asks its user, as often as said, and notes what comes of it. */
async function openAsking(replies: UserReply[], more: Partial<World> = {}, times = 1): Promise<OpenWorld> {
  const tools = scriptedTools({
    act: {
      run: async (_action, { ask }) => {
        for (let time = 0; time < times; time += 1)
          replies.push((await ask?.("docs", questions)) ?? { type: "declined" });
        return { status: "ok", content: "acted" };
      },
    },
  });
  return await openSession({ script, tools, config: asking, secrets: ["sk-hidden"], ...more });
}

async function answer({ session }: OpenWorld, { id }: Interaction, given: InteractionAnswer): Promise<string> {
  return (await session.submit({ type: "answer", interactionId: id, answer: given })).type;
}

test("a call under way asks, the session waits for its user, and the call is handed the answer, twice", async () => {
  const replies: UserReply[] = [];
  const world = await openAsking(replies, {}, 2);
  const opened = nextRecord(world.session, "interaction-opened");
  await say(world.session, "t1");
  const first = (await opened).interaction;
  expect(first.request).toMatchObject({ type: "question", asker: "docs", callId: "c1" });
  expect(JSON.stringify(first)).not.toContain("sk-hidden");
  expect(world.session.snapshot()).toMatchObject({ activity: { type: "awaiting-approval" }, pending: [first] });
  const again = nextRecord(world.session, "interaction-opened");
  expect(await answer(world, first, { type: "reply", answers: [["a"]] })).toBe("accepted");
  const ended = nextRecord(world.session, "turn-ended");
  expect(await answer(world, (await again).interaction, { type: "deny" })).toBe("accepted");
  expect(await answer(world, first, { type: "reply", answers: [["b"]] })).toBe("refused");
  expect((await ended).outcome).toBe("done");
  expect(replies).toEqual([{ type: "answered", answers: [["a"]] }, { type: "declined" }]);
});

test("where nobody can be asked, a call learns so at once, and nothing is opened", async () => {
  const replies: UserReply[] = [];
  const world = await openAsking(replies, { config: { ...asking, askPolicy: "deny" } });
  const ended = nextRecord(world.session, "turn-ended");
  await say(world.session, "t1");
  await ended;
  expect(replies).toEqual([{ type: "unanswered" }]);
  expect((await journalOf(world.store)).some(({ type }) => type === "interaction-opened")).toBe(false);
});

test("a call asks no more than twenty times", async () => {
  const replies: UserReply[] = [];
  const world = await openAsking(replies, {}, 21);
  world.session.subscribe(({ record }) => {
    if (record.type === "interaction-opened") void answer(world, record.interaction, { type: "deny" });
  });
  const ended = nextRecord(world.session, "turn-ended");
  await say(world.session, "t1");
  await ended;
  expect(replies.slice(-2)).toEqual([{ type: "declined" }, { type: "unanswered" }]);
});

test("cancelled while it asks, the question is withdrawn; killed, the question is void and the call in doubt, not made again", async () => {
  const store = createMemoryStore();
  const world = await openAsking([], { store });
  const opened = nextRecord(world.session, "interaction-opened");
  await say(world.session, "t1");
  await opened;
  // The process dies here: what it holds is never seen again.
  const next = await openAsking([], { store, script: [{ type: "answer", finish: textAnswer("after") }] });
  const ended = nextRecord(next.session, "turn-ended");
  await next.recover();
  expect((await ended).outcome).toBe("outcome-unknown");
  const journal = await journalOf(store);
  expect(journal.filter(({ type }) => type === "interaction-resolved")).toMatchObject([{ answer: { type: "void" } }]);
  expect(journal.filter(({ type }) => type === "tool-started")).toHaveLength(1);
  expect(next.session.snapshot().pending).toEqual([]);

  const other = await openAsking([]);
  const asked = nextRecord(other.session, "interaction-opened");
  await say(other.session, "t1");
  await asked;
  await other.session.submit({ type: "cancel", reason: "interrupted" });
  expect((await journalOf(other.store)).slice(-3)).toMatchObject([
    { type: "interaction-resolved", answer: { type: "void" } },
    { type: "tool-finished", outcome: { type: "cancelled" } },
    { type: "turn-ended", outcome: "interrupted" },
  ]);
});

test("a read that is killed while it asks runs again, and asks again once", async () => {
  const store = createMemoryStore();
  const reads: readonly ScriptedCall[] = [{ type: "answer", finish: callAnswer([call("c1", "look")]) }];
  const replies: UserReply[] = [];
  const tools = scriptedTools({
    look: {
      run: async (_action, { ask }) => {
        replies.push((await ask?.("docs", questions)) ?? { type: "declined" });
        return { status: "ok", content: "seen" };
      },
    },
  });
  const world = await openSession({ script: reads, tools, config: asking, store });
  const opened = nextRecord(world.session, "interaction-opened");
  await say(world.session, "t1");
  await opened;
  const next = await openSession({
    script: [{ type: "answer", finish: textAnswer("after") }],
    tools,
    config: asking,
    store,
  });
  const again = nextRecord(next.session, "interaction-opened");
  await next.recover();
  const { interaction } = await again;
  expect(next.session.snapshot().pending).toEqual([interaction]);
  const ended = nextRecord(next.session, "turn-ended");
  await answer(next, interaction, { type: "reply", answers: [["b"]] });
  expect((await ended).outcome).toBe("done");
  expect(replies).toEqual([{ type: "answered", answers: [["b"]] }]);
});
