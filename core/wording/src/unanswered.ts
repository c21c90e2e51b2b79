import type { InteractionRequest, Question, ToolOutcome } from "@capstan/protocol";

/**
 * How long something waits for its answer (ms). Questions of one call are answered together: the longest of their times counts, where each has one.
 * @param usualMs  what the configuration says; it is never made longer
 * @returns `null`: as long as it takes
 */
export function patienceMs(request: InteractionRequest, usualMs: number | null): number | null {
  if (request.type === "plan-review") return null;
  if (request.type !== "question") return usualMs;
  const own = ownTimeMs(request.questions);
  if (own === undefined) return usualMs;
  return usualMs === null ? own : Math.min(own, usualMs);
}

/** What becomes of a call whose question nobody answered in its time: the default answers count, where each question has one. */
export function unansweredInTime(request: InteractionRequest): ToolOutcome {
  if (request.type !== "question") return nothingDone;
  const own = ownTimeMs(request.questions);
  const defaulted = withDefaults(request.questions, "Nobody answered in time");
  if (defaulted !== undefined || own === undefined) return defaulted ?? nothingDone;
  const open = request.questions.filter(({ defaults }) => defaults === undefined).map(({ question }) => question);
  return {
    type: "failed",
    code: "interaction.expired",
    content: `Nobody answered within ${own / 1000} s, and there is no default for: ${open.join(" / ")}`,
  };
}

/** The same where nobody can be asked at all. @returns `undefined`: some question has no default */
export function defaultsOf(request: InteractionRequest): ToolOutcome | undefined {
  return request.type === "question" ? withDefaults(request.questions, "No user can be asked") : undefined;
}

const nothingDone: ToolOutcome = {
  type: "denied",
  by: "unattended",
  content: "Denied: nobody answered in time. Nothing was done. Continue without it, or say what you would need.",
};

function ownTimeMs(questions: readonly Question[]): number | undefined {
  const times = questions.flatMap(({ timeoutMs }) => (timeoutMs === undefined ? [] : [timeoutMs]));
  return times.length === questions.length && times.length > 0 ? Math.max(...times) : undefined;
}

function withDefaults(questions: readonly Question[], why: string): ToolOutcome | undefined {
  const lines = questions.map(({ question, defaults }) =>
    defaults === undefined ? undefined : `${question}\n-> ${defaults.join(", ")} (default)`,
  );
  if (lines.length === 0 || lines.includes(undefined)) return undefined;
  return {
    type: "done",
    content: `${why}; the default answers count:\n${lines.join("\n")}`,
    details: { answeredBy: "default" },
  };
}
