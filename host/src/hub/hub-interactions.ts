import {
  AppError,
  type ClientIdentity,
  type InboxEntry,
  includesRole,
  isDoorCode,
  type InteractionsClient,
  type Receipt,
  type SessionClient,
  type SessionId,
} from "@capstan/protocol";
import { mapped, type StoreWatch } from "@capstan/hub";
import type { Inbox } from "../inbox/inbox.ts";

export interface InteractionParts {
  readonly inbox: Inbox;
  readonly watch: StoreWatch;
  /** A client of the process that writes to the session; `null` where none can be reached. */
  readonly openForAnswer: (id: SessionId, identity: ClientIdentity) => Promise<SessionClient | null>;
}

/**
 * Everything that waits for a user, in all sessions. An answer goes to the process that writes to the session; where there is none it is
 * decided here, and nothing is carried out.
 */
export function hubInteractions({ inbox, watch, openForAnswer }: InteractionParts): InteractionsClient {
  return {
    list: () => entriesOf(inbox),
    watch: () => mapped(watch.watch(), () => entriesOf(inbox)),
    async answer({ sessionId, interactionId }, answer, identity) {
      if (!includesRole(identity.role, "approve")) {
        return {
          type: "refused",
          code: "door.role",
          reason: `this needs the role approve; this client has ${identity.role}`,
        };
      }
      const submission = { type: "answer", interactionId, answer } as const;
      const client = await openForAnswer(sessionId, identity).catch((error: unknown) => turnedAway(error));
      if (client !== null && "type" in client) return client;
      if (client !== null) {
        try {
          return await withWhoSettled(inbox, await client.submit(submission), interactionId);
        } catch (error) {
          // The process ended with the answer on its way: it is an answer like any other, and is given again.
          if (!(error instanceof AppError) || !error.code.startsWith("remote.")) throw error;
        } finally {
          await client.close().catch(() => undefined);
        }
      }
      return await answerThroughStore(inbox, { sessionId, interactionId, answer, identity });
    },
  };
}

/** The process that writes to the session does not let whoever answers in. */
function turnedAway(error: unknown): Receipt {
  if (!(error instanceof AppError) || !isDoorCode(error.code)) throw error;
  const { code, message: reason, hint } = error;
  return { type: "refused", code, reason, ...(hint === undefined ? {} : { hint }) };
}

async function entriesOf(inbox: Inbox): Promise<readonly InboxEntry[]> {
  return (await inbox.list()).map(({ owner, ...entry }) => ({
    ...entry,
    owner: owner === null ? null : { processId: owner.processId, frontend: owner.frontend },
  }));
}

interface StoredAnswer {
  readonly sessionId: SessionId;
  readonly interactionId: string;
  readonly answer: Parameters<InteractionsClient["answer"]>[1];
  readonly identity: ClientIdentity;
}

async function answerThroughStore(inbox: Inbox, { interactionId, answer, identity }: StoredAnswer): Promise<Receipt> {
  const found = await inbox.find(interactionId);
  if (found.type === "settled") return { type: "refused", ...inbox.refusalOf(found.settled) };
  const { frontend, user } = identity;
  const report = await inbox.answer(found.entry, answer, user === undefined ? { frontend } : { frontend, user });
  if (report.type === "refused") return { type: "refused", code: report.code, reason: report.text };
  return { type: "accepted", seq: await inbox.lastNumber(found.entry.sessionId) };
}

/** Who comes too late learns who was first. */
async function withWhoSettled(inbox: Inbox, receipt: Receipt, interactionId: string): Promise<Receipt> {
  if (receipt.type === "accepted" || receipt.code !== "interaction.settled") return receipt;
  try {
    const found = await inbox.find(interactionId);
    return found.type === "settled" ? { type: "refused", ...inbox.refusalOf(found.settled) } : receipt;
  } catch {
    return receipt;
  }
}
