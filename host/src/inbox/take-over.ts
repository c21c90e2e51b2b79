import { type DecisionPorts, PostedAnswers, SessionRuntime } from "@capstan/runtime";
import { AppError, type Origin, type SessionId } from "@capstan/protocol";
import { SessionArchive } from "../session/session-archive.ts";
import { SessionLease } from "../session/session-lease.ts";

/**
 * Decides on a session's posted answers in place of a writer that is not there, and carries nothing out: whoever resumes the
 * session continues from the answers.
 * @returns false when somebody else writes to it
 */
export async function decidePosted(ports: DecisionPorts, sessionId: SessionId, origin: Origin): Promise<boolean> {
  const lease = await claim(ports, sessionId, origin);
  if (lease === null) return false;
  try {
    const journal = await new SessionArchive(ports.store).fold(sessionId);
    const runtime = new SessionRuntime({ sessionId, ...journal, lease, opening: [] }, origin, ports);
    lease.onLost((fault) => runtime.stop(fault));
    try {
      await new PostedAnswers(runtime, ports).take();
    } finally {
      // Gives the lease back, too.
      await runtime.close();
    }
    return true;
  } catch (error) {
    await lease.release().catch(() => undefined);
    throw error;
  }
}

async function claim(
  { store, clock, chance }: DecisionPorts,
  sessionId: SessionId,
  { frontend }: Origin,
): Promise<SessionLease | null> {
  try {
    return await SessionLease.claim({ store, clock, sessionId, id: chance.id(), frontend });
  } catch (error) {
    if (error instanceof AppError && error.code === "session.busy") return null;
    throw error;
  }
}
