import { AppError, type SessionClient, type SessionEvent, type SessionSnapshot, type TurnId } from "@capstan/protocol";
import { inertLine } from "@capstan/view";
import { historyPageEvents } from "../limits.ts";

const titleCharacters = 60;

/** A turn that an earlier process left open, with what happened in it so far. */
export interface OpenTurn {
  readonly turnId: TurnId;
  readonly events: readonly SessionEvent[];
}

/**
 * The turn to continue with when a session is resumed without new words: what waits in line comes after what is open, so that it
 * is the last of them.
 * @throws {AppError} `usage.invalid` when there is none
 */
export async function openTurnOf(session: SessionClient, snapshot: SessionSnapshot): Promise<OpenTurn> {
  const turnId = snapshot.queued.at(-1)?.turnId ?? runningTurnOf(snapshot);
  if (turnId === null) {
    throw new AppError("usage.invalid", `there is no prompt, and nothing was left open in ${nameOf(snapshot)}`, {
      hint: `Try: capstan --resume ${snapshot.sessionId} "what is left to do?"`,
    });
  }
  return { turnId, events: await eventsOfTurn(session, turnId, snapshot.seq + 1) };
}

function nameOf({ sessionId, title }: SessionSnapshot): string {
  return title === undefined ? `the session ${sessionId}` : `the session "${inertLine(title, titleCharacters)}"`;
}

/** The turn under way. */
export function runningTurnOf({ activity }: SessionSnapshot): TurnId | null {
  return "turnId" in activity ? activity.turnId : null;
}

/** Whether anything is worked on or waits. */
export function hasWordsBehind(snapshot: SessionSnapshot): boolean {
  return snapshot.queued.length > 0 || runningTurnOf(snapshot) !== null;
}

/** What a turn's history holds below the number `before` (`null`: all of it), from its first record on. */
export async function eventsOfTurn(
  session: Pick<SessionClient, "history">,
  turnId: TurnId,
  before: number | null,
): Promise<readonly SessionEvent[]> {
  let events: readonly SessionEvent[] = [];
  let from = before;
  do {
    const page = await session.history(from, historyPageEvents);
    events = [...page.events, ...events];
    const start = beginningOf(turnId, page.events);
    if (start !== -1) return events.slice(start);
    from = page.before;
  } while (from !== null);
  return events;
}

/** Where it was begun, or, when it has not begun, where it was queued. */
function beginningOf(turnId: TurnId, events: readonly SessionEvent[]): number {
  const started = events.findIndex(({ record }) => record.type === "turn-started" && record.turnId === turnId);
  if (started !== -1) return started;
  return events.findIndex(({ record }) => record.type === "turn-queued" && record.turnId === turnId);
}
