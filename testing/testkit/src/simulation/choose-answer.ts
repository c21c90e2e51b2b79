import type { PostedAnswer } from "@capstan/ports";
import { type Interaction, type InteractionAnswer, type Origin, unreachable } from "@capstan/protocol";
import type { SimulatedWorld } from "./simulated-world.ts";

/** What a person says to what is asked: mostly something that fits; once nothing goes wrong any more, what leads to an end. */
export function chooseAnswer({ request, digest }: Interaction, { random, calm }: SimulatedWorld): InteractionAnswer {
  switch (request.type) {
    case "approval": {
      const bound = calm || random.happens(0.9) ? digest : "of something else";
      if (!calm && random.happens(0.1)) return { type: "edit", digest: bound, arguments: { path: "edited.txt" } };
      if (random.happens(0.3)) return { type: "deny" };
      return { type: "approve", digest: bound, scope: random.happens(0.2) ? "session" : "once" };
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

/** An answer that somebody leaves from elsewhere: to this, or to something else, by whoever may, or by somebody else. */
export function postedAnswer(interaction: Interaction, world: SimulatedWorld): PostedAnswer {
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
  { face: "cli", user: "tester" },
  { face: "chat", user: "tester" },
  { face: "cli", user: "tester" },
  { face: "cli", user: "stranger" },
  { face: "chat" },
];

const planDecisions = ["proceed", "proceed-clean", "adjust", "cancel"] as const;

const recoveryAnswers: readonly InteractionAnswer[] = [
  { type: "accept-as-done" },
  { type: "run-again" },
  { type: "undo" },
  { type: "tell-model" },
  { type: "discard" },
];
