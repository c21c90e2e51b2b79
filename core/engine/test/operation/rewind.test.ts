import { conversation, evolve, initialState, snapshot } from "@capstan/session";
import type { Stimulus } from "@capstan/engine";
import { type FileEffect, type JournalRecord, toTurnId } from "@capstan/protocol";
import {
  action,
  allowing,
  call,
  callAnswer,
  callId,
  checkInvariants,
  completes,
  ends,
  fileEffect,
  packed,
  play,
  playMoves,
  playOn,
  playToRest,
  prepared,
  randomMoves,
  restarts,
  restores,
  says,
  sessionConfig,
  staged,
  submit,
  textAnswer,
  runs,
} from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { planRewind } from "@capstan/policy";

const config = sessionConfig({ policy: { rules: [allowing("act")] } });

/** A turn whose command did this to files. */
function turn(id: string, effects: readonly FileEffect[]): readonly Stimulus[] {
  return [
    says(id),
    packed(id),
    completes(`${id}.s1`, callAnswer([call(`${id}c`, "act")])),
    prepared(`${id}.s1`, { [`${id}c`]: action("act") }),
    staged(`${id}c`),
    ends(`${id}c`, { effects }),
    completes(`${id}.s2`, textAnswer(`answer of ${id}`)),
  ];
}

/** A turn of words alone, and the facts that were found for it. */
function answered(id: string, facts: Readonly<Record<string, string>>): readonly Stimulus[] {
  return [says(id), packed(id, facts), completes(`${id}.s1`, textAnswer(`answer of ${id}`))];
}

function rewinds(keepTurns: number, what: "code" | "conversation" | "both"): Stimulus {
  return submit({ type: "rewind", keepTurns, conversation: what !== "code", files: what !== "conversation" });
}

const unwinds = submit({ type: "unwind" });
const three = [
  ...turn("t1", [fileEffect("/work/a", null, "1")]),
  ...turn("t2", [fileEffect("/work/a", "1", "2"), fileEffect("/work/b", "x", null)]),
  ...turn("t3", [fileEffect("/work/a", "2", "3")]),
];
const backToFirst = [fileEffect("/work/a", "3", "1"), fileEffect("/work/b", null, "x")];

test("taking turns back restores their files first, from the last change to the first, then the conversation", () => {
  const asked = play([...three, rewinds(1, "both")], config);
  expect(asked.last).toMatchObject({
    records: [{ type: "rewind-started", direction: "back", keepTurns: 1, conversation: true, files: backToFirst }],
    effects: [{ type: "restore-files", restoreId: "t2.r1", files: backToFirst }],
  });
  const done = playOn(asked, restores("t2.r1", backToFirst));
  expect(done.state.operation).toEqual({ type: "idle" });
  expect(conversation(done.state)).toEqual(conversation(play(turn("t1", []), config).state));
  expect(checkInvariants(done.journal)).toEqual([]);
});

test("what was taken back can be brought back, files and words, and taken back again", () => {
  const before = play(three, config);
  const rewound = playOn(playOn(before, rewinds(1, "both")), restores("t2.r1", backToFirst));
  const asked = playOn(rewound, unwinds);
  const forth = [fileEffect("/work/a", "1", "3"), fileEffect("/work/b", "x", null)];
  expect(asked.last.effects).toEqual([{ type: "restore-files", restoreId: "t3.u1", files: forth }]);
  const back = playOn(asked, restores("t3.u1", forth));
  expect(back.state.conversation).toEqual(before.state.conversation);
  expect(back.state.turns).toEqual(before.state.turns);
  expect(playOn(back, rewinds(1, "both")).last.effects).toMatchObject([{ type: "restore-files", files: backToFirst }]);
});

test("only the words: no file is touched; only the files: the words stay, and the model is informed", () => {
  const words = play([...three, rewinds(2, "conversation")], config);
  expect(words.last.effects).toEqual([]);
  expect(words.state.turns.map((mark) => mark.turnId)).toEqual(["t1", "t2"]);

  const files = [fileEffect("/work/a", "3", "2")];
  const code = play([...three, rewinds(2, "code"), restores("t3.r1", files)], config);
  expect(code.state.turns.map((mark) => mark.turnId)).toEqual(["t1", "t2", "t3"]);
  expect(code.state.turns.at(-1)?.effects).toEqual([]);
  expect(JSON.stringify(code.state.conversation.at(-1))).toContain("/work/a");
  expect(JSON.stringify(conversation(code.state))).toContain("answer of t3");
});

