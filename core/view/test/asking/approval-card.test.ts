import type { InteractionRequest } from "@capstan/protocol";
import { action, callId } from "@capstan/testkit";
import { answerChoices, approvalCard, approvalOf, editedText } from "@capstan/view";
import { expect, test } from "vitest";

type Approval = Extract<InteractionRequest, { type: "approval" }>;

const rule = {
  verdict: "allow",
  tool: "edit_file",
  path: "/w/a.txt",
  source: "grant",
  text: "edit_file(/w/a.txt)",
} as const;
const bare: Approval = {
  type: "approval",
  callId: callId("a"),
  action: action("act"),
  reason: "Needs approval: it changes a.txt.",
  risk: "medium",
  warnings: [],
};
const whole: Approval = { ...bare, remembered: { what: "file", rule }, grant: rule, workspaceOffer: true };

function named(request: Approval): readonly string[] {
  return answerChoices(request).map(({ number, key }) => `${number}${key}`);
}

test("the six answers have their numbers and letters whatever is offered; for good comes behind them", () => {
  expect(named(whole)).toEqual(["1y", "2s", "3a", "4e", "5n", "6l", "77"]);
  expect(named(bare)).toEqual(["1y", "4e", "5n", "6l"]);
});

test("each yes is bound to what was shown, and says how much it allows", () => {
  const answers = answerChoices(whole).flatMap(({ means }) =>
    means.type === "approve" ? [approvalOf({ digest: "d" }, means)] : [],
  );
  expect(answers).toEqual([
    { type: "approve", digest: "d" },
    { type: "approve", digest: "d", scope: "session" },
    { type: "approve", digest: "d", scope: "workspace" },
    { type: "approve", digest: "d", scope: "always" },
  ]);
});

test("the reason is said where it is more than that something changes, the risk where it is high", () => {
  expect(approvalCard(whole)).toMatchObject({ reason: null, isRisky: false });
  expect(approvalCard({ ...bare, risk: "high" })).toMatchObject({ reason: bare.reason, isRisky: true });
});

test("what would change is shown line by line, and what hides in a line is named by its number", () => {
  const diff = "--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+t\u202ewo\n";
  const changes = [{ path: "a.txt", kind: "modified", addedLines: 1, removedLines: 1, diff }] as const;
  expect(approvalCard({ ...bare, changes }).changes).toEqual([
    {
      path: "a.txt",
      kind: "modified",
      addedLines: 1,
      removedLines: 1,
      lines: [
        { type: "same", text: "one" },
        { type: "removed", text: "two" },
        { type: "added", text: "t⟨U+202E⟩wo" },
      ],
    },
  ]);
});

test("a call's own text is edited as text, anything else as JSON, and what is not JSON is refused", () => {
  const write = editedText({ arguments: { path: "a", content: "x" } });
  expect([write.text, write.read("y\n")]).toEqual(["x", { arguments: { path: "a", content: "y" } }]);
  const argv = editedText({ arguments: { argv: ["ls"] } });
  expect(argv.read('{"argv":["pwd"]}')).toEqual({ arguments: { argv: ["pwd"] } });
  expect(argv.read("[")).toHaveProperty("problem");
});
