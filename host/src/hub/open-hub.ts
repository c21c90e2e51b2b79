import type { SessionFacts } from "@capstan/facts";
import { type FindFiles, type HubOptions, SessionHub, type SessionSockets, StoreWatch } from "@capstan/hub";
import { type DecisionPorts, shownRule } from "@capstan/runtime";
import { type EngineClient, requireRole, type Workspace } from "@capstan/protocol";
import type { Settings } from "../load-settings.ts";
import { factsWhereOn } from "../open-facts.ts";
import type { LocalEngine } from "../session/local-engine.ts";
import { SessionArchive } from "../session/session-archive.ts";
import { checkHere, configEntries, hubTrust, listSkills } from "./hub-installation.ts";
import { hubFacts } from "./hub-facts.ts";
import { hubInteractions } from "./hub-interactions.ts";
import { hubSessions } from "./hub-sessions.ts";

export interface HubParts {
  readonly engine: LocalEngine;
  readonly ports: DecisionPorts;
  readonly facts: SessionFacts;
  readonly settings: Settings;
  readonly guard: NonNullable<HubOptions["guard"]>;
  readonly sockets: SessionSockets | null;
  readonly findFiles: FindFiles;
  /** Those in which sessions work. */
  readonly workspaces: () => readonly Workspace[];
  /** What a workspace brings along counts from here on. */
  readonly onTrusted: () => void;
  /** With what was trusted since. */
  readonly currentSettings: () => Promise<Settings>;
  readonly problems: HubOptions["problems"];
  readonly version: string;
}

/** The client API over this process's engine. */
export function openHub(parts: HubParts): EngineClient {
  const { engine, ports, facts, settings, guard, sockets, findFiles, currentSettings } = parts;
  const { store, clock, redact } = ports;
  const archive = new SessionArchive(store);
  const watch = new StoreWatch(store, clock);
  const openWhereWritten: SessionHub["openWhereWritten"] = (id, identity) => hub.openWhereWritten(id, identity);
  const hub: SessionHub = new SessionHub({
    opener: engine,
    archive,
    store,
    clock,
    redact,
    guard,
    sockets,
    report: (error) => ports.report(error),
    sessions: hubSessions({ ...parts, archive, watch, isOpen: (id) => hub.isOpen(id), openWhereWritten }),
    interactions: hubInteractions({ ports, watch, sockets, openForAnswer: openWhereWritten }),
    grants: {
      list: async () => (await store.grants.list()).map((grant) => ({ ...grant, rule: shownRule(grant.rule, redact) })),
      async revoke(id, identity) {
        requireRole("grants.revoke", identity);
        return await store.grants.remove(id);
      },
    },
    facts: hubFacts(factsWhereOn(facts, settings)),
    trust: hubTrust(settings, parts),
    findFiles,
    skills: async () => await listSkills(await currentSettings()),
    config: async () => configEntries(await currentSettings()),
    problems: parts.problems,
    doctor: async () => checkHere(await currentSettings()),
    async models() {
      const { listEntries } = await import("./list-entries.ts");
      return await listEntries(await currentSettings());
    },
    onClose: () => watch.close(),
  });
  return hub;
}
