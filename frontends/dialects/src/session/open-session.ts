import {
  AppError,
  type ClientIdentity,
  type EngineClient,
  type SessionClient,
  type SessionOwner,
  type SessionSnapshot,
  type SessionTarget,
} from "@capstan/protocol";

/** A session as it was found, before anything is done in it. */
export interface Found {
  readonly session: SessionClient;
  readonly snapshot: SessionSnapshot;
  readonly owner: SessionOwner;
}

/** @throws AppError `session.*`, or what the session lacks to carry on */
export async function openSession(
  client: EngineClient,
  target: SessionTarget,
  identity: ClientIdentity,
): Promise<Found> {
  const session = await client.open(target, { identity, purpose: "drive", resume: "wait" });
  try {
    const owner = await session.owner();
    if (owner.type === "none")
      throw new AppError("session.busy", owner.reason, { hint: "Wait until that process ends, or fork the session." });
    const { lacks } = session.recovery;
    if (lacks !== undefined)
      throw new AppError(lacks.code, lacks.reason, lacks.hint === undefined ? {} : { hint: lacks.hint });
    return { session, owner, snapshot: await session.snapshot() };
  } catch (error) {
    await session.close();
    throw error;
  }
}
