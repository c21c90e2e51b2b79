import type { JournalProblem } from "@capstan/ports";
import type { SessionEvent } from "@capstan/protocol";
import { type InboxChange, type IndexChanges, projectIndex } from "../index-projection.ts";
import { inboxBody, readInteraction } from "./inbox-rows.ts";

/** A session's row of the index. */
export interface StoredIndex {
  readonly title: string;
  readonly givenTitle: string;
  readonly cwd: string;
  readonly model: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly turns: number;
  readonly lastOutcome: string | null;
  readonly forkedFrom: string | null;
  readonly spawnedBy: string | null;
  readonly agent: string | null;
}

export interface StoredInteraction {
  readonly id: string;
  readonly openedAt: number;
  readonly body: string;
}

/** Fields of index and inbox that do not follow from the events, which are all that the journal keeps. */
export function checkIndex(
  events: readonly SessionEvent[],
  index: StoredIndex,
  inbox: readonly StoredInteraction[],
): readonly JournalProblem[] {
  const changes = projectIndex(events);
  const expected = {
    ...indexBy(changes),
    lastOutcome: outcomeBy(events, changes, index),
    createdAt: createdAt(events, index),
    updatedAt: events.at(-1)?.at,
  };
  const stored = new Map<string, unknown>(Object.entries(index));
  const wrong = Object.entries(expected).flatMap(([field, value]) =>
    stored.get(field) === value ? [] : [`${field} is ${shown(stored.get(field))}, by the records ${shown(value)}`],
  );
  return [...wrong, ...checkInbox(changes?.inbox ?? [], inbox)].map((text) => ({ seq: null, kind: "index", text }));
}

function indexBy(changes: IndexChanges = { turnsStarted: 0, inbox: [] }): Omit<StoredIndex, "createdAt" | "updatedAt"> {
  const { firstWords = "", givenTitle = "", cwd = "", model = "", turnsStarted: turns } = changes;
  const { lastOutcome = null, forkedFrom = null, spawnedBy } = changes;
  return {
    title: firstWords,
    givenTitle,
    cwd,
    model,
    turns,
    lastOutcome,
    forkedFrom,
    ...callerBy(spawnedBy),
  };
}

/** An older Capstan left the outcome of the turn before in place while a turn was open. */
function outcomeBy(
  events: readonly SessionEvent[],
  changes: IndexChanges | undefined,
  index: StoredIndex,
): StoredIndex["lastOutcome"] {
  const outcome = changes?.lastOutcome;
  if (outcome !== null) return outcome ?? null;
  const ended = events.findLast(({ record }) => record.type === "turn-ended")?.record;
  return ended?.type === "turn-ended" && ended.outcome === index.lastOutcome ? ended.outcome : null;
}

function callerBy(spawnedBy: IndexChanges["spawnedBy"]): Pick<StoredIndex, "spawnedBy" | "agent"> {
  return { spawnedBy: spawnedBy?.sessionId ?? null, agent: spawnedBy?.agent ?? null };
}

/** The first event may have been a delta, long pruned. */
function createdAt(events: readonly SessionEvent[], index: StoredIndex): number {
  const [first] = events;
  return first?.seq === 1 ? first.at : index.createdAt;
}

function checkInbox(changes: readonly InboxChange[], stored: readonly StoredInteraction[]): readonly string[] {
  const expected = new Map<string, string>();
  for (const change of changes) {
    if (change.type === "resolved") expected.delete(change.interactionId);
    else expected.set(change.interaction.id, `${change.at} ${inboxBody(change.interaction)}`);
  }
  const found = new Map(stored.map((row) => [idOf(row), `${row.openedAt} ${currentBody(row)}`]));
  const ids = new Set([...expected.keys(), ...found.keys()]);
  return [...ids].flatMap((id) => {
    if (expected.get(id) === found.get(id)) return [];
    if (!found.has(id)) return [`interaction ${shown(id)} waits for a user, and the inbox does not have it`];
    if (!expected.has(id)) return [`the inbox has interaction ${shown(id)}, which is over or never was`];
    return [`interaction ${shown(id)} is another in the inbox than in the records`];
  });
}

/** As the record has it: SQLite's text ends at a NUL and knows no lone surrogates. */
function idOf({ id, body }: StoredInteraction): string {
  const read = readInteraction(body);
  return read.type === "interaction" ? read.interaction.id : id;
}

/** As it would be stored today. */
function currentBody({ body }: StoredInteraction): string {
  const read = readInteraction(body);
  return read.type === "interaction" ? inboxBody(read.interaction) : body;
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? "missing";
}
