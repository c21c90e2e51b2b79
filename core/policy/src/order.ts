import type { Action, EffectClass } from "@capstan/protocol";

/** Whether a call may change what those after it are prepared on. */
export function isEffect({ effect }: Action): boolean {
  return effect === "write" || effect === "execute" || effect === "delegate";
}

/** What of a batch has not ended before a call: effects may change all that it stands on, reads what the model has seen. */
export type Ahead = "nothing" | "reads" | "effects";

/**
 * What is ahead of the next call.
 * @param before  what is ahead of this one
 * @param action  `null`: it is not known what it will do
 */
export function aheadOf(before: Ahead, action: Action | null): Ahead {
  if (before === "effects" || action === null || isEffect(action)) return "effects";
  return action.effect === "read" ? "reads" : before;
}

/** Whether a call that the workspace refuses may fit when what is ahead of it has ended. @param effect  `undefined`: the workspace is not why */
export function mayFitLater(effect: EffectClass | undefined, ahead: Ahead): boolean {
  return effect !== undefined && (ahead === "effects" || (ahead === "reads" && effect !== "read"));
}

/** Whether what a call asks of the session is not there before the calls ahead of it have ended: a plan that is still to be written. */
export function mustWait({ session }: Action, ahead: Ahead): boolean {
  return ahead === "effects" && session?.type === "exit-plan-mode";
}
