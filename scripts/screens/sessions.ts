import {
  type AssistantBlock,
  type FileChange,
  type JournalRecord,
  noUsage,
  toStepId,
  toToolCallId,
  toTurnId,
  userText,
} from "@capstan/protocol";
import { action, call, message, opening, sessionConfig } from "@capstan/testkit";

/** Sessions of the golden screens, record by record. */

type Records = readonly JournalRecord[];

const turnId = toTurnId("t1");
const step = toStepId("t1.s1");
const later = toStepId("t1.s2");
const origin = { frontend: "tui", user: "ada" } as const;

const begun: Records = opening(
  sessionConfig({ sandbox: { isolation: { type: "enforced" }, autoRun: true, withoutIsolation: "ask", hosts: [] } }),
);

function asks(text: string): Records {
  return [...begun, { type: "turn-started", turnId, content: userText(text), origin }];
}

function starts(stepId = step): JournalRecord {
  return { type: "step-started", stepId, turnId, attempt: 1, model: "test/model-1" };
}

function answers(content: readonly (AssistantBlock | string)[], stepId = step): Records {
  const usage = { ...noUsage, inputTokens: 24_000, outputTokens: 600 };
  const reason = content.some((block) => typeof block !== "string") ? "tool-calls" : "stop";
  return [
    starts(stepId),
    { type: "step-completed", stepId, message: message(...content), reason, usage, costUsd: 0.081 },
  ];
}

function says(delta: string, stepId = step): JournalRecord {
  return { type: "text-delta", stepId, delta };
}

const ends: JournalRecord = { type: "turn-ended", turnId, outcome: "done", rolledBack: false };

function decided(id: string, tool: string, path: string, summary: string): JournalRecord {
  const judged = action(tool, { path }, { summary });
  return {
    type: "tool-decided",
    callId: toToolCallId(id),
    action: judged,
    judgement: { verdict: "allow", reason: "A rule allows it." },
  };
}

function runs(id: string, tool: string, path: string, summary: string): Records {
  const { digest } = action(tool, { path }, { summary });
  return [
    decided(id, tool, path, summary),
    { type: "tool-started", callId: toToolCallId(id), digest, settle: { files: [] } },
  ];
}

function prints(id: string, delta: string): JournalRecord {
  return { type: "tool-output-delta", callId: toToolCallId(id), stream: "stdout", delta };
}

function finishes(id: string, content: string, changes: readonly FileChange[] = []): JournalRecord {
  const outcome = { type: "done", content } as const;
  return { type: "tool-finished", callId: toToolCallId(id), outcome, changes, observed: [], durationMs: 1840 };
}

function fails(id: string, content: string): JournalRecord {
  const outcome = { type: "failed", code: "tool.exit", content } as const;
  return { type: "tool-finished", callId: toToolCallId(id), outcome, changes: [], observed: [], durationMs: 92 };
}

const markdown = `## What the parser does

It reads **one line** at a time, and \`parse()\` gives back *either* a record or a [reason](https://example.org/why).

- blank lines are left out
- 漢字 and émojis 🙂 stay as they are
  1. first the header
  2. then every row

| column | meaning |
| --- | --- |
| id | a number |
| name | what users see |

\`\`\`ts
export function parse(line: string): Row {
  return line.split(",");
}
\`\`\`

> A quoted sentence that is long enough to be wrapped where the screen is narrow, and then some more.`;

export const diff: string = `--- a/src/parse.ts
+++ b/src/parse.ts
@@ -1,5 +1,6 @@
 export function parse(line: string): Row {
-  return line.split(",");
+  return line.trim().split(",");
 }
 
+export const separator = ",";
 export type Row = readonly string[];
`;

const change: FileChange = { path: "src/parse.ts", kind: "modified", addedLines: 2, removedLines: 1, diff };

const edits: Records = [
  ...asks("Trim each line before it is split."),
  ...answers(["I will change the parser.", call("c1", "change", { path: "src/parse.ts" })]),
  ...runs("c1", "change", "src/parse.ts", "Edit src/parse.ts"),
  finishes("c1", "changed", [change]),
];

const failure = { code: "provider.unavailable", provider: "test", message: "test: answered 529: overloaded" } as const;

export const sessions: Readonly<Record<string, Records>> = {
  empty: begun,
  answer: [...asks("What does the parser do?"), ...answers([markdown]), ends],
  preparing: asks("What does the parser do?"),
  streaming: [...asks("What does the parser do?"), starts(), says(markdown.slice(0, 520))],
  "streaming-code": [...asks("Show me."), starts(), says("Here:\n\n```ts\nconst a = 1;\nconst b = 2;\nconst ")],
  thinking: [
    ...asks("What does the parser do?"),
    starts(),
    { type: "thinking-delta", stepId: step, delta: "The user asks about the parser.\nI should look at it first." },
  ],
  "writes-a-call": [
    ...asks("Change it."),
    starts(),
    says("I will."),
    { type: "tool-arguments-delta", stepId: step, index: 0, name: "write_file", delta: '{"path":"a.txt"' },
  ],
  running: [
    ...asks("Run the tests."),
    ...answers([call("c1", "act", { path: "tests" })]),
    ...runs("c1", "act", "tests", "npm test"),
    prints("c1", Array.from({ length: 9 }, (_, at) => `✓ test/part-${at + 1}.test.ts\n`).join("")),
  ],
  calls: [
    ...asks("Run the tests."),
    ...answers([call("c1", "look", { path: "package.json" }), call("c2", "act", { path: "tests" })]),
    ...runs("c1", "look", "package.json", "Read package.json"),
    finishes("c1", '{\n  "name": "parser"\n}'),
    ...runs("c2", "act", "tests", "npm test"),
    fails("c2", "1 test failed\nexpected 2 to be 3\n  at test/parse.test.ts:4\n"),
    ...answers(["One test fails: it expects **three** rows."], later),
    ends,
  ],
  edit: [...edits, ...answers(["Each line is trimmed now."], later), ends],
  queued: [
    ...asks("Run the tests."),
    ...answers([call("c1", "act", { path: "tests" })]),
    ...runs("c1", "act", "tests", "npm test"),
    { type: "turn-queued", turnId: toTurnId("t2"), content: userText("Then fix the documents, too."), origin },
    { type: "turn-queued", turnId: toTurnId("t3"), content: userText("And say what changed."), origin },
  ],
  retrying: [
    ...asks("What does the parser do?"),
    starts(),
    { type: "step-retrying", stepId: step, attempt: 1, failure: { ...failure, retryable: true }, delayMs: 8000 },
  ],
  failed: [
    ...asks("What does the parser do?"),
    starts(),
    { type: "step-abandoned", stepId: step, cause: "failed", text: "", failure: { ...failure, retryable: true } },
    {
      type: "turn-ended",
      turnId,
      outcome: "provider-failed",
      message: failure.message,
      rolledBack: true,
      draft: userText("What does the parser do?"),
    },
  ],
  interrupted: [
    ...asks("What does the parser do?"),
    starts(),
    says("It reads one line"),
    { type: "step-abandoned", stepId: step, cause: "cancelled", text: "It reads one line" },
    { type: "turn-ended", turnId, outcome: "interrupted", rolledBack: false },
  ],
  notice: [
    ...begun,
    {
      type: "notice",
      level: "warning",
      code: "tool.left-out",
      text: "the tool `deploy` is left out: its name is taken",
    },
    { type: "session-titled", title: "The parser", origin },
  ],
  long: [...asks("Count."), ...answers([Array.from({ length: 60 }, (_, at) => `- item ${at + 1}`).join("\n")]), ends],
};
