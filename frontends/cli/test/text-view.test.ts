import { type AssistantBlock, type JournalRecord, toStepId } from "@capstan/protocol";
import { action, call, callId, message, providerFailure, testUsage } from "@capstan/testkit";
import { expect, test } from "vitest";
import type { RunResult } from "../src/turn/run-result.ts";
import { createTextView } from "../src/text-view.ts";
import { numbered, sessionId, turnStarted } from "./fake-session.ts";
import { type CapturedStreams, capturedStreams } from "./captured-streams.ts";

const stepId = toStepId("turn-1.s1");

const done: RunResult = {
  outcome: "done",
  text: "",
  usage: { ...testUsage, inputTokens: 12, outputTokens: 3 },
  costUsd: 0.5,
  modelCalls: 2,
  toolCalls: 0,
  filesChanged: [],
  proposedChanges: [],
  deniedCalls: [],
};
const summary = "done · 2 model calls, 12 tokens in, 3 out, $0.5000 · session session-1\n";

interface Shown {
  readonly terminal?: boolean;
  readonly colors?: boolean;
  readonly records?: readonly JournalRecord[];
  readonly result?: Partial<RunResult>;
  readonly asksHere?: boolean;
}

function show({ records = [], result = {}, asksHere = false, ...options }: Shown): CapturedStreams {
  const streams = capturedStreams(options);
  const view = createTextView(streams, { asksHere });
  for (const event of numbered([turnStarted(), ...records], 2)) view.event(event);
  view.finished({ sessionId, durationMs: 5, result: { ...done, ...result } });
  return streams;
}

function check(shown: Shown, expected: { readonly out: string; readonly progress?: unknown }): void {
  const streams = show(shown);
  const { out, progress = expect.any(String) } = expected;
  expect({ out: streams.out(), progress: streams.progressText() }).toEqual({ out, progress });
}

function delta(text: string): JournalRecord {
  return { type: "text-delta", stepId, delta: text };
}

function completed(...content: readonly (AssistantBlock | string)[]): JournalRecord {
  return {
    type: "step-completed",
    stepId,
    message: message(...content),
    reason: "stop",
    usage: testUsage,
    costUsd: 0,
  };
}

function retrying(words: string): JournalRecord {
  return { type: "step-retrying", stepId, attempt: 1, failure: providerFailure({ message: words }), delayMs: 1500 };
}

test("piped: the last answer alone goes to stdout, whole, at the end, with a line's end", () => {
  check(
    { records: [delta("hel"), delta("lo"), completed("hello")], result: { text: "hello" } },
    { out: "hello\n", progress: summary },
  );
  check({ result: { text: "line\n" } }, { out: "line\n" });
  check({ result: { text: "" } }, { out: "" });
});

test("piped: an answer that leads on to tools is progress", () => {
  check(
    { records: [completed("I look. ", call("c1", "look")), completed("done now")], result: { text: "done now" } },
    { out: "done now\n", progress: `I look.\n${summary}` },
  );
});

test("what the vendor's own tools did, and the sources of an answer, are progress", () => {
  const search: AssistantBlock = {
    type: "provider-item",
    item: { type: "server_tool_use", id: "s", name: "web_search", input: { query: "capstan" } },
  };
  const cited: AssistantBlock = { type: "text", text: "So.", citations: [{ url: "https://a.test", title: "A" }] };
  const progress = `▸ web_search: capstan\nSources:\n  [1] A — https://a.test\n${summary}`;
  check({ records: [completed(search, cited)], result: { text: "So." } }, { out: "So.\n", progress });
  check({ terminal: true, records: [delta("So."), completed(search, cited)] }, { out: "So.\n", progress });
});

test("terminal: the answer comes live, each answer on lines of its own", () => {
  check(
    {
      terminal: true,
      records: [delta("hel"), delta("lo"), completed("hello"), delta("more"), completed("more")],
      result: { text: "more" },
    },
    { out: "hello\nmore\n", progress: summary },
  );
  check(
    { terminal: true, records: [delta("line\n"), completed("line\n")], result: { text: "line\n" } },
    { out: "line\n" },
  );
});

test("terminal: an answer without pieces is shown when it is whole", () => {
  check(
    { terminal: true, records: [completed("short")], result: { text: "short" } },
    { out: "short\n", progress: summary },
  );
});

test("a retry voids what was shown: the next attempt begins on a line of its own, and only its text counts", () => {
  const records = [delta("half an ans"), retrying("overloaded"), delta("whole"), completed("whole")];
  const retry = "overloaded — trying again in 1.5 s (attempt 2)\n";
  check(
    { terminal: true, records, result: { text: "whole" } },
    { out: "half an ans\nwhole\n", progress: retry + summary },
  );
  check({ records, result: { text: "whole" } }, { out: "whole\n", progress: retry + summary });
});

test("terminal: an answer that broke off ends its line before anything else is said", () => {
  const records: readonly JournalRecord[] = [
    delta("half"),
    { type: "step-abandoned", stepId, cause: "cancelled", text: "half" },
  ];
  check(
    { terminal: true, records, result: { text: "half", outcome: "interrupted", error: { message: "Cancelled." } } },
    {
      out: "half\n",
      progress: `interrupted: Cancelled.\n${summary.replace("done", "interrupted")}`,
    },
  );
});

