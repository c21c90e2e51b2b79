import { type ReadJournals, SessionFacts } from "@capstan/facts";
import type { Redactor } from "@capstan/runtime";
import type { DataDirectory } from "@capstan/settings";
import { hasFacts, openFactStore } from "@capstan/storage";
import type { Settings } from "./load-settings.ts";
import { systemChance, systemClock } from "./system/system-ports.ts";

interface FactsSurroundings {
  readonly redact: Redactor;
  /** Whose journals are read for it; absent: none are. */
  readonly sessions?: ReadJournals;
}

/** What a journal is read from where there is none to read. */
const noSessions: ReadJournals = { list: async () => [], read: async () => [], readBefore: async () => [] };

/**
 * What is remembered; nothing is opened before it is asked for.
 */
export function openFacts(
  { facts: path }: DataDirectory,
  { redact, sessions = noSessions }: FactsSurroundings,
): SessionFacts {
  return new SessionFacts({
    open: async () => await openFactStore(path),
    exists: () => hasFacts(path),
    sessions,
    now: () => systemClock.now(),
    newId: () => systemChance.id(),
    redact,
  });
}

/** `null` where the user's configuration says that nothing is remembered. */
export function factsWhereOn(facts: SessionFacts, { loaded }: Pick<Settings, "loaded">): SessionFacts | null {
  return loaded.values.context.facts ? facts : null;
}
