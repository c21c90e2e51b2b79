import { mapped, SessionHub, type SessionSockets, StoreWatch } from "@capstan/hub";
import type { DecisionPorts } from "@capstan/runtime";
import { AppError, type EngineClient } from "@capstan/protocol";
import { Inbox } from "../inbox/inbox.ts";
import type { Settings } from "../load-settings.ts";
import type { LocalEngine } from "../session/local-engine.ts";
import { SessionArchive } from "../session/session-archive.ts";
import { hubInteractions } from "./hub-interactions.ts";

export interface HubParts {
  readonly engine: LocalEngine;
  readonly ports: DecisionPorts;
  readonly settings: Settings;
  readonly sockets: SessionSockets | null;
}

/** The client API over this process's engine. */
export function openHub({ engine, ports, settings, sockets }: HubParts): EngineClient {
  const { store, clock, redact } = ports;
  const archive = new SessionArchive(store);
  const watch = new StoreWatch(store, clock);
  const inbox = new Inbox(ports);
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
    interactions: hubInteractions({ inbox, watch, openForAnswer: (id, identity) => hub.openForAnswer(id, identity) }),
    grants: {
      list: () => inbox.grants.list(),
      async revoke(id, { role }) {
        if (role !== "operate") throw new AppError("door.role", "an approval for good is revoked by who operates");
        return await inbox.grants.remove(id);
      },
    },
    async models() {
      const { listEntries } = await import("./list-entries.ts");
      return await listEntries(settings);
    },
    onClose: () => watch.close(),
  });
  return hub;
}
