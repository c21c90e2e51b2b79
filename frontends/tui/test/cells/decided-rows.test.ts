import { type Interaction, type InteractionAnswer, toInteractionId, toToolCallId, toTurnId } from "@capstan/protocol";
import { rowText } from "@capstan/view";
import { expect, test } from "vitest";
import { cellRows } from "../../src/cells/cell-rows.ts";

const view = { columns: 80, now: 0, user: "ada", isWhole: false } as const;
const callId = toToolCallId("c");

/** What stands on the screen of what was asked and answered. */
function decided(request: Interaction["request"], answer: InteractionAnswer): string {
  const interaction: Interaction = {
    id: toInteractionId("i"),
    openedAt: 0,
    expiresAt: null,
    digest: "d",
    origin: { frontend: "tui" },
    answerers: [],
    request,
  };
  const resolution = { answer, by: { frontend: "tui", user: "ada" }, at: 1 };
  const rows = cellRows(
    { type: "interaction", at: 0, isFinal: true, turnId: toTurnId("t"), interaction, resolution },
    view,
  );
  return rows.map((row) => rowText(row).trimEnd()).join("\n");
}

function question(text: string): Extract<Interaction["request"], { type: "question" }>["questions"][number] {
  return { question: text, options: [], multiple: false };
}

test("an answer stands beside what was asked, in the words of the question", () => {
  const colour = question("Which colour?");
  const reply = { type: "reply", answers: [["blue"]] } as const;
  expect(decided({ type: "question", callId, questions: [colour] }, reply)).toBe("· answered blue: Which colour?");
  const two = { type: "question", callId, questions: [colour, question("Which size?")] } as const;
  expect(decided(two, { type: "reply", answers: [["blue"], ["small", "large"]] })).toBe(
    "· answered blue; small, large: Which colour?, and 1 more",
  );
  const plan = { type: "plan-review", callId, plan: "1. Do it." } as const;
  const proceed = { type: "plan", digest: "d", decision: "proceed-clean" } as const;
  expect(decided(plan, proceed)).toBe("· proceed clean: the plan");
  const budget = { type: "budget", limit: "turns", used: 3, allowed: 3 } as const;
  expect(decided(budget, { type: "continue" })).toBe("· continue: a limit of the turn");
});
