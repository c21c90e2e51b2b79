import type { FileConflict, ToolOutcome } from "@capstan/protocol";

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

export const unansweredInTime: ToolOutcome = {
  type: "denied",
  by: "unattended",
  content: "Denied: nobody answered in time. Nothing was done. Continue without it, or say what you would need.",
};
