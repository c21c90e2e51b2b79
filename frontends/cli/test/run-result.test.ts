import type { FileChange, JournalRecord, SessionEvent } from "@capstan/protocol";
import { noUsage, toInteractionId, toTurnId, userText } from "@capstan/protocol";
import {
  action,
  allowing,
  call,
  callAnswer,
  completes,
  denying,
  ends,
  fails,
  receives,
  cancels,
  packed,
  play,
  prepared,
  providerFailure,
  restarts,
  says,
  sessionConfig,
  staged,
  testUsage,
  textAnswer,
} from "@capstan/testkit";
import { expect, test } from "vitest";
import { gatherResult } from "../src/turn/gather-result.ts";
import type { RunResult } from "../src/turn/run-result.ts";

function events(journal: readonly JournalRecord[]): readonly SessionEvent[] {
  return journal.map((record, index) => ({ seq: index + 1, at: 0, record }));
}

/** What the events of a session come to for turn `t1`. */
function gather(journal: readonly JournalRecord[]): RunResult {
  const running = gatherResult(toTurnId("t1"));
  for (const event of events(journal)) running.push(event);
  return running.result("error");
}

const nothing: RunResult = {
  outcome: "done",
  text: "",
  usage: noUsage,
  costUsd: 0,
  modelCalls: 0,
  toolCalls: 0,
  filesChanged: [],
  proposedChanges: [],
  deniedCalls: [],
};

const change = (kind: FileChange["kind"], addedLines: number, removedLines: number, path = "a.txt"): FileChange => ({
  path,
  kind,
  addedLines,
  removedLines,
  diff: `+${addedLines}`,
});

test("an answer without tools", () => {
  const { journal } = play([says("t1"), packed("t1"), completes("t1.s1", textAnswer("Hello."))]);
  expect(gather(journal)).toEqual({ ...nothing, text: "Hello.", usage: testUsage, costUsd: 0.0045, modelCalls: 1 });
});

test("the text is the last answer's; calls, usage, cost and changes add up, changes of one path joined", () => {
  const { journal } = play(
    [
      says("t1"),
      packed("t1"),
      ...round(1, "a", [change("created", 3, 0), change("modified", 1, 1, "b.txt")]),
      ...round(2, "b", [change("modified", 2, 1)]),
      ...round(3, "c", [change("deleted", 0, 4)]),
      completes("t1.s4", textAnswer("Did it.")),
    ],
    sessionConfig({ policy: { rules: [allowing("change")] } }),
  );
  expect(gather(journal)).toEqual({
    ...nothing,
    text: "Did it.",
    usage: { ...testUsage, inputTokens: 4000, outputTokens: 400 },
    costUsd: 0.018,
    modelCalls: 4,
    toolCalls: 3,
    filesChanged: [{ ...change("deleted", 5, 5), diff: "+0" }, change("modified", 1, 1, "b.txt")],
  });
});

test("a denied call is listed with its reason, and the outcome says so", () => {
  const { journal } = play(
    [
      says("t1"),
      packed("t1"),
      completes("t1.s1", callAnswer([call("a", "act")])),
      prepared("t1.s1", { a: action("act") }),
      completes("t1.s2", textAnswer("I may not.")),
    ],
    sessionConfig({ policy: { rules: [denying("act")] } }),
  );
  const result = gather(journal);
  expect(result).toMatchObject({
    outcome: "tool-denied",
    text: "I may not.",
    error: { message: "a tool call was denied" },
  });
  expect(result.deniedCalls).toHaveLength(1);
  expect(result.deniedCalls[0]).toMatchObject({ tool: "act", summary: "act file.txt" });
});

test("a call that was refused before anybody knew its action is listed with what it was about", () => {
  const { journal } = play(
    [
      says("t1"),
      packed("t1"),
      completes("t1.s1", callAnswer([call("a", "read_file", { path: "/etc/hosts" })])),
      prepared("t1.s1", { a: { type: "denied", by: "policy", content: "It leads outside." } }),
      completes("t1.s2", textAnswer("I may not.")),
    ],
    sessionConfig(),
  );
  expect(gather(journal).deniedCalls).toMatchObject([{ tool: "read_file", summary: "read_file /etc/hosts" }]);
});

test("a proposal is no change", () => {
  const { journal } = play(
    [
      says("t1"),
      packed("t1"),
      completes("t1.s1", callAnswer([call("a", "change")])),
      prepared("t1.s1", { a: action("change") }),
      staged("a", { changes: [change("created", 1, 0)] }),
    ],
    sessionConfig({ mode: "auto", strategy: "review" }),
  );
  expect(gather(journal)).toMatchObject({
    outcome: "proposed",
    filesChanged: [],
    proposedChanges: [change("created", 1, 0)],
  });
});

