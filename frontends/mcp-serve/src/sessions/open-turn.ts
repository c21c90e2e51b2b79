import type { SessionSnapshot, TurnId } from "@capstan/protocol";

/** The turn that is open in a session, and the number up to which that is known. */
export function openTurn({ activity, seq }: SessionSnapshot): {
  readonly turnId: TurnId | undefined;
  readonly seq: number;
} {
  return { turnId: "turnId" in activity ? activity.turnId : undefined, seq };
}
