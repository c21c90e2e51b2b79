import {
  AppError,
  type ClientIdentity,
  type EngineClient,
  type SessionClient,
  type SessionId,
} from "@capstan/protocol";
import { engineWith } from "./engine-with.ts";

/**
 * The engine as other processes reach it through a session's socket: that session, and what is read of all of them.
 * @param enter  a client of the session, where it is still open here
 */
export function oneSessionEngine(
  engine: EngineClient,
  id: SessionId,
  enter: (identity: ClientIdentity) => Promise<SessionClient | null>,
): EngineClient {
  return engineWith(engine, {
    async open(target, { identity }) {
      if (target.type !== "resume" || target.id !== id) throw elsewhere(id);
      const client = await enter(identity);
      if (client === null) throw new AppError("session.unknown", `this process has closed session ${id}`);
      return client;
    },
    // Its owner lives on when a client goes.
    close: async () => undefined,
  });
}

function elsewhere(id: SessionId): AppError {
  return new AppError("session.unknown", `this process only shares session ${id}`, {
    hint: "Open the other session in a process of its own.",
  });
}
