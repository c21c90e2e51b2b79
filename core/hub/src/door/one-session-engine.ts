import {
  AppError,
  type ClientIdentity,
  type EngineClient,
  type SessionClient,
  type SessionId,
} from "@capstan/protocol";

/**
 * The engine as other processes reach it through a session's socket: that session, and what is read of all of them.
 * @param enter  a client of the session, where it is still open here
 */
export function oneSessionEngine(
  engine: EngineClient,
  id: SessionId,
  enter: (identity: ClientIdentity) => Promise<SessionClient | null>,
): EngineClient {
  return {
    async open(target, { identity }) {
      if (target.type !== "resume" || target.id !== id) throw elsewhere(id);
      const client = await enter(identity);
      if (client === null) throw new AppError("session.unknown", `this process has closed session ${id}`);
      return client;
    },
    sessions: engine.sessions,
    interactions: engine.interactions,
    grants: engine.grants,
    facts: engine.facts,
    trust: engine.trust,
    models: () => engine.models(),
    skills: () => engine.skills(),
    config: () => engine.config(),
    doctor: () => engine.doctor(),
    problems: (session) => engine.problems(session),
    newTurnId: () => engine.newTurnId(),
    // Its owner lives on when a client goes.
    close: async () => undefined,
  };
}

function elsewhere(id: SessionId): AppError {
  return new AppError("session.unknown", `this process only shares session ${id}`, {
    hint: "Open the other session in a process of its own.",
  });
}
