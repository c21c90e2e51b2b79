import { type Interaction, type InteractionAnswer, type Origin, unreachable } from "@capstan/protocol";
import type { SentAnswer } from "../invariants/check-answers.ts";
import type { SimulatedWorld } from "./simulated-world.ts";
import { type ApprovalAnswer, approvalAnswers, calmApprovalAnswers } from "./weights.ts";

/** What a user says to what is asked: mostly something that fits; once nothing goes wrong any more, what leads to an end. */
export function chooseAnswer({ request, digest }: Interaction, { random, calm }: SimulatedWorld): InteractionAnswer {
  switch (request.type) {
    case "approval": {
      const bound = calm || random.happens(0.9) ? digest : "of something else";
      return approvalAnswer(random.weighted(calm ? calmApprovalAnswers : approvalAnswers), bound);
    }
    case "question":
      return { type: "reply", answers: request.questions.map(({ options }) => [options[0]?.label ?? "so"]) };
    case "plan-review":
      return { type: "plan", digest, decision: calm ? "cancel" : random.pick(planDecisions) };
    case "budget":
      return calm || random.happens(0.5) ? { type: "stop" } : { type: "continue" };
    case "recovery":
      return calm ? { type: "tell-model" } : random.pick(recoveryAnswers);
    default:
      return unreachable(request);
  }
}

function approvalAnswer(said: ApprovalAnswer, digest: string): InteractionAnswer {
  switch (said) {
    case "approve":
      return { type: "approve", digest, scope: "once" };
    case "approve-for-session":
      return { type: "approve", digest, scope: "session" };
    case "deny":
      return { type: "deny" };
    case "edit":
      return { type: "edit", digest, arguments: { path: "edited.txt" } };
    default:
      return unreachable(said);
  }
}

/** An answer that somebody sends from elsewhere: one that fits or not, by whoever may, or by somebody else. */
export function sentAnswer(interaction: Interaction, world: SimulatedWorld): SentAnswer {
  const { random } = world;
  const answer: InteractionAnswer = random.happens(0.1) ? { type: "stop" } : chooseAnswer(interaction, world);
  return {
    answerId: world.name("answer"),
    interactionId: interaction.id,
    answer,
    origin: random.pick(origins),
  };
}

const origins: readonly Origin[] = [
  { frontend: "cli", user: "tester" },
  { frontend: "chat", user: "tester" },
  { frontend: "cli", user: "tester" },
  { frontend: "cli", user: "other" },
  { frontend: "chat" },
];

const planDecisions = ["proceed", "proceed-clean", "adjust", "cancel"] as const;

const recoveryAnswers: readonly InteractionAnswer[] = [
  { type: "accept-as-done" },
  { type: "run-again" },
  { type: "undo" },
  { type: "tell-model" },
  { type: "discard" },
];
