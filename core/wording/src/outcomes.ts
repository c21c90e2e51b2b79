import { defaultsOf } from "./unanswered.ts";
import type { FileConflict, InteractionRequest, PassesWith, Task, ToolOutcome } from "@capstan/protocol";

type EngineOutcome = "cancelled" | "cancelledWhileRunning" | "unknown" | "acceptedAsDone" | "notRun" | "incomplete";

/** What the model reads about calls that the engine itself answers. Facts first, then what to do. */
export const outcomes: Readonly<Record<EngineOutcome, ToolOutcome>> = {
  cancelled: { type: "cancelled", content: "Cancelled before it ran. Nothing was done." },
  cancelledWhileRunning: {
    type: "cancelled",
    content: "Cancelled while it ran. It may have taken effect in part; check before you rely on it.",
  },
  unknown: {
    type: "unknown",
    content:
      "Interrupted: the process died while this ran, and it is not known whether it took effect. It was not run again. Check the state of the workspace before you go on.",
  },
  acceptedAsDone: { type: "done", content: "Interrupted while it ran; the user checked and accepts it as done." },
  notRun: { type: "cancelled", content: "Not run: the turn ended first." },
  incomplete: {
    type: "rejected",
    code: "tool.call-incomplete",
    content:
      "Not run: the answer was cut off before this call was certain to be whole. Make the call again, in smaller pieces if it is long.",
  },
};

/** @param known  what a look at it after the crash has shown */
export function unknownOutcome(known: string | undefined): ToolOutcome {
  if (known === undefined) return outcomes.unknown;
  return { ...outcomes.unknown, content: `${outcomes.unknown.content}\n${known}` };
}

/** A user chose to take back what the interrupted calls did. */
export function undoneOutcome(restored: readonly string[], conflicts: readonly FileConflict[]): ToolOutcome {
  const files = restored.length === 0 ? ["No file had to be restored."] : restored.map((path) => `- restored: ${path}`);
  const left = conflicts.map(({ path, reason }) => `- not restored: ${path} (${reason})`);
  const content = ["Interrupted: the process died while this ran. The user took back what it did:", ...files, ...left];
  return { type: "failed", code: "tool.undone", content: content.join("\n") };
}

export function tooManyCalls(limit: number): ToolOutcome {
  return {
    type: "rejected",
    code: "tool.too-many-calls",
    content: `Not run: at most ${limit} calls fit in one answer. Make this call in your next answer.`,
  };
}

export function argumentsTooLarge(bytes: number, limitBytes: number): ToolOutcome {
  const content = `Not run: the arguments have ${bytes} bytes and the limit is ${limitBytes}. Split the work into smaller calls.`;
  return { type: "rejected", code: "tool.arguments-too-large", content };
}

/** A call that would write more than its turn may. */
export function tooMuchWritten(would: string, limit: string): ToolOutcome {
  return {
    type: "rejected",
    code: "tool.write-limit",
    content: `Not run: with this call the turn would have written ${would}, and its limit is ${limit}. Nothing was changed. Write less, or end the turn and say what is left to do.`,
  };
}

export function malformedArguments(problem: string): ToolOutcome {
  return {
    type: "rejected",
    code: "tool.malformed-arguments",
    content: `Not run: the arguments are not a valid JSON object (${problem}). Make the call again with valid JSON.`,
  };
}

export function repeatedCall(name: string, count: number): ToolOutcome {
  const content = `Not run: this is the same ${name} call for the ${ordinal(count)} time in a row, and its result would not change. Try something else, or say what stands in the way.`;
  return { type: "rejected", code: "tool.loop", content };
}

function ordinal(count: number): string {
  if (count === 2) return "second";
  if (count === 3) return "third";
  const ending = count % 100 >= 11 && count % 100 <= 13 ? "th" : (["th", "st", "nd", "rd"][count % 10] ?? "th");
  return `${count}${ending}`;
}

/** A user said no. */
export function deniedByUser(message: string | undefined): ToolOutcome {
  const words = message === undefined || message.trim() === "" ? "" : ` They said: ${message}`;
  return { type: "denied", by: "user", content: `Denied by the user. Nothing was done.${words}` };
}

/** The answers, each after its question. */
export function answeredQuestions(request: InteractionRequest, answers: readonly (readonly string[])[]): ToolOutcome {
  const questions = request.type === "question" ? request.questions : [];
  const lines = questions.map(({ question }, index) => `${question}\n-> ${(answers[index] ?? []).join(", ")}`);
  return { type: "done", content: `The user answered:\n${lines.join("\n")}` };
}

/** Nobody is there to answer. A plan has another way to its reader: the answer itself. */
export function unattendedOutcome(request: InteractionRequest, reason: string): ToolOutcome {
  const defaulted = defaultsOf(request);
  if (defaulted !== undefined) return defaulted;
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

/** For the user who is asked once more. */
export const changedSince =
  "You have approved this call, and it would do something else now: what it stands on has changed.";
