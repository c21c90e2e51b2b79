import type { Interaction, InteractionAnswer, InteractionRequest, Origin } from "@capstan/protocol";

/** Why an answer does not count. */
export interface AnswerProblem {
  readonly code: "interaction.expired" | "interaction.stale" | "interaction.not-yours" | "interaction.wrong-answer";
  readonly text: string;
}

/**
 * Whether an answer settles an open interaction: it fits the question, is bound to exactly what was shown, comes in time and
 * from somebody who may.
 * @param now  ms since 1970
 * @returns `null` when it does
 */
export function answerProblem(
  interaction: Interaction,
  answer: InteractionAnswer,
  origin: Origin,
  now: number,
): AnswerProblem | null {
  const { answerers, expiresAt, request } = interaction;
  if (answerers.length > 0 && (origin.user === undefined || !answerers.includes(origin.user))) {
    return { code: "interaction.not-yours", text: `only ${answerers.join(", ")} may answer this` };
  }
  if (expiresAt !== null && now >= expiresAt) {
    return { code: "interaction.expired", text: "its time was up before this answer came; it counts as denied" };
  }
  if (!fits(request, answer)) {
    return { code: "interaction.wrong-answer", text: wrongAnswer(request, answer) };
  }
  if ("digest" in answer && answer.digest !== interaction.digest) {
    return { code: "interaction.stale", text: "the answer is to something else than what is asked now" };
  }
  return null;
}

function wrongAnswer(request: InteractionRequest, answer: InteractionAnswer): string {
  if (request.type === "question" && answer.type === "reply") {
    const [asked, given] = [request.questions.length, answer.answers.length];
    return asked === given
      ? "each question takes an answer, and several only where it says so"
      : `it asks ${asked} question${asked === 1 ? "" : "s"}, and ${given} ${given === 1 ? "was" : "were"} answered`;
  }
  if (request.type === "approval" && answer.type === "approve" && answer.scope === "workspace")
    return "this is no change in the workspace that the mode accept-edits would allow; it can be approved by itself";
  if (request.type === "approval" && answer.type === "approve")
    return answer.scope === "always"
      ? "it cannot be approved for good: what it does cannot be distinguished from other things"
      : "it can only be approved once: nothing of it can be remembered";
  return `a ${request.type} takes ${fittingAnswers(request).join(", ")}`;
}

function fits(request: InteractionRequest, answer: InteractionAnswer): boolean {
  if (!fittingAnswers(request).includes(answer.type)) return false;
  if (request.type === "approval" && answer.type === "approve") {
    if (answer.scope === "workspace") return request.workspaceOffer === true;
    if (answer.scope === "session") return request.remembered !== undefined;
    return answer.scope !== "always" || request.grant !== undefined;
  }
  return request.type !== "question" || answer.type !== "reply" || answersAll(request, answer.answers);
}

/** One answer at least for every question, and several only where they may be. */
function answersAll(
  { questions }: Extract<InteractionRequest, { type: "question" }>,
  answers: readonly (readonly string[])[],
): boolean {
  return (
    answers.length === questions.length &&
    questions.every(({ multiple }, index) => {
      const given = answers[index] ?? [];
      return given.length > 0 && (multiple || given.length === 1);
    })
  );
}

/** The kinds of answers a request takes. */
function fittingAnswers(request: InteractionRequest): readonly InteractionAnswer["type"][] {
  switch (request.type) {
    case "approval":
      return ["approve", "edit", "deny"];
    case "question":
      return ["reply", "deny"];
    case "plan-review":
      return ["plan"];
    case "budget":
      return ["continue", "stop"];
    case "recovery":
      return ["accept-as-done", "run-again", "undo", "tell-model", "discard"];
  }
}