test("a file that was left alone is reported, and stays as it is when the rewind is undone", () => {
  const conflict = { path: "/work/a", reason: "somebody else changed it" };
  const restored = [fileEffect("/work/b", null, "x")];
  const rewound = play([...three, rewinds(1, "both"), restores("t2.r1", restored, [conflict])], config);
  expect(rewound.last.records).toEqual([
    { type: "rewind-finished", rewindId: "t2.r1", restored, conflicts: [conflict] },
  ]);
  const files = [fileEffect("/work/b", "x", null)];
  expect(playOn(rewound, unwinds).last.effects).toEqual([{ type: "restore-files", restoreId: "t3.u1", files }]);
});

test("killed in the middle, a rewind continues where it was, and a late answer changes nothing", () => {
  const asked = play([...three, rewinds(0, "both"), restarts], config);
  expect(asked.last.effects).toMatchObject([{ type: "restore-files", restoreId: "t1.r1" }]);
  const done = playOn(asked, restores("t1.r1", []));
  expect(done.state.conversation).toEqual([]);
  expect(playOn(done, restores("t1.r1", [])).last).toEqual({ records: [], effects: [] });
});

test("words that come while files are restored wait for their turn", () => {
  const asked = play([...three, rewinds(1, "both"), says("t4")], config);
  expect(asked.last.records).toMatchObject([{ type: "turn-queued", turnId: "t4" }]);
  expect(playOn(asked, restores("t2.r1", backToFirst)).last.records).toMatchObject([
    { type: "rewind-finished" },
    { type: "turn-started", turnId: "t4" },
  ]);
});

test.each([
  [3, "nothing is left to take back"],
  [-1, "there is no such turn"],
])("keeping %i of three turns is refused with words: %s", (keepTurns) => {
  const { last } = play([...three, rewinds(keepTurns, "both")], config);
  expect(last).toMatchObject({ records: [], effects: [], refusal: { code: "rewind.nothing" } });
});

test("after a new turn there is nothing to bring back", () => {
  const rewound = play([...three, rewinds(2, "conversation"), ...turn("t4", []), unwinds], config);
  expect(rewound.last).toMatchObject({ records: [], effects: [], refusal: { code: "rewind.nothing" } });
});

test("where somebody else changed a file between two of our changes, the way back ends at what they wrote", () => {
  expect(planRewind([[fileEffect("/work/a", "1", "2")], [fileEffect("/work/a", "theirs", "3")]])).toEqual({
    files: [fileEffect("/work/a", "3", "theirs")],
    conflicts: [{ path: "/work/a", reason: expect.stringContaining("somebody else") as unknown }],
  });
});

test("the way back ends at the first strange change, although an earlier one of ours would fit on again", () => {
  const ours = [fileEffect("/work/a", "Z", "C"), fileEffect("/work/a", "A", "B"), fileEffect("/work/a", "C", "D")];
  expect(planRewind(ours.map((effect) => [effect]))).toMatchObject({
    files: [fileEffect("/work/a", "D", "C")],
    conflicts: [{ path: "/work/a" }],
  });
});

test("facts that were reported only in turns that were taken back are reported again", () => {
  const played = play(
    [
      ...answered("t1", { directory: "/work" }),
      ...answered("t2", { directory: "/work", branch: "main" }),
      rewinds(1, "conversation"),
      says("t3"),
      packed("t3", { directory: "/work", branch: "main" }),
    ],
    config,
  );
  expect(played.last.records[0]).toMatchObject({
    type: "context-packed",
    turnId: "t3",
    parts: [{ name: "branch", text: "main" }],
  });
});

test("bringing back is journaled as what it is: files and words", () => {
  const forth = play([...three, rewinds(1, "both"), restores("t2.r1", backToFirst), unwinds], config);
  expect(forth.last.records[0]).toMatchObject({ type: "rewind-started", direction: "forth", conversation: true });
});

test("effects of a turn that was taken back come too late, and leave no record", () => {
  const late: Stimulus = {
    type: "effects-seen",
    turnId: toTurnId("t3"),
    callId: callId("t3c"),
    effects: [fileEffect("/work/late", null, "1")],
  };
  const before = play(three, config);
  expect(playOn(before, late).last.records).toMatchObject([{ type: "tool-effects", turnId: "t3" }]);
  const rewound = playOn(before, rewinds(2, "conversation"));
  expect(playOn(rewound, late).last).toEqual({ records: [], effects: [] });
});

