import type { InteractionRequest, PassesWith, Task, ToolOutcome } from "@capstan/protocol";

/** The answers, each after its question. */
export function answeredQuestions(request: InteractionRequest, answers: readonly (readonly string[])[]): ToolOutcome {
  const questions = request.type === "question" ? request.questions : [];
  const lines = questions.map(({ question }, index) => `${question}\n-> ${(answers[index] ?? []).join(", ")}`);
  return { type: "done", content: `The user answered:\n${lines.join("\n")}` };
}

/** Nobody is there to answer. A plan has another way to its reader: the answer itself. */
export function unattendedOutcome(request: InteractionRequest, reason: string): ToolOutcome {
  const passesWith = passingOf(request);
  const content =
    request.type === "plan-review"
      ? "Nobody is there to review the plan. Plan mode continues: nothing is carried out now. Give the whole plan as your answer, and end there."
      : `Denied: this needs a user (${reason}) and no user can be asked. Nothing was done. Continue without it, or say what you would need.`;
  return { type: "denied", by: "unattended", content, ...(passesWith === undefined ? {} : { passesWith }) };
}

function passingOf(request: InteractionRequest): PassesWith | undefined {
  if (request.type !== "approval") return undefined;
  if (request.workspaceOffer === true) return { type: "mode", mode: "accept-edits" };
  const rule = request.remembered?.rule ?? request.grant;
  return rule === undefined ? undefined : { type: "rule", rule: rule.text };
}

export const planApproved: ToolOutcome = {
  type: "done",
  content: "The user approved the plan. Plan mode is over; it is carried out in a turn of its own.",
};

export const planCancelled: ToolOutcome = {
  type: "denied",
  by: "user",
  content: "The user cancelled the plan. Plan mode continues; do nothing more until they say what they want.",
};

export function planAdjusted(message: string | undefined): ToolOutcome {
  const words = message === undefined || message.trim() === "" ? "They did not say what." : `They said: ${message}`;
  const content = `The user wants the plan changed. ${words}\nPlan mode continues: revise the plan, then present it again.`;
  return { type: "denied", by: "user", content };
}

export const noPlanMode: ToolOutcome = {
  type: "rejected",
  code: "tool.not-offered",
  content: "Not run: the session is not in plan mode, so there is nothing to leave. Continue with the work.",
};

export function tasksTaken(tasks: readonly Task[]): ToolOutcome {
  const done = tasks.filter(({ status }) => status === "done").length;
  return { type: "done", content: `The task list was updated: ${done} of ${tasks.length} done.` };
}
