import type { SessionHandle, SessionEvent, TurnId, UserContent } from "@capstan/protocol";
import { gatherResult, type RunResult } from "./run-result.ts";

/**
 * Opening a session ends a turn whose command was under way when its process died: nobody knows what the command did.
 * The result is that turn's, and the new words are handed back: whoever sent them decides, knowing that, whether they hold.
 * @param openedAt  when opening began, ms since 1970; turns that ended earlier were reported then
 * @returns `null` when there is nothing in doubt, or it was reported before
 */
export async function resultInDoubt(
  session: SessionHandle,
  openedAt: number,
  words: readonly UserContent[],
): Promise<RunResult | null> {
  const { seq, lastOutcome } = session.snapshot();
  if (lastOutcome !== "outcome-unknown") return null;
  const [last] = await session.events(seq - 1);
  if (last?.record.type !== "turn-ended" || last.at < openedAt) return null;
  const turn = eventsOf(last.record.turnId, await session.events(0));
  const gathered = gatherResult(last.record.turnId);
  for (const event of turn) gathered.push(event);
  const message = `${last.record.message ?? lastOutcome} (${summariesInDoubt(turn).join("; ")}); check it, then send your words again`;
  const draft = words.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  return { ...gathered.result(lastOutcome), error: { message }, ...(draft === "" ? {} : { draft }) };
}

function eventsOf(turnId: TurnId, events: readonly SessionEvent[]): readonly SessionEvent[] {
  return events.slice(events.findLastIndex(({ record }) => record.type === "turn-started" && record.turnId === turnId));
}

/** What the calls would have done, as the user was shown when they were decided on. */
function summariesInDoubt(turn: readonly SessionEvent[]): readonly string[] {
  const unknown = turn.flatMap(({ record }) =>
    record.type === "tool-finished" && record.outcome.type === "unknown" ? [record.callId] : [],
  );
  return turn.flatMap(({ record }) =>
    record.type === "tool-decided" && unknown.includes(record.callId) ? [record.action.summary] : [],
  );
}
