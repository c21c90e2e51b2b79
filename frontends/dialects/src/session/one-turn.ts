import type { CancelReason, ClientIdentity, EngineClient, SessionTarget, UserContent } from "@capstan/protocol";
import type { DialectLines } from "../lines/dialect-lines.ts";
import type { AnswerForm } from "./answer-form.ts";
import { Conversation } from "./conversation.ts";
import type { Medium } from "./medium.ts";
import { type Found, openSession } from "./open-session.ts";
import type { TurnEnd } from "./turn-end.ts";

/** One message to a session, and its end. */
export interface OneTurn {
  readonly client: EngineClient;
  readonly target: SessionTarget;
  readonly identity: ClientIdentity;
  readonly content: readonly UserContent[];
  readonly form?: AnswerForm;
  /** Notifies when the user or the system wants the turn stopped. */
  onStop(listener: (reason: CancelReason) => void): () => void;
}

/** How a dialect shows one turn. */
export interface OneTurnMedium extends Medium {
  opened(found: Pick<Found, "session" | "snapshot">): Promise<void>;
}

/** @returns how it ended; `null`: whoever reads has gone, and the turn is left as it is */
export async function runOneTurn(turn: OneTurn, lines: DialectLines, medium: OneTurnMedium): Promise<TurnEnd | null> {
  const { client, target, identity, content, form } = turn;
  const found = await openSession(client, target, identity);
  let end: TurnEnd | null = null;
  const watched: Medium = {
    record: async (event, isOwn) => await medium.record(event, isOwn),
    ask: async (interaction, signal) => await medium.ask(interaction, signal),
    async ended(given) {
      end = given;
      await medium.ended(given);
    },
  };
  const options = { client, identity, medium: watched, ...(form === undefined ? {} : { form }) };
  const conversation = new Conversation(options, found);
  let stopping: Promise<void> | undefined;
  const stopListening = turn.onStop((reason) => {
    stopping ??= lines.isBroken ? undefined : conversation.stop(reason);
  });
  const broken = new Promise<void>((resolve) => {
    lines.onBroken(resolve);
  });
  try {
    await medium.opened(found);
    await conversation.begin();
    await conversation.say(client.newTurnId(), content);
    await Promise.race([conversation.rest(), broken]);
    await stopping;
  } finally {
    await conversation.close();
    stopListening();
  }
  return end;
}
