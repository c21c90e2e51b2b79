import type { Stimulus } from "@capstan/engine";
import { type ResolvedSubmission, toInteractionId, toTurnId, userText } from "@capstan/protocol";
import { completes, packed, play, says, submit, textAnswer } from "@capstan/testkit";
import { expect, test } from "vitest";
import { maxQueuedTurns } from "../../src/limits.ts";

const open = [says("t1"), packed("t1")];
const answered = completes("t1.s1", textAnswer("done"));
const twoTurns = [...open, answered, says("t2"), packed("t2"), completes("t2.s1", textAnswer("done"))];
const waiting = (count: number): readonly Stimulus[] => Array.from({ length: count }, (_, at) => says(`q${at}`));

/** Why it is refused; `counts`: it leaves a record or is a repetition. */
function refusal(before: readonly Stimulus[], submission: ResolvedSubmission): string {
  return play([...before, submit(submission)]).last.refusal?.reason ?? "counts";
}

const rewind = (keepTurns: number, what: { conversation: boolean; files: boolean }): ResolvedSubmission => ({
  type: "rewind",
  keepTurns,
  ...what,
});
const both = { conversation: true, files: true };

function none(turns: string): string {
  return `there is nothing to take back: the session has ${turns}`;
}

test("a rewind takes back one turn at least and no more than there are, of the conversation, the files, or both", () => {
  expect([-1, 0, 1, 2, 3].map((keep) => refusal(twoTurns, rewind(keep, both)))).toEqual([
    none("2 turns"),
    "counts",
    "counts",
    none("2 turns"),
    none("2 turns"),
  ]);
  expect(refusal([...open, answered], rewind(1, both))).toBe(none("1 turn"));
  expect(refusal([], rewind(0, both))).toBe(none("0 turns"));
  const parts = [
    { conversation: true, files: false },
    { conversation: false, files: true },
    { conversation: false, files: false },
  ];
  expect(parts.map((part) => refusal(twoTurns, rewind(0, part)))).toEqual(["counts", "counts", none("2 turns")]);
});

test.each<[string, ResolvedSubmission]>([
  ["compact", { type: "compact" }],
  ["rewind", rewind(0, both)],
  ["unwind", { type: "unwind" }],
  ["settling proposals", { type: "settle-proposals", decision: "apply" }],
  ["a command", { type: "run-for-user", turnId: toTurnId("r1"), command: { argv: ["ls"] } }],
])("%s needs an idle session", (what, submission) => {
  expect(refusal(open, submission)).toBe(`${what} needs an idle session, and something is open in this one`);
  expect(refusal(twoTurns, submission)).not.toContain("needs an idle session");
});

test("what has nothing to work on is refused with the reason", () => {
  const refused: readonly [ResolvedSubmission, string][] = [
    [{ type: "unwind" }, "there is nothing to bring back: no turn was taken back since the last one"],
    [{ type: "settle-proposals", decision: "apply" }, "nothing is proposed"],
    [{ type: "settle-proposals", decision: "apply", files: [] }, "nothing is proposed"],
    [{ type: "revoke-grant", grantId: "g1" }, "this session remembers no approval g1"],
    [
      { type: "answer", interactionId: toInteractionId("i1"), answer: { type: "deny" } },
      "i1 waits for no answer: it was settled, or never asked",
    ],
    [
      { type: "queue-change", turnId: toTurnId("t9"), change: { type: "now" } },
      "no input t9 is queued: it has begun, was removed, or was never sent",
    ],
    [{ type: "user-input", turnId: toTurnId("t9"), content: userText(" \n") }, "an empty message is not sent"],
    [{ type: "run-for-user", turnId: toTurnId("t9"), command: { argv: [" "] } }, "an empty command is not run"],
    [{ type: "run-for-user", turnId: toTurnId("t9"), command: { argv: [] } }, "an empty command is not run"],
    [{ type: "cancel", reason: "interrupted", turnId: toTurnId("t9") }, "this session has no turn t9"],
    [{ type: "cancel", reason: "interrupted", queued: "hand-back" }, "no turn is open"],
  ];
  expect(refused.map(([submission]) => refusal(twoTurns, submission))).toEqual(refused.map(([, reason]) => reason));
});

test("what is known already is no mistake the second time", () => {
  const again: readonly ResolvedSubmission[] = [
    { type: "user-input", turnId: toTurnId("t1"), content: userText("") },
    { type: "run-for-user", turnId: toTurnId("t1"), command: { argv: [] } },
    { type: "cancel", reason: "interrupted", turnId: toTurnId("t1") },
  ];
  expect(again.map((submission) => refusal(twoTurns, submission))).toEqual(again.map(() => "counts"));
});

test("so many inputs wait and no more; words for the open turn still come", () => {
  const full = `${maxQueuedTurns} messages are queued already`;
  const input: ResolvedSubmission = { type: "user-input", turnId: toTurnId("more"), content: userText("x") };
  expect([maxQueuedTurns - 1, maxQueuedTurns].map((count) => refusal([...open, ...waiting(count)], input))).toEqual([
    "counts",
    full,
  ]);
  expect(refusal([...open, ...waiting(maxQueuedTurns)], { ...input, delivery: "steer" })).toBe("counts");
  expect(refusal([...open, ...waiting(maxQueuedTurns)], { ...input, turnId: toTurnId("q0") })).toBe("counts");
});
