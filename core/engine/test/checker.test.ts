import { evolve } from "@capstan/session";
import type { JournalRecord } from "@capstan/protocol";
import {
  action,
  allowing,
  answers,
  call,
  callAnswer,
  checkEffects,
  checkInvariants,
  completes,
  ends,
  fails,
  type Fold,
  packed,
  play,
  type Played,
  prepared,
  says,
  sessionConfig,
  staged,
  textAnswer,
} from "@capstan/testkit";
import { expect, test } from "vitest";

const config = sessionConfig({ policy: { rules: [allowing("act")] } });

/** A turn with a read and a command, and one that fails. */
const whole = play(
  [
    says("t1"),
    packed("t1"),
    completes("t1.s1", callAnswer([call("a", "look"), call("b", "act")])),
    prepared("t1.s1", { a: action("look"), b: action("act") }),
    ends("a"),
    staged("b"),
    ends("b"),
    completes("t1.s2", textAnswer("done")),
    says("t2"),
    packed("t2"),
    fails("t2.s1", { retryable: false }),
  ],
  config,
);

const without = (drop: (record: JournalRecord) => boolean): readonly JournalRecord[] =>
  whole.journal.filter((record) => !drop(record));

const changed = (change: (record: JournalRecord) => JournalRecord): readonly JournalRecord[] =>
  whole.journal.map(change);

test("the whole journal holds", () => {
  expect(checkInvariants(whole.journal)).toEqual([]);
  expect(checkEffects(whole)).toEqual([]);
});

test.each<[string, readonly JournalRecord[], string]>([
  [
    "an outcome is missing",
    without((record) => record.type === "tool-finished" && record.callId === "a"),
    "has no outcome",
  ],
  [
    "an intent is missing",
    without((record) => record.type === "tool-started" && record.callId === "b"),
    "never started",
  ],
  ["a decision is missing", without((record) => record.type === "tool-decided"), "before it was decided on"],
  [
    "an outcome is there twice",
    whole.journal.flatMap((record): readonly JournalRecord[] =>
      record.type === "tool-finished" ? [record, record] : [record],
    ),
    "has two outcomes",
  ],
  [
    "a denied call is stored as a success",
    changed((record) =>
      record.type === "tool-decided" ? { ...record, judgement: { verdict: "deny", reason: "" } } : record,
    ),
    "was started without permission",
  ],
  [
    "another action was run than was judged",
    changed((record) => (record.type === "tool-started" ? { ...record, digest: "other" } : record)),
    "another action than was judged",
  ],
  [
    "a call is decided on again in the same process",
    whole.journal.flatMap((record): readonly JournalRecord[] =>
      record.type === "tool-decided" ? [record, record] : [record],
    ),
    "was decided on twice",
  ],
  ["a turn begins in another", without((record) => record.type === "turn-ended"), "while something else runs"],
  [
    "a failed turn is not rolled back",
    changed((record) => (record.type === "turn-ended" ? { ...record, rolledBack: false } : record)),
    "a failed turn is rolled back exactly when no tool ran",
  ],
  ["a step is missing", without((record) => record.type === "step-started"), "of a step that does not stream"],
])("the check finds it when %s", (_damage, journal, problem) => {
  expect(checkInvariants(journal).join("\n")).toContain(problem);
});

test.each<[string, Fold, string]>([
  ["swaps results", reversing("tool-finished"), "instead of"],
  [
    "forgets results",
    (state, record) => (record.type === "tool-finished" ? state : evolve(state, record)),
    "instead of",
  ],
  [
    "does not roll back",
    (state, record) => evolve(state, record.type === "turn-ended" ? { ...record, rolledBack: false } : record),
    "a rolled back turn left something",
  ],
  [
    "stores a failure as a success",
    (state, record) =>
      evolve(state, record.type === "tool-finished" ? { ...record, outcome: { type: "done", content: "" } } : record),
    "instead of",
  ],
])("the check finds an evolve that %s", (_damage, fold, problem) => {
  expect(checkInvariants(whole.journal, fold).join("\n")).toContain(problem);
});

