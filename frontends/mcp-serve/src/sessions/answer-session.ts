import { AppError, type InboxEntry, type SessionClient, type SessionId } from "@capstan/protocol";
import type { CallResult, CallSurroundings } from "../tools/server-tool.ts";
import { followTurn } from "./follow-turn.ts";
import { answerOf, type GivenAnswer } from "./given-answer.ts";
import { openTurn } from "./open-turn.ts";
import { accepted, type SessionParts } from "./session-parts.ts";
import { restResult } from "./shown-rest.ts";

export interface AnswerToGive {
  readonly session: SessionId;
  readonly question: string;
  readonly given: GivenAnswer;
}

/** Hands an answer on, and follows the turn that waited for it. @throws AppError where it does not count */
export async function answerSession(
  { client, identity, held }: SessionParts,
  { session, question, given }: AnswerToGive,
  surroundings: CallSurroundings,
): Promise<CallResult> {
  return await held.in(session, async (open) => {
    const entry = await waiting(open, question, async (id) => await client.interactions.find(id));
    const { turnId, seq } = openTurn(await open.snapshot());
    const place = { sessionId: entry.sessionId, interactionId: entry.interaction.id };
    accepted(await client.interactions.answer(place, answerOf(entry.interaction, given), identity));
    if (turnId === undefined) return { text: `The answer counts; no turn is open in ${open.id}.` };
    const followed = { client, session: open, turnId, isOpen: true, after: seq };
    return restResult(open.id, await followTurn(followed, surroundings));
  });
}

type Find = SessionParts["client"]["interactions"]["find"];

/** What waits under that id in the session, or in one of its agents'. */
async function waiting({ id }: SessionClient, question: string, find: Find): Promise<InboxEntry> {
  const found = await find(question);
  if (found.type === "settled")
    throw new AppError("interaction.settled", "the question is answered already: nothing is changed", {
      hint: "Look at the session again: inspect_session.",
    });
  const { entry } = found;
  if (entry.sessionId === id || entry.agent?.callers.includes(id) === true) return entry;
  throw new AppError("usage.invalid", `question: it belongs to the session ${entry.sessionId}`);
}
