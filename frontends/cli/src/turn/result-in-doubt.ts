import type { SessionClient, SessionEvent, TurnId, UserContent } from "@capstan/protocol";
import { eventsOfTurn } from "./open-turn.ts";
import { gatherResult } from "./gather-result.ts";
import { draftOf, type RunResult } from "./run-result.ts";

/**
 * Resuming a session ended a turn whose command was under way when its process died: nobody knows what the command did.
 * The result is that turn's, and the new words are handed back: whoever sent them decides, knowing that, whether they hold.
 */
export async function resultInDoubt(
  session: Pick<SessionClient, "history">,
  turnId: TurnId,
  words: readonly UserContent[],
): Promise<RunResult> {
  const turn = await eventsOfTurn(session, turnId, null);
  const gathered = gatherResult(turnId);
  for (const event of turn) gathered.push(event);
  const result = gathered.result("outcome-unknown");
  const what = result.error?.message ?? result.outcome;
  const message = `${what} (${summariesInDoubt(turn).join("; ")}); check it, then send your words again`;
  const draft = draftOf(words);
  return { ...result, error: { message }, ...(draft === "" ? {} : { draft }) };
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
