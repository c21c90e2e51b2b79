import { snapshot } from "@capstan/session";
import type { Stimulus } from "@capstan/engine";
import { type Finding, type InteractionAnswer, type OnUnknown, toStepId } from "@capstan/protocol";
import {
  action,
  allowing,
  answers,
  begin,
  call,
  callAnswer,
  callId,
  cancels,
  checkInvariants,
  completes,
  ends,
  fileEffect,
  inDoubt,
  packed,
  tester,
  play,
  playOn,
  prepared,
  prints,
  probed,
  restarts,
  restores,
  says,
  sessionConfig,
  staged,
  submit,
  textAnswer,
} from "@capstan/testkit";
import { expect, test } from "vitest";
import { results } from "../words.ts";

const act = action("act");
const unknown =
  "Interrupted: the process died while this ran, and it is not known whether it took effect. It was not run again. Check the state of the workspace before you go on.\nNobody saw its end.";

/** A read that ended, a command that runs, and a read that waits for it. */
const running = [
  says("t1"),
  packed("t1"),
  completes("t1.s1", callAnswer([call("a", "look"), call("b", "act"), call("c", "look")])),
  prepared("t1.s1", { a: action("look"), b: act, c: action("look") }),
  ends("a"),
  staged("b"),
];

/** The process died, and a look at the command proved nothing. */
const proves = (finding: Finding): Stimulus => probed("t1.s1", { b: finding });
const died = [restarts, proves(inDoubt)];

function settings(onUnknown: OnUnknown) {
  return sessionConfig({ onUnknown, policy: { rules: [allowing("act")] } });
}

test("a read that was under way runs again by itself, and its start is not journaled twice", () => {
  const { last, journal } = play([
    says("t1"),
    packed("t1"),
    completes("t1.s1", callAnswer([call("a", "look")])),
    prepared("t1.s1", { a: action("look") }),
    restarts,
  ]);
  expect(last).toEqual({
    records: [{ type: "session-recovered", found: "a batch of tool calls that had not ended" }],
    effects: [{ type: "run-tool", callId: "a", action: action("look") }],
  });
  expect(journal.filter((record) => record.type === "tool-started")).toHaveLength(1);
});

test("calls that were not ready yet are prepared again; those that were refused stay so", () => {
  const { last } = play([
    says("t1"),
    packed("t1"),
    completes("t1.s1", callAnswer([call("a", "look"), call("b", "act")], {})),
    restarts,
  ]);
  expect(last.effects).toEqual([
    { type: "prepare-actions", stepId: "t1.s1", calls: [call("a", "look"), call("b", "act")] },
  ]);
});

test("an effect that was only worked out is worked out again", () => {
  const { last } = play([...running.slice(0, -1), restarts], settings("fail"));
  expect(last.effects).toEqual([{ type: "stage-tool", callId: "b", action: act }]);
});

test("an effect that was under way is looked at before anything else, and nothing else happens meanwhile", () => {
  const { last, state } = play([...running, restarts], settings("rerun"));
  expect(last).toEqual({
    records: [{ type: "session-recovered", found: "a batch of tool calls that had not ended (act file.txt)" }],
    effects: [
      {
        type: "probe-calls",
        stepId: "t1.s1",
        calls: [{ callId: "b", action: act, settle: { files: [] }, checkpoint: null, output: "" }],
      },
    ],
  });
  expect(playOn({ ...begin(), state }, ends("b")).last).toMatchObject({ records: [], effects: [] });
});

test("of a long output its end is kept, for those who look later", () => {
  const long = `${"x".repeat(5000)}the end`;
  const { last } = play([...running, prints("b", long), restarts], settings("rerun"));
  expect(last.effects).toMatchObject([{ type: "probe-calls", calls: [{ callId: "b", output: long.slice(-4096) }] }]);
});

test("a call that runs again is taken back with what its first run, which was interrupted, had changed", () => {
  const first = fileEffect("/work/a.txt", "old", "half");
  const second = fileEffect("/work/a.txt", "half", "new");
  const found: Stimulus = {
    type: "calls-probed",
    stepId: toStepId("t1.s1"),
    probes: [{ callId: callId("b"), finding: inDoubt, effects: [first] }],
  };
  const again = [
    ...running,
    restarts,
    found,
    recoveryAnswer("run-again"),
    staged("b"),
    ends("b", { effects: [second] }),
  ];
  const done = [...again, ends("c"), completes("t1.s2", textAnswer("done"))];
  const back = submit({ type: "rewind", keepTurns: 0, conversation: true, files: true });
  expect(play([...done, back], settings("ask")).last.effects).toMatchObject([
    { type: "restore-files", files: [fileEffect("/work/a.txt", "new", "old")] },
  ]);
});

