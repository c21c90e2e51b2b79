import { evolve } from "@capstan/session";
import type { Rule } from "@capstan/protocol";
import {
  action,
  allowing,
  answers,
  call,
  callAnswer,
  checkEffects,
  checkInvariants,
  completes,
  denying,
  ends,
  inDoubt,
  packed,
  play,
  type Played,
  playOn,
  prepared,
  probed,
  restarts,
  says,
  sessionConfig,
  staged,
} from "@capstan/testkit";
import { expect, test } from "vitest";

const act = action("act");
const look = action("look");
const asking = (tool: string): Rule => ({ verdict: "ask", tool, source: "user", text: tool });

/** One command, decided on under the rules of yesterday. */
function decidedUnder(...rules: readonly Rule[]): Played {
  return play(
    [says("t1"), packed("t1"), completes("t1.s1", callAnswer([call("a", "act")])), prepared("t1.s1", { a: act })],
    sessionConfig({ policy: { rules } }),
  );
}

/** One read that started. */
function reading(): Played {
  const calls = callAnswer([call("a", "look")]);
  return play([says("t1"), packed("t1"), completes("t1.s1", calls), prepared("t1.s1", { a: look })]);
}

/** The process is another, and so are the rules. */
function restartedUnder(played: Played, overrides: Parameters<typeof sessionConfig>[0]): Played {
  const record = { type: "session-configured", config: sessionConfig(overrides) } as const;
  const configured = { ...played, journal: [...played.journal, record], state: evolve(played.state, record) };
  const after = playOn(configured, restarts);
  expect(checkInvariants(after.journal)).toEqual([]);
  expect(checkEffects({ ...after, journal: after.journal.filter((item) => item !== record) })).toEqual([]);
  return after;
}

const today = (...rules: readonly Rule[]) => ({ policy: { rules } });
const approves = answers("1-t1", { type: "approve", digest: act.digest });
const denied = [
  { type: "tool-decided", callId: "a", judgement: { verdict: "deny" } },
  { type: "tool-finished", callId: "a", outcome: { type: "denied", by: "policy" } },
];

test("a call that was allowed yesterday and is denied today does not start", () => {
  const { last, effects } = restartedUnder(decidedUnder(allowing("act")), today(denying("act")));
  expect(last.records.slice(1, 3)).toMatchObject(denied);
  expect(effects.filter(({ type }) => type === "run-tool")).toEqual([]);
});

test("a call under a rule that still holds is not decided on again, and starts", () => {
  const { last } = restartedUnder(decidedUnder(allowing("act")), today(allowing("act")));
  expect(last.records.map(({ type }) => type)).toEqual(["session-recovered"]);
  expect(last.effects).toEqual([{ type: "stage-tool", callId: "a", action: act }]);
});

test("a call under a rule that is gone becomes a question, whose answer counts, also after another restart", () => {
  const asked = restartedUnder(decidedUnder(allowing("act")), today());
  expect(asked.last).toMatchObject({
    records: [
      { type: "session-recovered" },
      { type: "tool-decided", callId: "a", judgement: { verdict: "ask" } },
      { type: "interaction-opened", interaction: { id: "1-t1", digest: act.digest } },
    ],
    effects: [],
  });
  expect(playOn(asked, restarts).last.records.map(({ type }) => type)).toEqual(["session-recovered"]);
  const starting = [{ type: "stage-tool", callId: "a", action: act }];
  expect(playOn(asked, approves).last.effects).toEqual(starting);
  expect(restartedUnder(playOn(asked, approves), today()).last.effects).toEqual(starting);
});

test("a call under a rule that is gone is denied where nobody can be asked", () => {
  const { last } = restartedUnder(decidedUnder(allowing("act")), { ...today(), askPolicy: "deny" });
  expect(last.records.slice(1, 3)).toMatchObject([
    { type: "tool-decided", judgement: { verdict: "ask" } },
    { type: "tool-finished", outcome: { type: "denied", by: "unattended" } },
  ]);
});

