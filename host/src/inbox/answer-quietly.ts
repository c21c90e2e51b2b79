import { settledReceipt } from "@capstan/hub";
import { type DecisionPorts, type Sender, SessionRuntime } from "@capstan/runtime";
import { AppError, type Receipt, type SessionId, type Submission } from "@capstan/protocol";
import { SessionArchive } from "../session/session-archive.ts";
import { SessionLease } from "../session/session-lease.ts";

type Answer = Extract<Submission, { readonly type: "answer" }>;

/**
 * Decides on an answer in place of a writer that is not there, and carries nothing out: whoever resumes the session continues from it.
 * @returns `null` when another process writes to the session
 */
export async function answerQuietly(
  ports: DecisionPorts,
  sessionId: SessionId,
  answer: Answer,
  sender: Sender,
): Promise<Receipt | null> {
  const lease = await claim(ports, sessionId, sender);
  if (lease === null) return null;
  try {
    const journal = await new SessionArchive(ports.store).fold(sessionId);
    const runtime = new SessionRuntime({ sessionId, ...journal, lease, opening: [] }, sender.origin, ports);
    lease.onLost((fault) => runtime.stop(fault));
    try {
      const receipt = await runtime.submit(answer, sender);
      if (receipt.type === "accepted" || receipt.code !== "interaction.settled") return receipt;
      return await settledReceipt(answer, receipt, (before, limit) => runtime.pageBefore(before, limit));
    } finally {
      // Gives the lease back, too.
      await runtime.close();
    }
  } catch (error) {
    await lease.release().catch(() => undefined);
    throw error;
  }
}

async function claim(
  { store, clock, chance }: DecisionPorts,
  sessionId: SessionId,
  { origin: { frontend } }: Sender,
): Promise<SessionLease | null> {
  try {
    return await SessionLease.claim({ store, clock, sessionId, id: chance.id(), frontend });
  } catch (error) {
    if (error instanceof AppError && error.code === "session.busy") return null;
    throw error;
  }
}