test("what could not be kept is named when its turn is taken back, once", () => {
  const checkpoint = { kept: { type: "files", files: [] }, left: ["big.bin is too large"] } as const;
  const calls = turn("t1", []).map((stimulus) =>
    stimulus.type === "tool-staged" ? { ...stimulus, checkpoint } : stimulus,
  );
  const { last } = play([...calls, rewinds(0, "both")], config);
  expect(last.records).toMatchObject([
    { type: "notice", code: "rewind.not-kept", text: expect.stringContaining("big.bin is too large") as unknown },
    { type: "rewind-started" },
    { type: "rewind-finished" },
  ]);
});

test("a file that is again what it was needs no restoring", () => {
  expect(planRewind([[fileEffect("/work/a", "1", "2"), fileEffect("/work/a", "2", "1")]])).toEqual({
    files: [],
    conflicts: [],
  });
});

test("any session, rewound to anywhere and unwound, has its conversation again", () => {
  fc.assert(
    fc.property(randomMoves, fc.nat(11), fc.nat(5), (moves, variant, keep) => {
      const rested = playToRest(playOn(playMoves(moves, variant), restarts), 400);
      const before = rested.state;
      if (keep >= before.turns.length) return;
      const rewound = playToRest(playOn(rested, rewinds(keep, "both")), 10);
      expect(rewound.state.turns).toHaveLength(keep);
      const unwound = playToRest(playOn(rewound, unwinds), 10);
      expect(unwound.state.conversation).toEqual(before.conversation);
      expect(checkInvariants(unwound.journal)).toEqual([]);
    }),
    { numRuns: runs(150) },
  );
});

test("a title that a user gave stays when every turn is taken back", () => {
  const asked = play([...three, rewinds(0, "both")], config);
  const { journal } = playOn(asked, restores("t1.r1", []));
  const titled: JournalRecord = { type: "session-titled", title: "Parser", origin: { frontend: "test" } };
  const state = [...journal.slice(0, 2), titled, ...journal.slice(2)].reduce(evolve, initialState);
  expect(state.conversation).toEqual([]);
  expect(snapshot(state, journal.length + 1).title).toBe("Parser");
});

test("a rewind, its unwinding and a compaction that are submitted twice count once, also after their owner died", () => {
  const back = submit({ type: "rewind", keepTurns: 1, conversation: true, files: true, submissionId: "a" });
  const forth = submit({ type: "unwind", submissionId: "b" });
  const compact = submit({ type: "compact", submissionId: "c" });
  const started = playOn(play(three, config), back);
  // The first owner dies while the files are restored; the next one is asked again.
  const again = [restarts, back].reduce(playOn, started);
  expect(again.last).toEqual({ records: [], effects: [] });
  const rewound = playToRest(again, 10);
  const forgotten = [back, restarts, back].reduce(playOn, rewound);
  expect(forgotten.journal).toEqual(rewound.journal);
  const unwound = [forth, forth, restarts, forth].reduce(playOn, rewound);
  expect(unwound.journal.filter(({ type }) => type === "rewind-started")).toHaveLength(2);
  const rested = playToRest(unwound, 10);
  const summarised = playToRest([compact, compact, restarts, compact].reduce(playOn, rested), 10);
  expect(playOn(summarised, compact).last).toEqual({ records: [], effects: [] });
  expect(summarised.state.compactions).toBe(1);
  expect(checkInvariants(summarised.journal)).toEqual([]);
});

test("what has nothing to do is refused each time, and leaves no record", () => {
  const none = submit({ type: "unwind", submissionId: "a" });
  const before = play(turn("t1", []), config);
  for (const played of [[none], [none, none], [none, restarts, none]].map((all) => all.reduce(playOn, before))) {
    expect(played.last).toMatchObject({ records: [], refusal: { code: "rewind.nothing" } });
    expect(played.journal).toEqual(before.journal);
  }
});

test("a rewind under another id is another rewind", () => {
  const rewind = { type: "rewind", conversation: true, files: false } as const;
  const played = [
    submit({ ...rewind, keepTurns: 2, submissionId: "a" }),
    submit({ ...rewind, keepTurns: 1, submissionId: "b" }),
    submit({ ...rewind, keepTurns: 0, submissionId: "b" }),
  ].reduce(playOn, play(three, config));
  expect(played.state.turns).toHaveLength(1);
});