test("the check finds an effect without an intent, and one that runs twice", () => {
  const moves = whole.moves.map((move) => ({
    ...move,
    records: move.records.filter(({ type }) => type !== "tool-started"),
  }));
  const journal = whole.journal.filter(({ type }) => type !== "tool-started");
  expect(checkEffects({ ...whole, journal, moves })).toEqual([
    "a runs without a durable intent",
    "b runs without a durable intent",
  ]);
  const started = whole.moves.find((move) =>
    move.effects.some((effect) => effect.type === "run-tool" && effect.callId === "b"),
  );
  const twice = started === undefined ? [] : [...whole.moves.slice(0, 6), { ...started, records: [] }];
  expect(checkEffects({ ...whole, journal: whole.journal.slice(0, journalLength(twice)), moves: twice })).toEqual([
    "b runs twice",
  ]);
});

function journalLength(moves: Played["moves"]): number {
  return moves.reduce((count, move) => count + move.records.length, 2);
}

/** An evolve that puts the calls of a batch the wrong way round once one of them ends. */
function reversing(type: JournalRecord["type"]): Fold {
  return (state, record) => {
    const next = evolve(state, record);
    const { operation } = next;
    if (record.type !== type || operation.type !== "tool-loop") return next;
    return {
      ...next,
      operation: { ...operation, batch: { ...operation.batch, calls: operation.batch.calls.toReversed() } },
    };
  };
}

/** A plan that is approved and carried out, while other words wait. */
const planned = play(
  [
    says("t1"),
    packed("t1"),
    completes("t1.s1", callAnswer([call("p", "present")])),
    prepared("t1.s1", { p: action("present") }),
    says("t2"),
    answers("1-t1", { type: "plan", digest: action("present").digest, decision: "proceed-clean" }),
  ],
  sessionConfig({ mode: "plan" }),
);

const replanned = (change: (record: JournalRecord) => readonly JournalRecord[]): readonly JournalRecord[] =>
  planned.journal.flatMap(change);

test("the journal of a plan that was approved holds", () => {
  expect(checkInvariants(planned.journal)).toEqual([]);
});

test.each<[string, readonly JournalRecord[], string]>([
  [
    "a plan's turn begins without an approval",
    replanned((record) => (record.type === "interaction-resolved" ? [] : [record])),
    "was not approved just before",
  ],
  [
    "other words come before the plan",
    replanned((record) => {
      if (record.type !== "turn-started" || record.plan === undefined) return [record];
      const { plan: _plan, ...other } = record;
      return [other];
    }),
    "another turn begins before the approved plan's",
  ],
  [
    "another plan is carried out",
    replanned((record) =>
      record.type === "turn-started" && record.plan !== undefined
        ? [{ ...record, plan: { ...record.plan, digest: "other" } }]
        : [record],
    ),
    "bound to another plan",
  ],
  [
    "other words are carried out than were shown",
    replanned((record) =>
      record.type === "turn-started" && record.plan !== undefined
        ? [{ ...record, content: [{ type: "text", text: "something else" }] }]
        : [record],
    ),
    "not the plan that was shown",
  ],
])("the check finds it when %s", (_damage, journal, problem) => {
  expect(checkInvariants(journal).join("\n")).toContain(problem);
});

const forgetful: Fold = (state, record) => ({ ...evolve(state, record), summary: null });

test("the check finds a clean context that is none, and a change in plan mode", () => {
  expect(checkInvariants(planned.journal, forgetful).join("\n")).toContain("shows what was said before");
  const inPlanMode = changed((record) =>
    record.type === "session-configured" ? { ...record, config: { ...record.config, mode: "plan" } } : record,
  );
  expect(checkInvariants(inPlanMode).join("\n")).toContain("began in plan mode");
});