test("what a turn proposed goes with it when it is stopped before anything ran, and rolled back", () => {
  const { journal } = play(
    [
      says("t1"),
      packed("t1"),
      completes("t1.s1", callAnswer([call("a", "change"), call("b", "change")])),
      prepared("t1.s1", { a: action("change"), b: action("change") }),
      staged("a", { changes: [change("created", 1, 0)] }),
      cancels(),
    ],
    sessionConfig({ mode: "auto", strategy: "review" }),
  );
  expect(journal.some((record) => record.type === "tool-finished" && record.outcome.type === "proposed")).toBe(true);
  expect(journal.at(-1)).toMatchObject({ type: "turn-ended", rolledBack: true });
  expect(gather(journal)).toMatchObject({ outcome: "interrupted", proposedChanges: [] });
});

test("a failure has its code, and the words come back as a draft", () => {
  const failure = providerFailure({ retryable: false });
  const { journal } = play([says("t1", "hello"), packed("t1"), fails("t1.s1", failure)]);
  expect(gather(journal)).toEqual({
    ...nothing,
    outcome: "provider-failed",
    error: { message: "overloaded", code: "provider.http", failure },
    draft: "hello",
  });
});

test("an interrupted answer is kept as far as it was shown", () => {
  const { journal } = play([
    says("t1"),
    packed("t1"),
    receives("t1.s1", [{ type: "text-delta", delta: "So far" }]),
    cancels(),
  ]);
  expect(gather(journal)).toMatchObject({ outcome: "interrupted", text: "So far" });
});

test("a turn that did not end has the outcome the caller says", () => {
  const { journal } = play([says("t1"), packed("t1")]);
  const running = gatherResult(toTurnId("t1"));
  for (const event of events(journal)) running.push(event);
  expect(running.ended).toBe(false);
  expect(running.result("parked")).toEqual({ ...nothing, outcome: "parked", error: { message: "parked" } });
});

test("a turn that was interrupted counts whole, and a turn beside it not at all", () => {
  const { journal } = play([
    says("t0"),
    packed("t0"),
    completes("t0.s1", textAnswer("theirs")),
    says("t1"),
    packed("t1"),
    restarts,
    completes("t1.s1", textAnswer("late"), 2),
  ]);
  expect(gather(journal)).toMatchObject({ outcome: "done", text: "late", modelCalls: 1 });
});

test("words that are taken out of the queue end the run, with the words as a draft where they are handed back", () => {
  const origin = { frontend: "web", user: "someone" };
  const left = { type: "queue-changed", turnId: toTurnId("t1"), origin } as const;
  const content = userText("go");
  const removed = gather([{ ...left, change: { type: "removed" } }]);
  const handedBack = gather([{ ...left, change: { type: "handed-back", content } }]);
  const error = { message: expect.stringContaining("someone, web") };
  expect([removed, handedBack]).toMatchObject([{ error }, { error, draft: "go" }]);
});

test("words that steer are gathered with the turn that reads them", () => {
  const running = gatherResult(toTurnId("t2"));
  const steered = { type: "turn-steered", turnId: toTurnId("t1"), inputId: toTurnId("t2") } as const;
  const ended = { type: "turn-ended", turnId: toTurnId("t1"), outcome: "done", rolledBack: false } as const;
  for (const event of events([{ ...steered, content: userText("go"), origin: { frontend: "cli" } }, ended]))
    running.push(event);
  expect([running.ended, running.turnId, running.result("error").outcome]).toEqual([true, "t1", "done"]);
});

test("an unknown price makes the whole cost unknown", () => {
  const { prices: _prices, ...model } = sessionConfig().model;
  const { journal } = play([says("t1"), packed("t1"), completes("t1.s1", textAnswer("x"))], sessionConfig({ model }));
  expect(gather(journal).costUsd).toBeNull();
});

const round = (step: number, id: string, changes: readonly FileChange[]) => [
  completes(`t1.s${step}`, callAnswer([call(id, "change", { path: id })])),
  prepared(`t1.s${step}`, { [id]: action("change") }),
  staged(id),
  ends(id, { changes }),
];

test("a turn whose plan is approved continues in the one that carries it out, and ends with it", () => {
  const turnId = toTurnId("t1");
  const next = toTurnId("t1.i1.plan");
  const origin = { frontend: "cli" };
  const approved: readonly JournalRecord[] = [
    { type: "turn-started", turnId, content: [], origin },
    {
      type: "interaction-resolved",
      interactionId: toInteractionId("t1.i1"),
      answer: { type: "plan", digest: "d", decision: "proceed" },
      origin,
    },
    { type: "turn-ended", turnId, outcome: "done", rolledBack: false },
  ];
  const carriedOut: readonly JournalRecord[] = [
    { type: "turn-started", turnId: next, content: [], origin, follows: turnId },
    { type: "turn-ended", turnId: next, outcome: "tool-denied", rolledBack: false },
  ];
  const running = gatherResult(turnId);
  for (const event of events(approved)) running.push(event);
  expect(running.ended).toBe(false);
  for (const event of events([...approved, ...carriedOut]).slice(approved.length)) running.push(event);
  expect([running.ended, running.result("error").outcome]).toEqual([true, "tool-denied"]);
});
