import { type Interaction, type InteractionRequest, toInteractionId, toToolCallId } from "@capstan/protocol";
import { action } from "@capstan/testkit";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readAnswer } from "../../src/asking/read-answer.ts";

const digest = "d".repeat(64);
const rule = { verdict: "allow", tool: "act", source: "grant", text: "act" } as const;

function asked(request: InteractionRequest): Interaction {
  const id = toInteractionId("t1.i1");
  return { id, request, digest, openedAt: 0, expiresAt: null, origin: { frontend: "cli" }, answerers: [] };
}

const callId = toToolCallId("a");
const bare = { type: "approval", callId, action: action("act"), reason: "r", risk: "low", warnings: [] } as const;
const approval = asked({ ...bare, grant: rule, remembered: { what: "tool", rule }, workspaceOffer: true });
const plan = asked({ type: "plan-review", callId, plan: "do it" });
const questions = asked({
  type: "question",
  callId,
  questions: [
    { question: "which?", options: [{ label: "left" }, { label: "right" }], multiple: false },
    { question: "what else?", options: [{ label: "a" }, { label: "b" }], multiple: true },
  ],
});

const fitting: readonly (readonly [Interaction, readonly string[], object])[] = [
  [approval, ["y"], { type: "approve", digest }],
  [approval, [" YES "], { type: "approve", digest }],
  [approval, ["s"], { type: "approve", digest, scope: "session" }],
  [approval, ["1"], { type: "approve", digest }],
  [approval, ["2"], { type: "approve", digest, scope: "session" }],
  [approval, ["a"], { type: "approve", digest, scope: "workspace" }],
  [approval, ["7"], { type: "approve", digest, scope: "always" }],
  [approval, ["5 because"], { type: "deny", message: "because" }],
  [approval, ["n"], { type: "deny" }],
  [approval, ["no use the  other"], { type: "deny", message: "use the  other" }],
  [approval, ['e {"path":"b"}'], { type: "edit", digest, arguments: { path: "b" } }],
  [approval, ["e", '{"path":"b"}'], { type: "edit", digest, arguments: { path: "b" } }],
  [plan, ["p"], { type: "plan", digest, decision: "proceed" }],
  [plan, ["c auto"], { type: "plan", digest, decision: "proceed-clean", mode: "auto" }],
  [plan, ["a smaller steps"], { type: "plan", digest, decision: "adjust", message: "smaller steps" }],
  [plan, ["x"], { type: "plan", digest, decision: "cancel" }],
  [questions, ["2", "1, 2,other"], { type: "reply", answers: [["right"], ["a", "b", "other"]] }],
  [questions, ["neither", "7"], { type: "reply", answers: [["neither"], ["7"]] }],
  [questions, ["2", "/deny not now"], { type: "deny", message: "not now" }],
  [asked({ type: "budget", limit: "x", used: 1, allowed: 1 }), ["c"], { type: "continue" }],
  [asked({ type: "recovery", calls: [] }), ["u"], { type: "undo" }],
];

test.each(fitting)("%# is what was typed", (interaction, lines, answer) => {
  expect(readAnswer(interaction, lines)).toEqual({ type: "answer", answer });
});

describe("nothing but a clear yes approves", () => {
  test.each([
    "",
    " ",
    "ok",
    "yes please",
    "y y",
    "sure",
    "👍",
    "Y?",
    "approve",
    "yn",
    "0",
    "11",
    "6",
    "8",
    "always",
    "s now",
  ])("%j", (line) => {
    expect(readAnswer(approval, [line]).type).not.toBe("answer");
  });

  test("nor anything else that is typed", () => {
    const words = fc.string().filter((line) => !/^\s*(?:y|yes|s|a|[1237])\s*$/i.test(line));
    fc.assert(
      fc.property(words, (line) => {
        const read = readAnswer(approval, [line]);
        expect(read.type === "answer" && read.answer.type === "approve").toBe(false);
      }),
    );
  });

  test("what cannot be remembered is not", () => {
    const kinds = ["a", "s", "2", "3", "7"].map((line) => readAnswer(asked(bare), [line]).type);
    expect(new Set(kinds)).toEqual(new Set(["unclear"]));
  });
});