test("an approval counts after a restart; a deny of today counts more", () => {
  const approved = playOn(decidedUnder(), approves);
  expect(restartedUnder(approved, today()).last).toMatchObject({
    records: [{ type: "session-recovered" }],
    effects: [{ type: "stage-tool", callId: "a" }],
  });
  expect(restartedUnder(approved, today(denying("act"))).last.records.slice(1, 3)).toMatchObject(denied);
});

test("a grant that was revoked meanwhile allows nothing any more", () => {
  const change = action("change", { path: "a.txt" });
  const allowed = play([
    says("t1"),
    packed("t1"),
    completes("t1.s1", callAnswer([call("a", "change")])),
    prepared("t1.s1", { a: change }),
    answers("1-t1", { type: "approve", digest: change.digest, scope: "session" }),
    staged("a"),
    ends("a"),
    completes("t1.s2", callAnswer([call("b", "change")])),
    prepared("t1.s2", { b: change }),
  ]);
  expect(playOn(allowed, restarts).last.effects).toMatchObject([{ type: "stage-tool", callId: "b" }]);
  const [grant] = allowed.state.grants;
  const state = evolve(allowed.state, { type: "grant-revoked", grantId: grant?.id ?? "" });
  const { last } = playOn({ ...allowed, state }, restarts);
  expect(last.records.at(-1)).toMatchObject({ type: "interaction-opened", interaction: { id: "2-t1" } });
  expect(last.effects).toEqual([]);
});

test("an open question about what is denied today is withdrawn, and the call denied", () => {
  const { last, state } = restartedUnder(decidedUnder(), today(denying("act")));
  expect(last.records.slice(1, 4)).toMatchObject([
    { type: "interaction-resolved", interactionId: "1-t1", answer: { type: "void" } },
    ...denied,
  ]);
  expect(playOn({ ...decidedUnder(), state }, approves).last.effects).toEqual([]);
});

test("a read that was under way is judged before it runs again", () => {
  expect(restartedUnder(reading(), today()).last.effects).toEqual([{ type: "run-tool", callId: "a", action: look }]);
  expect(restartedUnder(reading(), today(denying("look"))).last.records.slice(2, 4)).toMatchObject(denied);
  const asked = restartedUnder(reading(), today(asking("look")));
  expect(asked.last.effects).toEqual([]);
  const again = playOn(asked, answers("1-t1", { type: "approve", digest: look.digest }));
  expect(again.last.effects).toEqual([{ type: "run-tool", callId: "a", action: look }]);
  expect(checkInvariants(again.journal)).toEqual([]);
  expect(restartedUnder(again, today(asking("look"))).last.effects).toEqual(again.last.effects);
});

test("`run-again` is the user's word on exactly this call; a deny of today leaves it in doubt", () => {
  const ask = { onUnknown: "ask" } as const;
  const started = playOn(decidedUnder(allowing("act")), staged("a"));
  const question = playOn(restartedUnder(started, { ...ask, ...today() }), probed("t1.s1", { a: inDoubt }));
  const again = playOn(question, answers("1-t1", { type: "run-again" }));
  expect(again.last.effects).toEqual([{ type: "stage-tool", callId: "a", action: act }]);
  expect(restartedUnder(again, today()).last.effects).toEqual(again.last.effects);
  const refused = playOn(
    playOn(restartedUnder(started, { ...ask, ...today(denying("act")) }), probed("t1.s1", { a: inDoubt })),
    answers("1-t1", { type: "run-again" }),
  );
  expect(refused.last.records.slice(0, 2)).toMatchObject([
    { type: "interaction-resolved" },
    { type: "tool-finished", callId: "a", outcome: { type: "unknown" } },
  ]);
});

test("`rerun` of a call whose rule is gone asks first", () => {
  const started = playOn(decidedUnder(allowing("act")), staged("a"));
  const died = restartedUnder(started, { onUnknown: "rerun", ...today() });
  const { last } = playOn(died, probed("t1.s1", { a: inDoubt }));
  expect(last.effects).toEqual([]);
  expect(last.records.at(-1)).toMatchObject({ type: "interaction-opened", interaction: { digest: act.digest } });
});