test("proved to have ended: the call gets that outcome, and what it did to files can be taken back", () => {
  const outcome = { type: "done", content: "It had ended with exit code 0." } as const;
  const effects = [fileEffect("/work/a.txt", null, "new")];
  const finding: Finding = { type: "ended", outcome, changes: [], observed: [] };
  const reported: Stimulus = {
    type: "calls-probed",
    stepId: toStepId("t1.s1"),
    probes: [{ callId: callId("b"), finding, effects }],
  };
  const { last, state } = play([...running, restarts, reported], settings("fail"));
  expect(last).toMatchObject({
    records: [
      { type: "tool-probed", callId: "b", finding, effects },
      { type: "tool-finished", callId: "b", outcome, effects },
    ],
    effects: [{ type: "stage-tool", callId: "c" }],
  });
  expect(state.turns).toMatchObject([{ turnId: "t1", effects }]);
});

test("proved untouched: the call runs as if for the first time, in its place, whatever the settings say", () => {
  const untouched: Finding = { type: "untouched", text: "It had not begun." };
  const { last } = play([...running, restarts, proves(untouched)], settings("fail"));
  expect(last).toEqual({
    records: [
      { type: "tool-probed", callId: "b", finding: untouched, effects: [] },
      { type: "tool-restarted", callId: "b", reason: "untouched" },
    ],
    effects: [{ type: "stage-tool", callId: "b", action: act }],
  });
});

test("a proof that comes late, twice or from elsewhere starts nothing", () => {
  const untouched = proves({ type: "untouched", text: "It had not begun." });
  const nothing = { records: [], effects: [] };
  expect(play([...running, untouched], settings("fail")).last).toMatchObject(nothing);
  expect(play([...running, restarts, untouched, untouched], settings("fail")).last).toMatchObject(nothing);
  expect(play([...running, restarts, untouched, staged("b"), untouched], settings("fail")).last).toMatchObject(nothing);
  expect(play([...running, restarts, probed("t0.s1", { b: inDoubt })], settings("fail")).last).toMatchObject(nothing);
});

test("`rerun`: what nobody could prove runs again, and the journal says that somebody chose so", () => {
  const { last, journal } = play([...running, ...died], settings("rerun"));
  expect(last).toMatchObject({
    records: [
      { type: "tool-probed", callId: "b", finding: inDoubt },
      { type: "tool-restarted", callId: "b", reason: "chosen" },
    ],
    effects: [{ type: "stage-tool", callId: "b" }],
  });
  expect(checkInvariants(journal)).toEqual([]);
});

test("a read behind a call in doubt is looked at again, and then runs", () => {
  const reads = [
    says("t1"),
    packed("t1"),
    completes("t1.s1", callAnswer([call("b", "act"), call("c", "look")])),
    prepared("t1.s1", { b: act, c: action("look") }),
    staged("b"),
  ];
  const { last } = play([...reads, ...died], settings("tell-model"));
  expect(last.effects).toEqual([{ type: "stage-tool", callId: "c", action: action("look"), onlyReads: true }]);
});

test("`fail`: the turn ends as of unknown outcome, every call answered", () => {
  const { last, state } = play([...running, ...died], settings("fail"));
  expect(last).toMatchObject({
    records: [
      { type: "tool-probed" },
      { type: "tool-finished", callId: "b", outcome: { type: "unknown", content: unknown } },
      { type: "tool-finished", callId: "c", outcome: { type: "cancelled" } },
      { type: "turn-ended", outcome: "outcome-unknown", rolledBack: false },
    ],
    effects: [],
  });
  expect(state.conversation.at(-1)).toEqual(
    results(
      ["a", "look", "result of a"],
      ["b", "act", unknown, true],
      ["c", "look", "Not run: the turn ended first.", true],
    ),
  );
});

test("`tell-model`: the call is answered as unknown, and the rest of the batch continues", () => {
  const { last } = play([...running, ...died], settings("tell-model"));
  expect(last).toMatchObject({
    records: [{ type: "tool-probed" }, { type: "tool-finished", callId: "b", outcome: { type: "unknown" } }],
    effects: [{ type: "stage-tool", callId: "c" }],
  });
});

test("`ask`: a user is shown the calls in doubt, and nothing runs meanwhile, however often the process restarts", () => {
  const { last, state } = play([...running, ...died], settings("ask"));
  const inQuestion = { callId: "b", action: act, finding: "Nobody saw its end.", changed: [] };
  const interaction = {
    id: "1-t1",
    request: { type: "recovery", calls: [inQuestion] },
    digest: "1-t1",
    openedAt: 0,
    expiresAt: null,
    origin: tester,
    answerers: ["tester"],
  };
  expect(last).toEqual({
    records: [
      { type: "tool-probed", callId: "b", finding: inDoubt, effects: [] },
      { type: "interaction-opened", interaction, turnId: "t1" },
    ],
    effects: [],
  });
  expect(snapshot(state, 0).pending).toEqual([interaction]);
  expect(snapshot(state, 0).activity).toEqual({ type: "recovery", turnId: "t1" });
  expect(play([...running, ...died, restarts], settings("ask")).last).toMatchObject({ records: [], effects: [] });
});

