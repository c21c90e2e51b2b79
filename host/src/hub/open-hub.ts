import { mapped, SessionHub, type SessionSockets, StoreWatch } from "@capstan/hub";
import { type DecisionPorts, shownRule } from "@capstan/runtime";
import { AppError, type EngineClient, type ModelEntry } from "@capstan/protocol";
import type { LocalEngine } from "../session/local-engine.ts";
import { SessionArchive } from "../session/session-archive.ts";
import { hubInteractions } from "./hub-interactions.ts";

export interface HubParts {
  readonly engine: LocalEngine;
  readonly ports: DecisionPorts;
  readonly models: () => Promise<readonly ModelEntry[]>;
  readonly sockets: SessionSockets | null;
}

/** The client API over this process's engine. */
export function openHub({ engine, ports, models, sockets }: HubParts): EngineClient {
  const { store, clock, redact } = ports;
  const archive = new SessionArchive(store);
  const watch = new StoreWatch(store, clock);
  const hub: SessionHub = new SessionHub({
    opener: engine,
    archive,
    store,
    clock,
    redact,
    sockets,
    report: (error) => ports.report(error),
    sessions: {
      list: () => archive.list(),
      watch: () => mapped(watch.watch(), async ({ sessions }) => sessions),
      read: (id, after, limit) => archive.readShown(id, { after, limit, redact }),
      resolve: (idOrName) => archive.resolve(idOrName),
    },
    interactions: hubInteractions({ ports, watch, openForAnswer: (id, identity) => hub.openForAnswer(id, identity) }),
    grants: {
      list: async () => (await store.grants.list()).map((grant) => ({ ...grant, rule: shownRule(grant.rule, redact) })),
      async revoke(id, { role }) {
        if (role !== "operate") throw new AppError("door.role", "an approval for good is revoked by who operates");
        return await store.grants.remove(id);
      },
    },
    models,
    onClose: () => watch.close(),
  });
  return hub;
}
