import type { ClientIdentity, EngineClient, SessionId } from "@capstan/protocol";

/** How processes that have the same session open speak with each other. */
export interface SessionSockets {
  /**
   * Offers a session to other processes of the same user.
   * @param owner  whoever opened it here: the frontend that others see as its owner
   * @throws when the system refuses it
   */
  listen(id: SessionId, engine: EngineClient, owner: ClientIdentity): Promise<{ close(): Promise<void> }>;
  /** Whether somebody listens there. */
  answers(id: SessionId): Promise<boolean>;
  /**
   * @param identity  who joins; what it may do there is for the owner to say
   * @throws AppError `remote.*` when nobody answers, `door.*` when it is turned away
   */
  connect(id: SessionId, identity: ClientIdentity): Promise<EngineClient>;
}
