import type { Interaction, JournalRecord } from "@capstan/protocol";
import { type Decision, decision } from "../../model/decision.ts";
import { pendingInteractions, type SessionState } from "@capstan/session";
import type { Stimulus } from "../../model/stimulus.ts";
import { expiryTimer } from "../timers.ts";

type Resolved = Extract<JournalRecord, { type: "interaction-resolved" }>;

/** What an interaction ends with: an answer, `expired`, or `void` when it is withdrawn. */
export type Resolution = Resolved["answer"];

export interface Ending extends Omit<Resolved, "type" | "interactionId"> {
  readonly interaction: Interaction;
}

/**
 * What the stimulus does to the interactions that wait. An answer that does not count (`answerProblem`) was refused before it comes
 * here, and the first that counts settles its interaction.
 * @returns `null` when all of them wait on
 */
export function endingOf(state: SessionState, stimulus: Stimulus): Ending | null {
  const pending = pendingInteractions(state.operation);
  if (stimulus.type === "timer-fired") {
    const interaction = pending.find(({ id }) => expiryTimer(id) === stimulus.timerId);
    return interaction === undefined
      ? null
      : { interaction, answer: { type: "expired" }, origin: { frontend: "engine" } };
  }
  if (stimulus.type !== "submission" || stimulus.submission.type !== "answer") return null;
  const { interactionId, answer, answerId } = stimulus.submission;
  const { origin } = stimulus;
  const interaction = pending.find(({ id }) => id === interactionId);
  return interaction === undefined
    ? null
    : { interaction, answer, origin, ...(answerId === undefined ? {} : { answerId }) };
}

/** Ends an interaction. This is the only place that does: what follows from the answer is for whoever asked. */
export function resolve({ interaction, ...ending }: Ending): Decision {
  const { id, expiresAt } = interaction;
  const isTimed = expiresAt !== null && ending.answer.type !== "expired";
  return decision(
    [{ type: "interaction-resolved", interactionId: id, ...ending }],
    isTimed ? [{ type: "stop-timer", timerId: expiryTimer(id) }] : [],
  );
}

/** Ends an interaction that nobody can or need answer any more. */
export function withdraw(interaction: Interaction): Decision {
  return resolve({ interaction, answer: { type: "void" }, origin: { frontend: "engine" } });
}
