import type { EngineClient } from "@capstan/protocol";

/** The same engine, with some of what it does in another way. */
export function engineWith(engine: EngineClient, changed: Partial<EngineClient>): EngineClient {
  return {
    open: (target, options) => engine.open(target, options),
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
    close: () => engine.close(),
    ...changed,
  };
}
