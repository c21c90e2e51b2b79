import type { StepId, TurnId } from "@capstan/protocol";

/** Timer of the turn's time limit. */
export function deadlineTimer(turnId: TurnId): string {
  return `${turnId}.deadline`;
}

/** Timer of the wait before the attempt after this one. */
export function retryTimer(step: { readonly stepId: StepId; readonly attempt: number }): string {
  return `${step.stepId}.retry${step.attempt}`;
}
