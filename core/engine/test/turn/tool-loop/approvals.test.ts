import {
  action,
  allowing,
  answers,
  call,
  callAnswer,
  cancels,
  completes,
  denying,
  ends,
  packed,
  play,
  prepared,
  restarts,
  says,
  sessionConfig,
  staged,
  textAnswer,
} from "@capstan/testkit";
import { snapshot } from "@capstan/session";
import { userText } from "@capstan/protocol";
import { expect, test } from "vitest";
import { results } from "../../words.ts";

const change = action("change", { path: "a.txt" });
const act = action("act");
const reason = "Needs approval: it changes";

/** A batch of one change that a user is asked about. */
const asking = [
  says("t1"),
  packed("t1"),
  completes("t1.s1", callAnswer([call("a", "change", { path: "a.txt" })])),
  prepared("t1.s1", { a: change }),
];
const approved = answers("1-t1", { type: "approve", digest: change.digest });

test("what needs a user opens an interaction that shows the exact action, and nothing starts", () => {
  const { last, state } = play(asking);
  expect(last.records).toMatchObject([
    { type: "tool-decided", callId: "a", action: change, judgement: { verdict: "ask" } },
    {
      type: "interaction-opened",
      turnId: "t1",
      interaction: { id: "1-t1", request: { type: "approval", callId: "a", action: change } },
    },
  ]);
  expect(last.effects).toEqual([]);
  expect(snapshot(state, 0).pending).toMatchObject([{ id: "1-t1", request: { type: "approval", action: change } }]);
  expect(snapshot(state, 0).activity).toEqual({ type: "awaiting-approval", turnId: "t1" });
  expect(JSON.stringify(last.records)).toContain(reason);
});

test("an approval of the action that was shown lets it be worked out, then run, the intent first", () => {
  expect(play([...asking, approved]).last).toEqual({
    records: [
      {
        type: "interaction-resolved",
        interactionId: "1-t1",
        answer: { type: "approve", digest: change.digest },
        origin: { frontend: "cli", user: "tester" },
      },
    ],
    effects: [{ type: "stage-tool", callId: "a", action: change }],
  });
  const settle = { files: [{ path: "/work/a.txt", before: null, after: "f".repeat(64) }] };
  expect(play([...asking, approved, staged("a", { settle })]).last).toEqual({
    records: [{ type: "tool-started", callId: "a", digest: change.digest, settle }],
    effects: [{ type: "run-tool", callId: "a", action: change }],
  });
});

test("a denial is answered to the model with the user's words, and counts", () => {
  const { state } = play([...asking, answers("1-t1", { type: "deny", message: "not that file" })]);
  expect(state.conversation.at(-1)).toEqual(
    results(["a", "change", "Denied by the user. Nothing was done. They said: not that file", true]),
  );
  const ended = play([...asking, answers("1-t1", { type: "deny" }), completes("t1.s2", textAnswer("all right"))]);
  expect(ended.last.records.at(-1)).toEqual({
    type: "turn-ended",
    turnId: "t1",
    outcome: "tool-denied",
    message: "a tool call was denied",
    rolledBack: false,
  });
});

test("an answer that does not fit changes nothing: other digest, other interaction, other kind, repeated, late", () => {
  const nothing = { records: [], effects: [] };
  expect(play([...asking, answers("1-t1", { type: "approve", digest: act.digest })]).last).toMatchObject(nothing);
  expect(play([...asking, answers("2-t1", { type: "approve", digest: change.digest })]).last).toMatchObject(nothing);
  for (const type of ["continue", "stop", "accept-as-done", "tell-model", "discard"] as const)
    expect(play([...asking, answers("1-t1", { type })]).last).toMatchObject(nothing);
  expect(play([...asking, approved, approved]).last).toMatchObject(nothing);
  expect(play([...asking, approved, answers("1-t1", { type: "deny" })]).last).toMatchObject(nothing);
  expect(play([...asking, cancels(), approved]).last).toMatchObject(nothing);
});

