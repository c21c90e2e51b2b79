import {
  type ApprovalScope,
  type Interaction,
  type InteractionAnswer,
  type InteractionRequest,
  toInteractionId,
  toToolCallId,
} from "@capstan/protocol";
import { expect, test } from "vitest";
import { answerProblem } from "../../src/index.ts";
import { commandAction, rules } from "../situations.ts";

const callId = toToolCallId("call-1");
const [grant] = rules("allow run_command(npm test)");
if (grant === undefined) throw new Error("one rule");
const bare = {
  type: "approval",
  callId,
  action: { ...commandAction("npm test"), arguments: {}, summary: "npm test", digest: "shown" },
  reason: "it changes files",
  risk: "medium",
  warnings: [],
} satisfies InteractionRequest;
const offering: InteractionRequest = {
  ...bare,
  grant,
  workspaceOffer: true,
  remembered: { what: "command", rule: grant },
};
const question = { question: "Which?", options: [], multiple: false };
const asking: InteractionRequest = {
  type: "question",
  callId,
  questions: [question, { ...question, multiple: true }],
};
const requests: Readonly<Record<InteractionRequest["type"], InteractionRequest>> = {
  approval: offering,
  question: asking,
  "plan-review": { type: "plan-review", callId, plan: "First this." },
  budget: { type: "budget", limit: "steps", used: 3, allowed: 3 },
  recovery: { type: "recovery", calls: [] },
};
const answers: readonly InteractionAnswer[] = [
  { type: "approve", digest: "shown" },
  { type: "edit", digest: "shown", arguments: {} },
  { type: "deny" },
  { type: "reply", answers: [["one"], ["two", "three"]] },
  { type: "plan", digest: "shown", decision: "proceed" },
  { type: "continue" },
  { type: "stop" },
  { type: "accept-as-done" },
  { type: "run-again" },
  { type: "undo" },
  { type: "tell-model" },
  { type: "discard" },
];

interface Circumstances extends Partial<Pick<Interaction, "answerers" | "expiresAt">> {
  readonly user?: string | undefined;
  readonly now?: number;
}

function problemOf(
  request: InteractionRequest,
  answer: InteractionAnswer,
  { user, now = 100, ...rest }: Circumstances = {},
): ReturnType<typeof answerProblem> {
  const origin = { frontend: "cli" };
  const interaction: Interaction = {
    id: toInteractionId("asked"),
    request,
    digest: "shown",
    openedAt: 0,
    expiresAt: null,
    origin,
    answerers: [],
    ...rest,
  };
  return answerProblem(interaction, answer, user === undefined ? origin : { ...origin, user }, now);
}

function problem(...given: Parameters<typeof problemOf>): string {
  return problemOf(...given)?.code ?? "counts";
}

function reply(...given: readonly (readonly string[])[]): InteractionAnswer {
  return { type: "reply", answers: given };
}

test("each kind of question takes its own answers and no other", () => {
  const fitting = Object.entries(requests).map(([type, request]) => [
    type,
    answers.filter((answer) => problem(request, answer) === "counts").map((answer) => answer.type),
  ]);
  expect(Object.fromEntries(fitting)).toEqual({
    approval: ["approve", "edit", "deny"],
    question: ["deny", "reply"],
    "plan-review": ["plan"],
    budget: ["continue", "stop"],
    recovery: ["accept-as-done", "run-again", "undo", "tell-model", "discard"],
  });
  const others = Object.values(requests).flatMap((request) => answers.map((answer) => problem(request, answer)));
  expect(new Set(others)).toEqual(new Set(["counts", "interaction.wrong-answer"]));
});

function approve(scope?: ApprovalScope): InteractionAnswer {
  return { type: "approve", digest: "shown", ...(scope === undefined ? {} : { scope }) };
}

test("what is to be remembered counts only where it was offered", () => {
  const scopes = [undefined, "once", "session", "always", "workspace"] as const;
  expect(scopes.map((scope) => problem(offering, approve(scope)))).toEqual(scopes.map(() => "counts"));
  expect(scopes.map((scope) => problem(bare, approve(scope)))).toEqual([
    "counts",
    "counts",
    ...["session", "always", "workspace"].map(() => "interaction.wrong-answer"),
  ]);
});

test("a reply has an answer for every question, and several only where it may", () => {
  expect(problem(asking, reply(["a"], ["b"]))).toBe("counts");
  const wrong = [[], [["a"]], [["a"], []], [[], ["b"]], [["a", "b"], ["c"]], [["a"], ["b"], ["c"]]];
  expect(wrong.map((given) => problem(asking, reply(...given)))).toEqual(wrong.map(() => "interaction.wrong-answer"));
});

function textOf(...given: Parameters<typeof problemOf>): string | undefined {
  return problemOf(...given)?.text;
}

test("why an answer is none is said in words that name what would be one", () => {
  expect(textOf(asking, reply(["a"]))).toBe("it asks 2 questions, and 1 was answered");
  expect(textOf({ type: "question", callId, questions: [question] }, reply(["a"], ["b"]))).toBe(
    "it asks 1 question, and 2 were answered",
  );
  expect(textOf(asking, reply([], ["b"]))).toContain("each question takes an answer");
  expect(textOf(requests.budget, { type: "deny" })).toBe("a budget takes continue, stop");
  expect(textOf(bare, { type: "approve", digest: "shown", scope: "workspace" })).toContain("accept-edits");
  expect(textOf(bare, { type: "approve", digest: "shown", scope: "always" })).toContain("for good");
  expect(textOf(bare, { type: "approve", digest: "shown", scope: "session" })).toContain("only be approved once");
});

test("an answer to something else than what was shown is stale", () => {
  const stale: readonly [InteractionRequest, InteractionAnswer][] = [
    [bare, { type: "approve", digest: "other" }],
    [bare, { type: "edit", digest: "other", arguments: {} }],
    [requests["plan-review"], { type: "plan", digest: "other", decision: "proceed" }],
  ];
  expect(stale.map(([request, answer]) => problem(request, answer))).toEqual(stale.map(() => "interaction.stale"));
});

test("only the users named may answer, and only before its time is up", () => {
  const deny: InteractionAnswer = { type: "deny" };
  const answerers = ["ada", "bob"];
  expect([undefined, "eve", "ada", "bob"].map((user) => problem(bare, deny, { answerers, user }))).toEqual([
    "interaction.not-yours",
    "interaction.not-yours",
    "counts",
    "counts",
  ]);
  expect([99, 100, 101].map((now) => problem(bare, deny, { expiresAt: 100, now }))).toEqual([
    "counts",
    "interaction.expired",
    "interaction.expired",
  ]);
});
