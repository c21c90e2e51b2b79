/** Questions that bring their own time and a default answer. */
import { decide, type Stimulus } from "@capstan/engine";
import { type Question, toInteractionId } from "@capstan/protocol";
import {
  action,
  answers,
  call,
  callAnswer,
  checkInvariants,
  completes,
  fires,
  packed,
  play,
  prepared,
  restarts,
  says,
  sessionConfig,
} from "@capstan/testkit";
import { expect, test } from "vitest";

const plain: Question = { question: "Which?", options: [], multiple: false };
const defaulted: Question = { ...plain, defaults: ["blue"], timeoutMs: 500 };

function asking(...questions: readonly Question[]): readonly Stimulus[] {
  return [
    says("t1"),
    packed("t1"),
    completes("t1.s1", callAnswer([call("a", "ask")])),
    prepared("t1.s1", { a: action("ask", {}, { session: { type: "ask-user", questions } }) }),
  ];
}

const expires = fires("1-t1.expiry");
const finished = { type: "tool-finished", callId: "a" };

test("at the time-out the default counts, and the model reads that it is one", () => {
  const { last, journal } = play([...asking(defaulted), expires]);
  expect(last.records[1]).toMatchObject({
    ...finished,
    outcome: { type: "done", content: expect.stringContaining("blue (default)"), details: { answeredBy: "default" } },
  });
  expect(checkInvariants(journal)).toEqual([]);
});

test("without a default the call fails, and names the question", () => {
  const { last } = play([...asking(defaulted, { ...plain, timeoutMs: 700 }), expires]);
  expect(last.records[1]).toMatchObject({
    ...finished,
    outcome: { type: "failed", code: "interaction.expired", content: expect.stringMatching(/within 0\.7 s.*Which\?/) },
  });
});

test.each<[string, readonly Question[], number | null, number | null]>([
  ["its own time", [defaulted], null, 500],
  ["the longest of several", [defaulted, { ...defaulted, timeoutMs: 900 }], null, 900],
  ["as long as it takes, where one has none", [defaulted, plain], null, null],
  ["never longer than the configuration says", [defaulted], 100, 100],
  ["what the configuration says, where it has none", [plain], 100, 100],
])("a question waits %s", (_name, questions, interactionExpiryMs, expected) => {
  const { journal } = play(asking(...questions), sessionConfig({ interactionExpiryMs }));
  const opened = journal.flatMap((record) => (record.type === "interaction-opened" ? [record.interaction] : []));
  expect(opened.map(({ openedAt, expiresAt }) => (expiresAt === null ? null : expiresAt - openedAt))).toEqual([
    expected,
  ]);
});

test("answered in time, too late, twice and after a restart: one outcome each", () => {
  const reply = { type: "reply", answers: [["red"]] } as const;
  const outcomes = (stimuli: readonly Stimulus[]): readonly unknown[] =>
    play([...asking(defaulted), ...stimuli]).journal.flatMap((record) =>
      record.type === "tool-finished" ? [record.outcome] : [],
    );
  const red = [{ type: "done", content: "The user answered:\nWhich?\n-> red" }];
  const blue = [expect.objectContaining({ details: { answeredBy: "default" } })];
  expect(outcomes([answers("1-t1", reply)])).toEqual(red);
  expect(outcomes([answers("1-t1", reply), expires, restarts])).toEqual(red);
  expect(outcomes([expires, restarts, expires])).toEqual(blue);
  expect(outcomes([restarts, expires])).toEqual(blue);
  const { state } = play([...asking(defaulted), expires]);
  const submission = { type: "answer", interactionId: toInteractionId("1-t1"), answer: reply } as const;
  const late = {
    type: "submission",
    submission,
    origin: { frontend: "cli", user: "tester" },
    role: "operate",
  } as const;
  expect(decide(state, { ...late, at: 501 })).toMatchObject({ records: [], refusal: {} });
});

test("where nobody can be asked the default counts at once", () => {
  const { last } = play(asking(defaulted), sessionConfig({ askPolicy: "deny" }));
  expect(last.records).toContainEqual(
    expect.objectContaining({ ...finished, outcome: expect.objectContaining({ type: "done" }) }),
  );
  const denied = play(asking(plain), sessionConfig({ askPolicy: "deny" })).last.records;
  expect(denied).toContainEqual(expect.objectContaining({ outcome: expect.objectContaining({ type: "denied" }) }));
});