test("nothing of a batch starts while a user is asked about any of it", () => {
  const batch = [
    says("t1"),
    packed("t1"),
    completes("t1.s1", callAnswer([call("a", "look"), call("b", "change"), call("c", "act")])),
    prepared("t1.s1", { a: action("look"), b: change, c: act }),
  ];
  const opened = play(batch);
  expect(opened.last.effects).toEqual([]);
  expect(snapshot(opened.state, 0).pending.map((interaction) => interaction.id)).toEqual(["1-t1", "2-t1"]);
  const one = play([...batch, approved]);
  expect(one.last.effects).toEqual([]);
  const both = play([...batch, approved, answers("2-t1", { type: "deny" })]);
  expect(both.last.effects).toMatchObject([{ type: "run-tool", callId: "a" }]);
  expect(both.last.records).toMatchObject([
    { type: "interaction-resolved", interactionId: "2-t1" },
    { type: "tool-finished", callId: "c", outcome: { type: "denied", by: "user" } },
    { type: "tool-started", callId: "a" },
  ]);
});

test("where nobody can be asked, the call is denied at once, and the model is informed why", () => {
  const { last } = play(asking, sessionConfig({ askPolicy: "deny" }));
  expect(last.records).toMatchObject([
    { type: "tool-decided", callId: "a", judgement: { verdict: "ask" } },
    { type: "tool-finished", callId: "a", outcome: { type: "denied", by: "unattended" } },
    { type: "step-started", stepId: "t1.s2" },
  ]);
});

test("a rule that denies is not asked about, and a rule that allows is not either", () => {
  const denied = play(asking, sessionConfig({ policy: { rules: [denying("change"), allowing("change")] } }));
  expect(denied.last.records[1]).toMatchObject({ type: "tool-finished", outcome: { type: "denied", by: "policy" } });
  const allowed = play(asking, sessionConfig({ policy: { rules: [allowing("change")] } }));
  expect(allowed.last.effects).toEqual([{ type: "stage-tool", callId: "a", action: change }]);
});

test("an interaction survives a restart, with its id", () => {
  const { last, state } = play([...asking, restarts]);
  expect(last).toEqual({
    records: [{ type: "session-recovered", found: "what waits for a user's answer" }],
    effects: [],
  });
  expect(snapshot(state, 0).pending.map((interaction) => interaction.id)).toEqual(["1-t1"]);
  expect(play([...asking, restarts, approved]).last.effects).toMatchObject([{ type: "stage-tool", callId: "a" }]);
});

test("a cancelled turn withdraws its questions and answers its calls as cancelled", () => {
  expect(play([...asking, cancels()]).last).toEqual({
    records: [
      {
        type: "interaction-resolved",
        interactionId: "1-t1",
        answer: { type: "void" },
        origin: { frontend: "engine" },
      },
      {
        type: "tool-finished",
        callId: "a",
        outcome: { type: "cancelled", content: "Cancelled before it ran. Nothing was done." },
        changes: [],
        observed: [],
        durationMs: 0,
      },
      {
        type: "turn-ended",
        turnId: "t1",
        outcome: "interrupted",
        message: "the turn was interrupted",
        rolledBack: true,
        draft: userText("words of t1"),
      },
    ],
    effects: [{ type: "stop-tools", callIds: ["a"] }],
  });
});

test("under review a write is proposed and not applied, and the turn ends there", () => {
  const config = sessionConfig({ strategy: "review", mode: "auto" });
  const changes = [{ path: "a.txt", kind: "created", addedLines: 1, removedLines: 0, diff: "+a" }] as const;
  const { last, state } = play([...asking, staged("a", { changes })], config);
  expect(last).toEqual({
    records: [
      {
        type: "tool-finished",
        callId: "a",
        outcome: { type: "proposed", content: "proposal of a" },
        changes,
        observed: [],
        durationMs: 0,
      },
      { type: "turn-ended", turnId: "t1", outcome: "proposed", rolledBack: false },
    ],
    effects: [],
  });
  expect(state.conversation.at(-1)).toEqual(results(["a", "change", "proposal of a"]));
});

test("under review a command still runs", () => {
  const config = sessionConfig({ strategy: "review", policy: { rules: [allowing("act")] } });
  const { last } = play(
    [
      says("t1"),
      packed("t1"),
      completes("t1.s1", callAnswer([call("a", "act")])),
      prepared("t1.s1", { a: act }),
      staged("a"),
    ],
    config,
  );
  expect(last.effects).toEqual([{ type: "run-tool", callId: "a", action: act }]);
});

test("a call that could not be worked out is answered and never started", () => {
  const { last } = play([
    ...asking,
    approved,
    ends("a", { outcome: { type: "rejected", code: "file.stale", content: "It changed. Read it again." } }),
  ]);
  expect(last.records.map((record) => record.type)).toEqual(["tool-finished", "step-started"]);
});
