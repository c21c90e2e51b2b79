import type { EngineClient, SessionId } from "@capstan/protocol";

/** How processes that have the same session open speak with each other. */
export interface SessionSockets {
  /**
   * Offers a session to other processes of the same user.
   * @throws when the system refuses it
   */
  listen(id: SessionId, engine: EngineClient): Promise<{ close(): Promise<void> }>;
  /** Whether somebody listens there. */
  answers(id: SessionId): Promise<boolean>;
  /** @throws AppError `remote.*` when nobody answers */
  connect(id: SessionId, frontend: string): Promise<EngineClient>;
}