test.each<[RecoveryAnswer, string, readonly string[], readonly string[]]>([
  ["accept-as-done", "done", ["interaction-resolved", "tool-finished"], ["stage-tool"]],
  ["run-again", "chosen", ["interaction-resolved", "tool-restarted"], ["stage-tool"]],
  ["tell-model", "unknown", ["interaction-resolved", "tool-finished"], ["stage-tool"]],
  ["discard", "unknown", ["interaction-resolved", "tool-finished", "tool-finished", "turn-ended"], []],
])("a user's `%s` makes the call %s", (type, word, records, effects) => {
  const { last, journal } = play([...running, ...died, recoveryAnswer(type)], settings("ask"));
  expect(last.records.map((record) => record.type)).toEqual(records);
  expect(last.effects.map((effect) => effect.type)).toEqual(effects);
  const second = last.records[1];
  expect(second?.type === "tool-finished" ? second.outcome.type : second).toEqual(
    word === "chosen" ? { type: "tool-restarted", callId: "b", reason: word } : word,
  );
  expect(checkInvariants(journal)).toEqual([]);
});

test("a user's `undo` restores the files, informs the model, and the rest of the batch continues", () => {
  const effects = [fileEffect("/work/a.txt", "old", "half")];
  const reported: Stimulus = {
    type: "calls-probed",
    stepId: toStepId("t1.s1"),
    probes: [{ callId: callId("b"), finding: inDoubt, effects }],
  };
  const asked = [...running, restarts, reported, recoveryAnswer("undo")];
  const files = [fileEffect("/work/a.txt", "half", "old")];
  expect(play(asked, settings("ask")).last.effects).toEqual([{ type: "restore-files", restoreId: "1-t1", files }]);

  const { last, state, journal } = play([...asked, restores("1-t1", files)], settings("ask"));
  expect(last).toMatchObject({
    records: [{ type: "tool-finished", callId: "b", outcome: { type: "failed", code: "tool.undone" } }],
    effects: [{ type: "stage-tool", callId: "c" }],
  });
  expect(state.turns).toMatchObject([{ turnId: "t1", effects: [] }]);
  expect(checkInvariants(journal)).toEqual([]);
  // Killed while the files were restored: the question is asked again.
  const again = play([...asked, restarts, reported], settings("ask"));
  expect(again.last.records.map((record) => record.type)).toEqual(["tool-probed", "interaction-opened"]);
});

test("where nobody is asked any more, the question is withdrawn and the settings decide", () => {
  const headless = submit({ type: "configure", config: settings("tell-model") });
  const { last, journal } = play([...running, ...died, headless, restarts], settings("ask"));
  expect(last.records).toMatchObject([
    { type: "interaction-resolved", interactionId: "1-t1", answer: { type: "void" } },
    { type: "tool-finished", callId: "b", outcome: { type: "unknown" } },
  ]);
  expect(checkInvariants(journal)).toEqual([]);
});

test("answers that do not fit, come late or are foreign change nothing", () => {
  const nothing = { records: [], effects: [] };
  const before = [...running, ...died];
  for (const type of ["deny", "continue", "stop"] as const)
    expect(play([...before, answers("1-t1", { type })], settings("ask")).last).toMatchObject(nothing);
  expect(
    play([...before, answers("1-t1", { type: "approve", digest: act.digest })], settings("ask")).last,
  ).toMatchObject(nothing);
  expect(play([...before, answers("9-t1", { type: "discard" })], settings("ask")).last).toMatchObject(nothing);
  const answered = [...before, recoveryAnswer("tell-model")];
  expect(play([...answered, recoveryAnswer("discard")], settings("ask")).last).toMatchObject(nothing);
  expect(play([...before, ends("b")], settings("ask")).last).toMatchObject(nothing);
});

test("cancelled instead of answered, the question is withdrawn and no call is stored as a success", () => {
  const { last } = play([...running, ...died, cancels()], settings("ask"));
  expect(last.records).toMatchObject([
    { type: "interaction-resolved", interactionId: "1-t1", answer: { type: "void" } },
    { type: "tool-finished", callId: "b", outcome: { type: "unknown" } },
    { type: "tool-finished", callId: "c", outcome: { type: "cancelled" } },
    { type: "turn-ended", outcome: "interrupted" },
  ]);
});

test("a session that is killed again and again runs its command once", () => {
  const [said, facts, ...loop] = running;
  if (said === undefined || facts === undefined) throw new Error("no turn");
  const killed: readonly Stimulus[] = [said, facts, ...loop.flatMap((stimulus) => [stimulus, restarts, ...died])];
  const { effects } = play(killed, settings("tell-model"));
  expect(effects.filter((effect) => effect.type === "run-tool" && effect.callId === "b")).toHaveLength(1);
});

type RecoveryAnswer = Exclude<InteractionAnswer["type"], "edit" | "reply" | "plan">;

function recoveryAnswer(type: RecoveryAnswer): Stimulus {
  return answers("1-t1", type === "approve" ? { type, digest: "" } : { type });
}
