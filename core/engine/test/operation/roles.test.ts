import { decide, type Stimulus } from "@capstan/engine";
import {
  includesRole,
  type ResolvedSubmission,
  type Role,
  roles,
  toInteractionId,
  toStepId,
  toTurnId,
} from "@capstan/protocol";
import { denying, tester, play, says, sessionConfig } from "@capstan/testkit";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

function from(role: Role, submission: ResolvedSubmission): Stimulus {
  return { type: "submission", submission, origin: tester, role };
}

const config = sessionConfig({ mode: "default" });
const turnId = toTurnId("t9");
const content = [{ type: "text", text: "words" }] as const;

/** Each submission with the least role that it takes in a session whose mode is `default`; `null`: no client may. */
const table: readonly (readonly [string, ResolvedSubmission, Role | null])[] = [
  ["words", { type: "user-input", turnId, content }, "ask"],
  ["words for the open turn", { type: "user-input", turnId, content, delivery: "steer" }, "drive"],
  ["cancel", { type: "cancel", reason: "interrupted" }, "drive"],
  ["a change of the queue", { type: "queue-change", turnId, change: { type: "remove" } }, "drive"],
  ["a title", { type: "title", title: "x" }, "drive"],
  ["compact", { type: "compact" }, "drive"],
  [
    "a change of a summary",
    { type: "change-compaction", compaction: toStepId("session.c1"), change: { type: "undo" } },
    "drive",
  ],
  ["resume", { type: "resume" }, "drive"],
  ["another model", { type: "configure", config: { model: { ...config.model, id: "other" } } }, "drive"],
  ["a lower mode", { type: "configure", config: { mode: "plan" } }, "drive"],
  ["a higher mode", { type: "configure", config: { mode: "accept-edits" } }, "operate"],
  ["the highest mode", { type: "configure", config: { mode: "auto" } }, "operate"],
  [
    "a tighter limit",
    { type: "configure", config: { limits: { ...config.limits, maxToolCallsPerBatch: 1 } } },
    "drive",
  ],
  [
    "a wider limit",
    { type: "configure", config: { limits: { ...config.limits, maxToolCallsPerBatch: 999 } } },
    "operate",
  ],
  ["yolo", { type: "configure", config: { policy: { ...config.policy, yolo: true } } }, null],
  ["a policy", { type: "configure", config: { policy: { ...config.policy, rules: [denying("act")] } } }, null],
  [
    "no sandbox",
    { type: "configure", config: { sandbox: { ...config.sandbox, withoutIsolation: "run", autoRun: true } } },
    null,
  ],
  ["nobody to ask", { type: "configure", config: { askPolicy: config.askPolicy === "ask" ? "deny" : "ask" } }, null],
  ["other tools", { type: "configure", config: { tools: [{ name: "x", description: "x", inputSchema: {} }] } }, null],
  ["another system prompt", { type: "configure", config: { systemPrompt: "obey" } }, null],
  ["an answer", answer({ type: "deny" }), "approve"],
  ["an approval for the session", answer({ type: "approve", digest: "d", scope: "session" }), "approve"],
  ["an approval for good", answer({ type: "approve", digest: "d", scope: "always" }), "operate"],
  ["a plan in mode auto", answer({ type: "plan", digest: "d", decision: "proceed", mode: "auto" }), "operate"],
  ["an approval taken back", { type: "revoke-grant", grantId: "g" }, "approve"],
  ["rewind", { type: "rewind", keepTurns: 0, conversation: true, files: true }, "operate"],
  ["unwind", { type: "unwind" }, "operate"],
];

function answer(given: Extract<ResolvedSubmission, { type: "answer" }>["answer"]): ResolvedSubmission {
  return { type: "answer", interactionId: toInteractionId("1-t1"), answer: given };
}

describe.each(table)("%s", (_name, submission, needed) => {
  test.each(roles)("from a client that may %s", (role) => {
    const { state } = play([], config);
    const { records, effects, refusal } = decide(state, from(role, submission));
    const mayNot = needed === null || !includesRole(role, needed);
    expect(refusal?.code === "door.role").toBe(mayNot);
    const nothing = { records: [], effects: [] };
    expect(mayNot ? { records, effects } : nothing).toEqual(nothing);
  });
});

test("whatever a client below operate sends, policy, sandbox and mode are never wider than before", () => {
  const submissions = fc.constantFrom(...table.map(([, submission]) => submission));
  const lesser = fc.constantFrom<Role>("watch", "ask", "drive", "approve");
  fc.assert(
    fc.property(fc.array(fc.tuple(lesser, submissions), { maxLength: 12 }), (sent) => {
      const { state } = play([says("t1"), ...sent.map(([role, submission]) => from(role, submission))], config);
      expect(state.config?.policy).toEqual(config.policy);
      expect(state.config?.sandbox).toEqual(config.sandbox);
      expect(["plan", "default"]).toContain(state.config?.mode);
    }),
  );
});

test("who may only ask begins turns in plan mode: nothing that changes is offered, and the session's mode stays", () => {
  const auto = sessionConfig({
    mode: "auto",
    tools: [
      { name: "look", description: "", inputSchema: {} },
      { name: "change", description: "", inputSchema: {}, offered: "not-plan" },
    ],
  });
  const words = from("ask", { type: "user-input", turnId: toTurnId("t1"), content });
  const packed: Stimulus = { type: "context-packed", turnId: toTurnId("t1"), parts: [] };
  const { last, state } = play([words, packed], auto);
  expect(last.effects).toMatchObject([{ type: "call-model", request: { tools: [{ name: "look" }] } }]);
  expect(state.config?.mode).toBe("auto");
});
