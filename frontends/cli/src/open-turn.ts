import { AppError, type EngineHandle, type SessionEvent, type SessionTarget, type TurnId } from "@capstan/protocol";

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
export async function openTurnOf(engine: EngineHandle, target: SessionTarget): Promise<OpenTurn> {
  const found = target.type === "resume" ? lastOpen(await engine.readSession(target.id)) : undefined;
  if (found !== undefined) return found;
  throw new AppError("usage.invalid", "there is no prompt, and no open turn to continue with", {
    hint: 'Give one: capstan run --resume ID "…".',
  });
}

function lastOpen(events: readonly SessionEvent[]): OpenTurn | undefined {
  const open = new Map<TurnId, number>();
  for (const [at, { record }] of events.entries()) {
    if (record.type === "turn-queued") open.set(record.turnId, at);
    if (record.type === "turn-started" && !open.has(record.turnId)) open.set(record.turnId, at);
    if (record.type === "turn-ended") open.delete(record.turnId);
  }
  const [last] = [...open].toReversed();
  return last === undefined ? undefined : { turnId: last[0], events: events.slice(last[1]) };
}
