import type { OpenedSession, TurnRequest } from "./turn-request.ts";

/** Whether a run leaves a session as it is: what was parked waits for a user, and is not denied by a run that cannot ask one. */
export function leavesParked({ onAsk }: TurnRequest, { owner, snapshot }: OpenedSession): boolean {
  const isUnattended = onAsk === undefined || onAsk.type === "deny";
  const isOpen = snapshot.pending.some(({ expiresAt }) => expiresAt === null || expiresAt > Date.now());
  return isUnattended && owner.type === "here" && isOpen;
}
