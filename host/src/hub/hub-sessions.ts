import type { SessionFacts } from "@capstan/facts";
import { mapped, type StoreWatch } from "@capstan/hub";
import {
  AppError,
  type ClientIdentity,
  requireRole,
  type SessionClient,
  type SessionId,
  type SessionsClient,
} from "@capstan/protocol";
import { type DecisionPorts, withoutSecrets } from "@capstan/runtime";
import { deleteSession } from "../exchange/delete-session.ts";
import type { Settings } from "../load-settings.ts";
import type { LocalEngine } from "../session/local-engine.ts";
import type { SessionArchive } from "../session/session-archive.ts";

export interface SessionsParts {
  readonly engine: LocalEngine;
  readonly archive: SessionArchive;
  readonly watch: StoreWatch;
  readonly ports: DecisionPorts;
  readonly facts: SessionFacts;
  readonly settings: Settings;
  readonly version: string;
  readonly isOpen: (id: SessionId) => boolean;
  /** A client of whoever writes to the session, this process or another; `null` where nobody can be reached. */
  readonly openWhereWritten: (id: SessionId, identity: ClientIdentity) => Promise<SessionClient | null>;
}

/** Sessions as a whole, over the store of this host. What is rarely asked for loads when it is. */
export function hubSessions(parts: SessionsParts): SessionsClient {
  const { archive, watch, ports, version } = parts;
  const { store, clock, chance, redact } = ports;
  return {
    list: () => archive.list(),
    watch: () => mapped(watch.watch(), async ({ sessions }) => sessions),
    read: (id, after, limit) => archive.readShown(id, { after, limit, redact }),
    history: (id, before, limit) => archive.readShownBefore(id, { before, limit, redact }),
    resolve: (idOrName) => archive.resolve(idOrName),
    async copy(id, identity) {
      requireRole("sessions.copy", identity);
      const { frontend, user } = identity;
      const { forkSession } = await import("../exchange/fork-session.ts");
      const origin = user === undefined ? { frontend } : { frontend, user };
      return await forkSession(store, id, { chance, origin, version });
    },
    async delete(id, identity) {
      requireRole("sessions.delete", identity);
      if (parts.isOpen(id)) throw new AppError("session.busy", `session ${id} is open`, { hint: "Close it first." });
      await archive.require(id);
      const deleted = await deleteSession(store, id, { home: parts.settings.home, clock, chance });
      for (const each of deleted) await parts.facts.forgetSession(each);
    },
    async *export(sessionId, { exact }, identity) {
      requireRole(exact ? "sessions.exportExact" : "sessions.export", identity);
      const { sessionFileLines } = await import("@capstan/importers");
      const options = exact ? {} : { redact: (stored: object) => withoutSecrets(stored, redact) };
      yield* sessionFileLines(() => archive.chained(sessionId), { sessionId, version, ...options });
    },
    async import(file, identity) {
      requireRole("sessions.import", identity);
      const { importSession } = await import("../exchange/import-session.ts");
      const { presentConfig } = await import("../exchange/present-config.ts");
      return await importSession(store, file, {
        version,
        now: clock.now(),
        newId: () => chance.id(),
        workspace: async () => parts.settings.workspace,
        config: () => presentConfig(parts.settings),
        redact,
      });
    },
    async rewind(id, request, identity) {
      requireRole("sessions.rewind", identity);
      const { rewindSession } = await import("../session/rewind-session.ts");
      return await rewindSession(parts, id, request, identity);
    },
    async settleProposals(id, request, identity) {
      requireRole("sessions.settleProposals", identity);
      const { settleProposals } = await import("../session/rewind-session.ts");
      return await settleProposals(parts, id, request, identity);
    },
    async check(id) {
      const { checkSession } = await import("@capstan/doctor");
      await archive.require(id);
      return await checkSession(store, id);
    },
  };
}
