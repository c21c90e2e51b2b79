import { type Interaction, type InteractionRequest, toInteractionId, toToolCallId } from "@capstan/protocol";
import { cardChange } from "@capstan/view";
import { action } from "@capstan/testkit";
import type { Asked } from "../../frontends/tui/src/card/card-choices.ts";
import { diff } from "./sessions.ts";

/** What waits for a user in the golden screens. */

function asked(id: string, request: InteractionRequest): Interaction {
  const origin = { frontend: "tui" };
  return { id: toInteractionId(id), request, digest: "d1", openedAt: 0, expiresAt: null, origin, answerers: [] };
}

const publish = action("act", { path: "x" }, { summary: "npm publish --access public", risk: "high" });
const allowPublish = { verdict: "allow", tool: "act", source: "grant", text: "act(npm publish:*)" } as const;

const command = asked("i1", {
  type: "approval",
  callId: toToolCallId("c1"),
  action: publish,
  reason: "It reaches the network: registry.npmjs.org",
  risk: "high",
  warnings: ["It runs outside the sandbox.", "The name holds a letter that looks like another: U+0435"],
  remembered: { what: "command", rule: allowPublish },
  grant: allowPublish,
});

function edit(id: string, path: string): Interaction {
  return asked(id, {
    type: "approval",
    callId: toToolCallId(id),
    action: action("change", { path }, { summary: `Edit ${path}` }),
    reason: "It changes a file.",
    risk: "low",
    warnings: [],
    changes: [{ path, kind: "modified", addedLines: 2, removedLines: 1, diff }],
    workspaceOffer: true,
  });
}

function proposed(path: string, leftAlone: string | null): Asked {
  const change = cardChange({ path, kind: "modified", addedLines: 2, removedLines: 1, diff });
  const file = { proposal: "p1", path: `/work/${path}` };
  return { id: path, digest: "", request: { type: "proposed", file, summary: `Edit ${path}`, change, leftAlone } };
}

const plan = "# Plan\n\n1. Read the parser.\n2. Trim each line.\n3. Run the tests.\n\nNothing else is touched.";

/** Files that are proposed to be changed. */
export const proposals: readonly Asked[] = [
  proposed("src/parse.ts", null),
  proposed("src/print.ts", "it was changed since"),
  ...["one", "two", "three", "four", "five"].map((name) => proposed(`src/parts/${name}.ts`, null)),
];

export const questions: Readonly<Record<string, readonly Asked[]>> = {
  command: [command],
  edit: [edit("i1", "src/parse.ts")],
  several: [edit("i1", "src/parse.ts"), edit("i2", "src/print.ts"), command],
  question: [
    asked("i1", {
      type: "question",
      callId: toToolCallId("c1"),
      questions: [
        {
          question: "Which separator should rows have?",
          options: [{ label: "comma", description: "as today" }, { label: "semicolon" }, { label: "tab" }],
          multiple: false,
        },
      ],
    }),
  ],
  "several-answers": [
    asked("i1", {
      type: "question",
      callId: toToolCallId("c1"),
      questions: [
        { question: "What should be left out?", options: [{ label: "blanks" }, { label: "notes" }], multiple: true },
        { question: "Why?", options: [], multiple: false },
      ],
    }),
  ],
  plan: [asked("i1", { type: "plan-review", callId: toToolCallId("c1"), plan })],
  budget: [asked("i1", { type: "budget", limit: "max_cost_usd", used: 1.02, allowed: 1 })],
  recovery: [
    asked("i1", {
      type: "recovery",
      calls: [
        {
          callId: toToolCallId("c1"),
          action: action("act", { path: "x" }, { summary: "npm run migrate" }),
          finding: "it was running when the process died",
          changed: ["/work/data.db"],
        },
      ],
    }),
  ],
  "left-open": [
    {
      id: "left-open",
      digest: "",
      request: {
        type: "left-open",
        lines: [{ tone: "warning", text: "npm run migrate: it was running, and nobody knows how it ended" }],
        hasTurn: true,
      },
    },
  ],
};
