import {
  type HistoryPage,
  type JournalRecord,
  type QueueOutcome,
  type Receipt,
  type Submission,
  toInteractionId,
  toTurnId,
  type TurnId,
  userText,
} from "@capstan/protocol";
import { expect, test } from "vitest";
import { identified, repeatable, repeatedReceipt } from "../src/repeated.ts";

const [turn, other] = [toTurnId("t1"), toTurnId("t2")];
const grantId = "g1";
const unknown: Receipt = { type: "refused", code: "queue.unknown", reason: "no such words" };
const remove: Submission = { type: "queue-change", turnId: turn, change: { type: "remove" } };
const now: Submission = { type: "queue-change", turnId: turn, change: { type: "now" } };
const origin = { frontend: "test" };
const queued: JournalRecord = { type: "turn-queued", turnId: turn, content: userText("words"), origin };
const title: JournalRecord = { type: "session-titled", title: "x", origin };

function changed(turnId: TurnId, change: QueueOutcome): JournalRecord {
  return { type: "queue-changed", turnId, change, origin };
}

function steered(inputId: TurnId, turnId: TurnId): JournalRecord {
  return { type: "turn-steered", inputId, turnId, content: userText("words"), origin };
}

/** A client whose history has these pages, the newest first; every page it is asked for is counted. */
function historyOf(...pages: readonly (readonly JournalRecord[])[]) {
  const asked: (number | null)[] = [];
  let rest = pages.map((records, page) => ({ records, before: pages.length - page - 1 }));
  const history = (before: number | null): Promise<HistoryPage> => {
    asked.push(before);
    const [page = { records: [], before: 0 }, ...later] = rest;
    rest = later;
    const events = page.records.map((record, index) => ({ seq: page.before * 10 + index, at: 0, record }));
    return Promise.resolve({ events, before: page.before === 0 ? null : page.before });
  };
  return { asked, client: { history } };
}

test("what counted the first time has counted: its receipt names the record that came of it, found on an earlier page too", async () => {
  const { client, asked } = historyOf([title], [title, changed(turn, { type: "removed" })], [queued]);
  expect(await repeatedReceipt(remove, unknown, client)).toEqual({ type: "accepted", seq: 11 });
  expect(asked).toEqual([null, 2]);
});

test.each<[string, Submission, JournalRecord]>([
  ["words sent now", now, steered(turn, other)],
  ["a grant taken back", { type: "revoke-grant", grantId }, { type: "grant-revoked", grantId }],
])("%s are found by what was recorded of them", async (_what, submission, record) => {
  const { client } = historyOf([record]);
  expect(await repeatedReceipt(submission, unknown, client)).toEqual({ type: "accepted", seq: 0 });
});

test.each<[string, Submission, JournalRecord]>([
  ["of other words", remove, changed(other, { type: "removed" })],
  ["of another kind", remove, changed(turn, { type: "replaced", content: userText("others") })],
  ["of other words sent now", now, steered(other, turn)],
  ["of another grant", { type: "revoke-grant", grantId }, { type: "grant-revoked", grantId: "g2" }],
  ["of a grant, where words were changed", remove, { type: "grant-revoked", grantId }],
])("a record %s is no proof: the refusal stays", async (_what, submission, record) => {
  const { client, asked } = historyOf([record], [title]);
  expect(await repeatedReceipt(submission, unknown, client)).toEqual(unknown);
  expect(asked).toEqual([null, 1]);
});

test("nothing before the words were queued is read", async () => {
  const { client, asked } = historyOf([queued], [title]);
  expect(await repeatedReceipt(remove, unknown, client)).toEqual(unknown);
  expect(asked).toEqual([null]);
});

test.each<Receipt>([
  { type: "accepted", seq: 3 },
  { type: "refused", code: "session.waiting", reason: "not now" },
])("a receipt that says what became of it stands, and nothing is read", async (receipt) => {
  const { client, asked } = historyOf([title]);
  expect(await repeatedReceipt(remove, receipt, client)).toBe(receipt);
  expect(asked).toEqual([]);
});

test("a cancel names the turn that was open before it is repeated, and is not repeated where none is known", () => {
  const cancel = { type: "cancel", reason: "interrupted" } satisfies Submission;
  expect(repeatable(cancel, turn)).toEqual({ ...cancel, turnId: turn });
  expect(repeatable(cancel, null)).toBeNull();
  expect(repeatable({ ...cancel, turnId: other }, null)).toEqual({ ...cancel, turnId: other });
  expect(repeatable(remove, null)).toBe(remove);
});

test("an id is given once: what has one keeps it, and what needs none gets none", () => {
  const ids = ["a", "b"].values();
  const newId = (): string => ids.next().value ?? "none";
  const compact = identified({ type: "compact" }, newId);
  expect(compact).toEqual({ type: "compact", submissionId: "a" });
  expect(identified(compact, newId)).toBe(compact);
  expect(identified(remove, newId)).toBe(remove);
  const answer = identified(
    { type: "answer", interactionId: toInteractionId("i1"), answer: { type: "reply", answers: [["yes"]] } },
    newId,
  );
  expect(answer).toMatchObject({ answerId: "b" });
  expect(identified(answer, newId)).toBe(answer);
});
