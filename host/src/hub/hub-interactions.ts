import {
  AppError,
  type ClientIdentity,
  type InboxEntry,
  includesRole,
  isDoorCode,
  type Interaction,
  type InteractionsClient,
  type Receipt,
  type SessionClient,
  type SessionId,
  type Submission,
} from "@capstan/protocol";
import { mapped, type StoreWatch } from "@capstan/hub";
import { type DecisionPorts, shownInteraction } from "@capstan/runtime";
import { answerQuietly } from "../inbox/answer-quietly.ts";
import { findInteraction, ownerOf, pendingEntries } from "../inbox/find-interaction.ts";
import { lookIntervalMs, maxAnswerMs } from "../limits.ts";

export interface InteractionParts {
  readonly ports: DecisionPorts;
  readonly watch: StoreWatch;
  /** A client of the process that writes to the session; `null` where none can be reached. */
  readonly openForAnswer: (id: SessionId, identity: ClientIdentity) => Promise<SessionClient | null>;
}

type Answer = Extract<Submission, { readonly type: "answer" }>;

interface Answering {
  readonly sessionId: SessionId;
  readonly answer: Answer;
  readonly identity: ClientIdentity;
}

/**
 * Everything that waits for a user, in all sessions. An answer goes to the process that writes to the session; where there is none it is
 * decided here, and nothing is carried out.
 */
export function hubInteractions(parts: InteractionParts): InteractionsClient {
  const { ports, watch } = parts;
  // The journal holds arguments exactly; whoever looks on sees them without secrets.
  const shown = <Place extends { readonly interaction: Interaction }>(place: Place): Place => ({
    ...place,
    interaction: shownInteraction(place.interaction, ports.redact),
  });
  const list = async (): Promise<readonly InboxEntry[]> =>
    (await pendingEntries(ports.store)).map((entry) => shown(entry));
  return {
    list,
    async find(idOrPrefix) {
      const found = await findInteraction(ports.store, idOrPrefix);
      return found.type === "pending" ? { ...found, entry: shown(found.entry) } : shown(found);
    },
    watch: () => mapped(watch.watch(), list),
    async answer({ sessionId, interactionId }, answer, identity) {
      const { role } = identity;
      if (!includesRole(role, "approve"))
        return {
          type: "refused",
          code: "door.role",
          reason: `this takes the role approve, and this client has ${role}`,
        };
      // The same answer to whichever process decides on it in the end: it counts once.
      const answerId = ports.chance.id();
      const submission = { type: "answer", interactionId, answer, answerId } as const;
      return await untilDecided(parts, { sessionId, answer: submission, identity });
    },
  };
}

/** A process that begins or ends can be reached in a moment, or is gone then. */
async function untilDecided(parts: InteractionParts, answering: Answering): Promise<Receipt> {
  const { ports } = parts;
  const since = ports.clock.elapsed();
  const { frontend, user, role } = answering.identity;
  const sender = { origin: user === undefined ? { frontend } : { frontend, user }, role };
  do {
    const receipt =
      (await throughOwner(parts, answering)) ??
      (await answerQuietly(ports, answering.sessionId, answering.answer, sender));
    if (receipt !== null) return receipt;
    await new Promise<void>((resolve) => {
      ports.clock.after(lookIntervalMs, resolve);
    });
  } while (ports.clock.elapsed() - since < maxAnswerMs);
  const owner = await ownerOf(ports.store, answering.sessionId);
  const who = owner === null ? "another process" : `process ${owner.processId} (${owner.frontend})`;
  return { type: "refused", code: "session.busy", reason: `${who} has the session and takes no answers` };
}

/** @returns `null` where nobody can be reached, or the connection broke with the answer on its way: it is given again */
async function throughOwner(
  { openForAnswer }: InteractionParts,
  { sessionId, answer, identity }: Answering,
): Promise<Receipt | null> {
  const client = await openForAnswer(sessionId, identity).catch((error: unknown) => turnedAway(error));
  if (client === null || "type" in client) return client;
  try {
    const receipt = await client.submit(answer);
    return receipt.type === "refused" && receipt.code === "session.closed" ? null : receipt;
  } catch (error) {
    if (error instanceof AppError && error.code.startsWith("remote.")) return null;
    throw error;
  } finally {
    await client.close().catch(() => undefined);
  }
}

/** The process that writes to the session does not let whoever answers in. */
function turnedAway(error: unknown): Receipt {
  if (!(error instanceof AppError) || !isDoorCode(error.code)) throw error;
  const { code, message: reason, hint } = error;
  return { type: "refused", code, reason, ...(hint === undefined ? {} : { hint }) };
}
