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
import { mapped, type SessionSockets, type StoreWatch } from "@capstan/hub";
import { type DecisionPorts, shownInteraction } from "@capstan/runtime";
import { answerQuietly } from "../inbox/answer-quietly.ts";
import { findInteraction, ownerOf, pendingEntries, runningOwnerOf } from "../inbox/find-interaction.ts";
import { lookIntervalMs, maxAnswerMs, maxUnofferedMs } from "../limits.ts";

export interface InteractionParts {
  readonly ports: DecisionPorts;
  readonly watch: StoreWatch;
  /** A client of the process that writes to the session; `null` where none can be reached. */
  readonly openForAnswer: (id: SessionId, identity: ClientIdentity) => Promise<SessionClient | null>;
  /** How sessions of other processes are reached; `null`: not from here. */
  readonly sockets: Pick<SessionSockets, "isOffered"> | null;
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
  let unofferedSince: number | null = null;
  const { frontend, user, role } = answering.identity;
  const sender = { origin: user === undefined ? { frontend } : { frontend, user }, role };
  do {
    const receipt =
      (await throughOwner(parts, answering)) ??
      (await answerQuietly(ports, answering.sessionId, answering.answer, sender));
    if (receipt !== null) return receipt;
    const owner = await unofferingOwner(parts, answering.sessionId);
    unofferedSince = owner === null ? null : (unofferedSince ?? ports.clock.elapsed());
    if (owner !== null && unofferedSince !== null && ports.clock.elapsed() - unofferedSince > maxUnofferedMs)
      return takesNone(owner, "does not offer it to other processes");
    await new Promise<void>((resolve) => {
      ports.clock.after(lookIntervalMs, resolve);
    });
  } while (ports.clock.elapsed() - since < maxAnswerMs);
  return takesNone(await ownerOf(ports.store, answering.sessionId), "does not answer");
}

/** A process that has the session, lives, and cannot be reached; `null`: it can, or is gone, or nobody knows. */
async function unofferingOwner(
  { ports, sockets }: InteractionParts,
  sessionId: SessionId,
): Promise<InboxEntry["owner"]> {
  const owner = await runningOwnerOf(ports.store, sessionId);
  return owner === null || (await sockets?.isOffered(sessionId)) === true ? null : owner;
}

function takesNone(owner: InboxEntry["owner"], why: string): Receipt {
  const who = owner === null ? "another process" : `process ${owner.processId} (${owner.frontend})`;
  return {
    type: "refused",
    code: "session.busy",
    reason: `${who} has the session and ${why}`,
    hint: "Answer where it runs, or when it has ended: the question waits.",
  };
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
