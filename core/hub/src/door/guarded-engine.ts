import type { EngineClient, SessionClient, SessionTarget } from "@capstan/protocol";
import { clientWith } from "./client-with.ts";
import { engineWith } from "./engine-with.ts";
import type { MiddlewareChain } from "./middleware-chain.ts";

/**
 * An engine behind a program's middleware: who opens a session or answers from the inbox goes through it first, and then each
 * submission. The door's own checks (role, rate, form) and what the role allows as the session stands come after it, unchanged.
 */
export function guardedEngine(engine: EngineClient, chain: MiddlewareChain): EngineClient {
  return engineWith(engine, {
    async open(target, options) {
      const identity = await chain.enter({ identity: options.identity, sessionId: idOf(target) });
      return guardedClient(await engine.open(target, { ...options, identity }), chain);
    },
    interactions: {
      list: () => engine.interactions.list(),
      find: (id) => engine.interactions.find(id),
      watch: () => engine.interactions.watch(),
      async answer(place, answer, identity) {
        const { sessionId, interactionId } = place;
        const entered = await chain.enter({ identity, sessionId });
        const submission = { type: "answer", interactionId, answer } as const;
        const refused = await chain.submit(submission, { identity: entered, sessionId });
        return refused ?? (await engine.interactions.answer(place, answer, entered));
      },
    },
  });
}

function guardedClient(client: SessionClient, chain: MiddlewareChain): SessionClient {
  let before: Promise<unknown> = Promise.resolve();
  const visitor = { identity: client.identity, sessionId: client.id };
  return clientWith(client, {
    // One that takes longer to be let in is not overtaken by what the client submitted after it.
    async submit(submission) {
      const admitted = before.then(async () => await chain.submit(submission, visitor));
      const submitted = admitted.then((refused) => refused ?? { receipt: client.submit(submission) });
      before = submitted.catch(() => undefined);
      const answer = await submitted;
      return "receipt" in answer ? await answer.receipt : answer;
    },
  });
}

function idOf(target: SessionTarget): Parameters<MiddlewareChain["enter"]>[0]["sessionId"] {
  return target.type === "new" ? (target.id ?? null) : target.id;
}
