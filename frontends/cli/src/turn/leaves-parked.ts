import type { OpenedSession, TurnRequest } from "./turn-request.ts";

/** Whether a run leaves a session as it is: what was parked waits for a user, and is not denied by a run that cannot ask one. */
export function leavesParked({ onAsk }: TurnRequest, { owner, snapshot }: OpenedSession): boolean {
  const isUnattended = onAsk === undefined || onAsk.type === "deny";
  // What a call asked while it ran is void by now: its process is gone.
  const waiting = snapshot.pending.filter(({ request }) => request.type !== "question" || request.asker === undefined);
  const isOpen = waiting.some(({ expiresAt }) => expiresAt === null || expiresAt > Date.now());
  return isUnattended && owner.type === "here" && isOpen;
}
