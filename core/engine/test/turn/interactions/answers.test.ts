import { evolve } from "@capstan/session";
import { decide } from "@capstan/engine";
import type { InteractionAnswer, JournalRecord, Origin } from "@capstan/protocol";
import { toInteractionId } from "@capstan/protocol";
import {
  action,
  allowing,
  answers,
  call,
  callAnswer,
  completes,
  ends,
  fileEffect,
  inDoubt,
  packed,
  play,
  prepared,
  probed,
  restarts,
  restores,
  says,
  sessionConfig,
  staged,
} from "@capstan/testkit";
import { describe, expect, test } from "vitest";

const change = action("change", { path: "a.txt" });
const asking = [
  says("t1"),
  packed("t1"),
  completes("t1.s1", callAnswer([call("a", "change", { path: "a.txt" })])),
  prepared("t1.s1", { a: change }),
];
const approve: InteractionAnswer = { type: "approve", digest: change.digest };

describe("an answer that does not count leaves no record and no effect", () => {
  const bounded = sessionConfig({ interactionExpiryMs: 1000 });
  const tester: Origin = { frontend: "cli", user: "tester" };
  const cases: readonly (readonly [string, InteractionAnswer, Origin, number])[] = [
    ["by somebody else", approve, { frontend: "cli", user: "other" }, 0],
    ["by nobody known", approve, { frontend: "cli" }, 0],
    ["too late", approve, tester, 1000],
    ["bound to something else", { type: "approve", digest: "0" }, tester, 0],
    ["of another kind", { type: "continue" }, tester, 0],
    ["edited, and bound to something else", { type: "edit", digest: "0", arguments: {} }, tester, 0],
  ];
  test.each(cases)("%s", (_name, answer, origin, at) => {
    const { state } = play(asking, bounded);
    const submission = { type: "answer", interactionId: toInteractionId("1-t1"), answer } as const;
    expect(decide(state, { type: "submission", submission, origin, role: "operate", at })).toEqual({
      records: [],
      effects: [],
      refusal: { code: expect.stringMatching(/^interaction\./), reason: expect.any(String) },
    });
  });

  test("and the same answer by the right user in time does count", () => {
    const { state } = play(asking, bounded);
    const submission = { type: "answer", interactionId: toInteractionId("1-t1"), answer: approve } as const;
    const { records } = decide(state, { type: "submission", submission, origin: tester, role: "approve", at: 999 });
    expect(records.map(({ type }) => type)).toEqual(["interaction-resolved"]);
  });
});

test("words while something waits are next in line, and answer nothing", () => {
  const { last } = play([...asking, says("t2", "yes")]);
  expect(last.records).toMatchObject([
    { type: "turn-queued", turnId: "t2" },
    { type: "notice", code: "input.no-answer" },
  ]);
});

test("resumed where nobody is asked, what waits is withdrawn, denied, and reported to the model", () => {
  const { state } = play(asking);
  const unattended = { ...state, config: sessionConfig({ askPolicy: "deny" }) };
  const { records } = decide(unattended, restarts);
  expect(records).toMatchObject([
    { type: "session-recovered" },
    { type: "interaction-resolved", interactionId: "1-t1", answer: { type: "void" } },
    { type: "tool-finished", callId: "a", outcome: { type: "denied", by: "unattended" } },
    { type: "step-started" },
  ]);
});

test("resumed where nobody is asked, a limit that waits ends the turn", () => {
  const limits = { maxModelCallsPerTurn: 1 };
  const look = completes("t1.s1", callAnswer([call("a", "look")]));
  const config = sessionConfig({ limits });
  const { state } = play([says("t1"), packed("t1"), look, prepared("t1.s1", { a: action("look") }), ends("a")], config);
  expect(state.operation.type).toBe("interaction");
  const { records } = decide({ ...state, config: sessionConfig({ limits, askPolicy: "deny" }) }, restarts);
  expect(records).toMatchObject([{ answer: { type: "void" } }, { type: "turn-ended", outcome: "limit-reached" }]);
});

describe("taking back what interrupted calls did", () => {
  const ask = sessionConfig({ onUnknown: "ask", policy: { rules: [allowing("act")] } });
  const effect = fileEffect("/work/a.txt", "old", "new");
  const act = action("act");
  const interrupted = [
    says("t1"),
    packed("t1"),
    completes("t1.s1", callAnswer([call("a", "act")])),
    prepared("t1.s1", { a: act }),
    staged("a"),
    restarts,
  ];
  const look = probed("t1.s1", { a: inDoubt });
  const found =
    look.type === "calls-probed"
      ? { ...look, probes: look.probes.map((probe) => ({ ...probe, effects: [effect] })) }
      : look;
  const undone = [...interrupted, found, answers("1-t1", { type: "undo" })];

  test("is resumed by the next process, which asks nothing again", () => {
    const back = { type: "restore-files", restoreId: "1-t1", files: [{ path: "/work/a.txt" }] };
    expect(play(undone, ask).last.effects).toMatchObject([back]);
    const { last, state } = play([...undone, restarts], ask);
    expect(last.records).toMatchObject([{ type: "session-recovered" }]);
    expect(last.effects).toMatchObject([back]);
    const { records } = decide(state, restores("1-t1", [effect]));
    expect(records[0]).toMatchObject({ type: "tool-finished", outcome: { type: "failed", code: "tool.undone" } });
  });

  test("is not believed of files that nobody asked to be taken back", () => {
    const { state } = play([...interrupted, found], ask);
    expect(decide(state, restores("1-t1", [effect])).records).toEqual([]);
  });
});

test("a remembered approval lets the next such call pass, until it is revoked", () => {
  const answered = play([...asking, answers("1-t1", { ...approve, scope: "always" }), staged("a"), ends("a")]);
  const [grant] = answered.state.grants;
  expect(grant).toMatchObject({ scope: "always", cwd: "/work", rule: { verdict: "allow", source: "grant" } });
  expect(answered.effects).toContainEqual({ type: "keep-grant", grant });
  const again = [
    completes("t1.s2", callAnswer([call("b", "change", { path: "a.txt" })])),
    prepared("t1.s2", { b: change }),
  ];
  const verdictAfter = (revoked: readonly JournalRecord[]): string | undefined => {
    const state = revoked.reduce(evolveOn, answered.state);
    const asked = decide(again.slice(0, 1).reduce(decideOn, state), again[1] ?? restarts);
    return asked.records.flatMap((record) => (record.type === "tool-decided" ? [record.judgement.verdict] : []))[0];
  };
  expect(verdictAfter([])).toBe("allow");
  expect(verdictAfter([{ type: "grant-revoked", grantId: grant?.id ?? "" }])).toBe("ask");
});

function decideOn(state: Parameters<typeof decide>[0], stimulus: Parameters<typeof decide>[1]) {
  return decide(state, stimulus).records.reduce(evolveOn, state);
}

function evolveOn(state: Parameters<typeof decide>[0], record: JournalRecord) {
  return evolve(state, record);
}
