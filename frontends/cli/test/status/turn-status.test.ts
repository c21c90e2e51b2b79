import { type JournalRecord, toStepId } from "@capstan/protocol";
import { action, call, callId, message, sessionConfig, testUsage } from "@capstan/testkit";
import { expect, test } from "vitest";
import { TurnStatus } from "../../src/status/turn-status.ts";
import { approval, numbered, turnEnded, turnId, turnStarted } from "../fake-session.ts";

const stepId = toStepId("turn-1.s1");
const room = { columns: 79, rows: 24, asSent: (text: string) => text };
const rest = "test/model-1 · default · no sandbox";

const asked: readonly JournalRecord[] = [
  turnStarted(),
  { type: "step-started", stepId, turnId, attempt: 1, model: "test/model-1" },
];
const answered: JournalRecord = {
  type: "step-completed",
  stepId,
  message: message(call("a", "act"), call("b", "act")),
  reason: "tool-calls",
  usage: testUsage,
  costUsd: 0,
};

function running(id: string): readonly JournalRecord[] {
  return [
    {
      type: "tool-decided",
      callId: callId(id),
      action: { ...action("act"), summary: `Run ${id}` },
      judgement: { verdict: "allow", reason: "" },
    },
    { type: "tool-started", callId: callId(id), digest: "", settle: { files: [] } },
  ];
}

function prints(delta: string, id = "a"): JournalRecord {
  return { type: "tool-output-delta", callId: callId(id), stream: "stdout", delta };
}

function finished(id: string): JournalRecord {
  const outcome = { type: "done", content: "" } as const;
  return { type: "tool-finished", callId: callId(id), outcome, changes: [], observed: [], durationMs: 1 };
}

/** After the records, all of the same moment, and twelve seconds. */
function lines(records: readonly JournalRecord[], asksHere = false, shown = room): readonly string[] {
  const status = new TurnStatus(asksHere);
  const config = sessionConfig();
  status.opened({ config });
  for (const event of numbered(records, 0)) status.take(event);
  return status.lines(12_000, shown);
}

test.each<readonly [string, readonly JournalRecord[], readonly string[]]>([
  ["nothing yet", [], []],
  ["asked", asked, [`waiting for the model · 12 s · ${rest}`]],
  ["it answers", [...asked, { type: "text-delta", stepId, delta: "x" }], [`the model answers · 12 s · ${rest}`]],
  ["it thinks", [...asked, { type: "thinking-delta", stepId, delta: "x" }], [`the model thinks · 12 s · ${rest}`]],
  ["a command", [...asked, answered, ...running("a")], [`▸ Run a · 12 s · ${rest}`]],
  ["two", [...asked, answered, ...running("a"), ...running("b")], [`▸ Run b (and 1 more) · 12 s · ${rest}`]],
  ["between calls", [...asked, answered, ...running("a"), finished("a")], [`waiting for the model · 12 s · ${rest}`]],
  ["after the turn", [...asked, turnEnded("done")], []],
])("%s: the line says what runs, how long, model, mode and sandbox", (_name, records, expected) => {
  expect(lines(records)).toEqual(expected);
});

test("the last three lines that a command printed stand above it, and what was written over a line is one of them", () => {
  const printed = [prints("one\ntwo\n\nthr"), prints("ee\n10 %\r20 %\r"), prints("30 %\n\tlast")];
  const shown = lines([...asked, answered, ...running("a"), ...printed]);
  expect(shown).toEqual(["  │ 20 %", "  │ 30 %", "  │   last", `▸ Run a · 12 s · ${rest}`]);
});

test("what a command prints is nothing that a terminal obeys, also when it comes in pieces", () => {
  const hostile = [prints("\u001b[2J\u001b[3"), prints("1mred\u001b]0;title\u0007\n\u009b5Aup\u202e\u0008\n")];
  expect(lines([...asked, answered, ...running("a"), ...hostile]).slice(0, -1)).toEqual(["  │ red", "  │ up"]);
});

test("a low screen shows no output, a narrow one cut lines", () => {
  const records = [...asked, answered, ...running("a"), prints("漢字".repeat(20))];
  expect(lines(records, false, { ...room, rows: 9 })).toHaveLength(1);
  expect(lines(records, false, { ...room, columns: 19 })).toEqual(["  │ 漢字漢字漢字漢…", "▸ Run a · 12 s"]);
});

test("while a question is asked here nothing is shown, and again when it is answered; where it is asked elsewhere that is said", () => {
  const opened: JournalRecord = { type: "interaction-opened", interaction: approval("i1"), turnId };
  const records = [...asked, answered, ...running("a"), opened];
  expect(lines(records, true)).toEqual([]);
  expect(lines(records)[0]).toContain("waiting for an answer");
  const resolved: JournalRecord = {
    type: "interaction-resolved",
    interactionId: approval("i1").id,
    answer: { type: "deny" },
    origin: { frontend: "cli" },
  };
  expect(lines([...records, resolved], true)).toHaveLength(1);
});

test("a turn that is over shows nothing; words of somebody else show whose they are, as often as they come", () => {
  const status = new TurnStatus(true);
  status.opened({ config: sessionConfig() });
  for (const event of numbered(asked, 0)) status.take(event);
  status.ended();
  const wide = { ...room, columns: 100 };
  const shown = [status.lines(12_000, wide)];
  for (const by of ["ann (cli)", "bob (tui)"]) {
    status.worksFor(by);
    shown.push(status.lines(12_000, wide));
  }
  expect(shown).toEqual([
    [],
    [`waiting for the model · 12 s · words of ann (cli) · ${rest}`],
    [`waiting for the model · 12 s · words of bob (tui) · ${rest}`],
  ]);
});
