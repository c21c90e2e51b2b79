import { conversation, requestTokens } from "@capstan/session";
import type { Stimulus } from "@capstan/engine";
import type { CompactionChange, ResolvedSubmission } from "@capstan/protocol";
import { toStepId } from "@capstan/protocol";
import {
  checkInvariants,
  completes,
  packed,
  play,
  playMoves,
  playOn,
  randomMoves,
  says,
  sessionConfig,
  submit,
  tester,
  textAnswer,
} from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";

const step = "session.c1";
const compact = submit({ type: "compact" });

function turn(id: string, words = `answer of ${id}`): readonly Stimulus[] {
  return [says(id), packed(id), completes(`${id}.s1`, textAnswer(words))];
}

const summarised = [
  ...["t1", "t2", "t3", "t4"].flatMap((id) => turn(id)),
  compact,
  completes(step, textAnswer("It was about words.")),
];

function changes(change: CompactionChange, compaction = step, submissionId = "one"): ResolvedSubmission {
  return { type: "change-compaction", compaction: toStepId(compaction), change, submissionId };
}

function refused(stimuli: readonly Stimulus[], submission: ResolvedSubmission): string | null {
  return playOn(play(stimuli), submit(submission)).last.refusal?.code ?? null;
}

test("an undone compaction shows the model what it stood for, and redone the summary again", () => {
  const before = conversation(play(summarised.slice(0, -2)).state);
  const undone = play([...summarised, submit(changes({ type: "undo" }))]);
  expect(undone.last.records).toEqual([
    { type: "compaction-selected", stepId: null, reason: "undone", origin: tester, submissionId: "one" },
  ]);
  expect(conversation(undone.state)).toEqual(before);
  const redone = playOn(undone, submit(changes({ type: "redo" }, step, "two")));
  expect(conversation(redone.state)).toEqual(conversation(play(summarised).state));
  expect(checkInvariants(redone.journal)).toEqual([]);
});

test("a summary of a summary is undone to the first one", () => {
  const twice = [
    ...summarised,
    ...turn("t5"),
    ...turn("t6"),
    submit({ type: "compact", submissionId: "c2" }),
    completes("session.c2", textAnswer("And more words.")),
  ];
  const { state } = play([...twice, submit(changes({ type: "undo" }, "session.c2"))]);
  expect(state.summary?.text).toBe("It was about words.");
  expect(
    refused([...twice, submit(changes({ type: "undo" }, "session.c2"))], changes({ type: "undo" }, "session.c2", "x")),
  ).toBe("compaction.unchanged");
});

test("the model sees the words a user gave a summary, and what was counted before holds no more", () => {
  const edited = play([...summarised, submit(changes({ type: "edit", summary: " It was about ships. " }))]);
  expect(JSON.stringify(conversation(edited.state))).toContain("It was about ships.");
  expect(JSON.stringify(conversation(edited.state))).not.toContain("It was about words.");
  expect(edited.state.measured).toBeNull();
  const undone = playOn(
    playOn(edited, submit(changes({ type: "undo" }, step, "two"))),
    submit(changes({ type: "redo" }, step, "three")),
  );
  expect(undone.state.summary?.text).toBe("It was about ships.");
});

test("the same change sent twice counts once", () => {
  const once = play([...summarised, submit(changes({ type: "undo" }))]);
  const twice = playOn(once, submit(changes({ type: "undo" })));
  expect(twice.last).toEqual({ records: [], effects: [] });
  expect(refused([...summarised, submit(changes({ type: "undo" }))], changes({ type: "undo" }))).toBeNull();
});

test.each([
  ["an unknown summary", changes({ type: "undo" }, "session.c7"), "compaction.unknown"],
  ["one that is shown already", changes({ type: "redo" }), "compaction.unchanged"],
  ["an empty summary", changes({ type: "edit", summary: " \n" }), "input.empty"],
  ["a summary that leaves no room", changes({ type: "edit", summary: "words ".repeat(200_000) }), "compaction.no-room"],
] as const)("%s is refused with its reason", (_what, submission, code) => {
  expect(refused(summarised, submission)).toBe(code);
  expect(play([...summarised, submit(submission)]).last.records).toEqual([]);
});

test("a change waits for nothing: while a turn is open it is refused", () => {
  expect(refused([...summarised, says("t5")], changes({ type: "undo" }))).toBe("session.waiting");
});

test("originals that do not fit the window are not brought back", () => {
  const long = "a long answer ".repeat(10_000);
  const small = sessionConfig({});
  const begun = [
    ...["t1", "t2", "t3", "t4"].flatMap((id) => turn(id, long)),
    compact,
    completes(step, textAnswer("Short.")),
  ];
  const narrow = submit({
    type: "configure",
    config: { model: { ...small.model, contextWindowTokens: 32_000, maxOutputTokens: 2000 } },
  });
  expect(refused([...begun, narrow], changes({ type: "undo" }))).toBe("compaction.no-room");
});

test("whatever was done before: undo then redo shows the model the same, and undo what was shown before", () => {
  fc.assert(
    fc.property(randomMoves, fc.nat(100), (moves, variant) => {
      const played = playMoves(moves, variant);
      const { state } = played;
      if (state.operation.type !== "idle" || state.config === null || typeof state.summary?.stepId !== "string") return;
      const { stepId } = state.summary;
      const undone = playOn(played, submit(changes({ type: "undo" }, stepId, "u")));
      if (undone.last.records.length === 0) return;
      const redone = playOn(undone, submit(changes({ type: "redo" }, stepId, "r")));
      expect(undone.state.summary?.messageCount ?? 0).toBeLessThan(state.summary.messageCount);
      // A user who asks for a summary has it as it is. Only one that is longer than what it stands for may fit no more.
      const { model } = state.config;
      const withSummary = requestTokens(undone.state, model, { ...undone.state, summary: state.summary });
      const isLonger = withSummary > requestTokens(undone.state, model);
      if (isLonger && redone.last.refusal?.code === "compaction.no-room") return;
      expect(conversation(redone.state)).toEqual(conversation(state));
    }),
  );
});