test("a started call is reported with its summary, and ends the line of a live answer", () => {
  const acted = action("act", { path: "a" });
  const records: readonly JournalRecord[] = [
    delta("now"),
    { type: "tool-decided", callId: callId("c1"), action: acted, judgement: { verdict: "allow", reason: "rule" } },
    { type: "tool-started", callId: callId("c1"), digest: acted.digest, settle: { files: [] } },
  ];
  check({ terminal: true, records }, { out: "now\n", progress: `▸ act a\n${summary}` });
});

test("what was denied is listed, with how to allow it", () => {
  check(
    {
      result: {
        deniedCalls: [
          {
            tool: "act",
            summary: "act a",
            reason: "no rule",
            by: "unattended",
            passesWith: { type: "rule", rule: "act" },
          },
          { tool: "act", summary: "act b", reason: "no rule", by: "policy" },
        ],
      },
    },
    {
      out: "",
      progress: `denied: act a\ndenied: act b\nAllow it: capstan run --resume session-1 --allow 'act' "continue"\n${summary}`,
    },
  );
});

test("a failure is reported with its hint, and that nothing was kept where the words are handed back", () => {
  const failure = providerFailure({ hint: "Set ANTHROPIC_API_KEY." });
  check(
    { result: { outcome: "provider-failed", error: { message: "refused", failure }, draft: "go" } },
    {
      out: "",
      progress: `provider-failed: refused\nSet ANTHROPIC_API_KEY.\nNothing of this turn was kept; send it again when the cause is gone.\nAgain: capstan run --resume session-1 'go'\n${summary.replace("done", "provider-failed")}`,
    },
  );
});

test("what was put off at this terminal is continued by one short line; elsewhere each question has its own command", () => {
  const pending = [
    { id: "i1", type: "approval", summary: "Create a", command: "capstan interactions answer i1" },
  ] as const;
  const error = { message: "1 question waits for an answer; then capstan run --resume session-1" };
  const result = { outcome: "parked", error, pending } as const;
  const last = summary.replace("done", "parked");
  check(
    { asksHere: true, result },
    {
      out: "",
      progress: `parked: 1 question waits for an answer\n  approval: Create a\nAnswer and continue: capstan resume session-1\n${last}`,
    },
  );
  check(
    { result },
    {
      out: "",
      progress: `parked: ${error.message}\n  approval: Create a\n    look: capstan interactions show i1\n    answer: capstan interactions answer i1\n${last}`,
    },
  );
});

test.each(["proposed", "tool-denied", "limit-reached"] as const)(
  "%s: what was proposed is named with the commands that make it or drop it",
  (outcome) => {
    const proposedChanges = [{ path: "a.txt", kind: "created" as const, addedLines: 1, removedLines: 0 }];
    const text = show({ result: { outcome, proposedChanges } }).progressText();
    expect(text).toContain("proposed: changes of 1 file; none of them is made\n");
    expect(text).toContain("capstan proposals apply session-1 (or drop them: proposals refuse)\n");
    expect(show({ result: { outcome } }).progressText()).not.toContain("none of them is made");
  },
);

test("the summary counts changed files, and admits an unknown cost", () => {
  const change = { path: "a", kind: "created", addedLines: 1, removedLines: 0 } as const;
  expect(progressOf({ costUsd: null })).toContain(", cost unknown · session");
  expect(progressOf({ filesChanged: [change] })).toContain(", 1 file changed · session");
  expect(progressOf({ filesChanged: [change, change] })).toContain(", 2 files changed · session");
});

test("nothing that others wrote reaches the screen as an escape or a turned-around text", () => {
  const evil = "a\u001b[2Jb\u001b]0;title\u0007c\u202ed\u009b31me\r\u0007";
  const records: readonly JournalRecord[] = [
    delta("x\u001b"),
    delta("[2Jy"),
    retrying(evil),
    delta(evil),
    completed(evil, call("c1", "look")),
    { type: "notice", level: "warning", code: "test", text: evil },
    { type: "step-abandoned", stepId, cause: "failed", text: "", failure: providerFailure({ message: evil }) },
  ];
  const result: Partial<RunResult> = {
    text: evil,
    outcome: "provider-failed",
    error: { message: evil, failure: providerFailure({ message: evil, hint: evil }) },
    deniedCalls: [{ tool: evil, summary: evil, reason: evil, by: "policy" }],
  };
  for (const terminal of [true, false]) {
    const streams = show({ terminal, records, result });
    expect(streams.out() + streams.progressText()).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e]/u);
    expect(streams.out()).toContain("abcde");
  }
});

test("colours are used only when they are wanted", () => {
  const result: Partial<RunResult> = { outcome: "error", error: { message: "bad" } };
  expect(show({ colors: true, result }).progressText()).toContain("\u001b[31merror: bad\u001b[0m\n");
  expect(show({ colors: false, terminal: true, result }).progressText()).not.toContain("\u001b");
});

function progressOf(result: Partial<RunResult>): string {
  return show({ result }).progressText();
}
