import type { InteractionId, StepId, TurnId } from "@capstan/protocol";
import type { Effect } from "../model/effect.ts";
import type { SessionState } from "@capstan/session";

/** Timer of the turn's time limit. */
export function deadlineTimer(turnId: TurnId): string {
  return `${turnId}.deadline`;
}

/** Starts the turn's time limit, where it has one. */
export function startDeadline({ config }: SessionState, turnId: TurnId): readonly Effect[] {
  const delayMs = config?.limits.maxTurnDurationMs ?? null;
  return delayMs === null ? [] : [{ type: "start-timer", timerId: deadlineTimer(turnId), delayMs }];
}

/** Timer after which a question counts as denied. */
export function expiryTimer(interactionId: InteractionId): string {
  return `${interactionId}.expiry`;
}

/** Timer of the wait before the attempt after this one. */
export function retryTimer(step: { readonly stepId: StepId; readonly attempt: number }): string {
  return `${step.stepId}.retry${step.attempt}`;
}
