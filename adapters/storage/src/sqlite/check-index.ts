import type { JournalProblem } from "@capstan/ports";
import type { SessionEvent, TurnOutcome } from "@capstan/protocol";
import { type InboxChange, type IndexChanges, projectEvent, unchanged } from "../index-projection.ts";
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

/** Finds fields of index and inbox that do not follow from the events, which are all that the journal keeps and are taken one by one. */
export class IndexCheck {
  #changes = unchanged;
  #first: SessionEvent | undefined;
  #updatedAt: number | undefined;
  #lastEnd: TurnOutcome | undefined;

  take(event: SessionEvent): void {
    const { at, record } = event;
    this.#changes = projectEvent(this.#changes, event);
    this.#first ??= event;
    this.#updatedAt = at;
    if (record.type === "turn-ended") this.#lastEnd = record.outcome;
  }

  problems(index: StoredIndex, inbox: readonly StoredInteraction[]): readonly JournalProblem[] {
    const expected = {
      ...indexBy(this.#changes),
      lastOutcome: this.#outcome(index),
      // The first event may have been a delta, long pruned.
      createdAt: this.#first?.seq === 1 ? this.#first.at : index.createdAt,
      updatedAt: this.#updatedAt,
    };
    const stored = new Map<string, unknown>(Object.entries(index));
    const wrong = Object.entries(expected).flatMap(([field, value]) =>
      stored.get(field) === value ? [] : [`${field} is ${shown(stored.get(field))}, by the records ${shown(value)}`],
    );
    return [...wrong, ...checkInbox(this.#changes.inbox, inbox)].map((text) => ({ seq: null, kind: "index", text }));
  }

  /** An older Capstan left the outcome of the turn before in place while a turn was open. */
  #outcome(index: StoredIndex): StoredIndex["lastOutcome"] {
    const outcome = this.#changes.lastOutcome;
    if (outcome !== null) return outcome ?? null;
    return this.#lastEnd !== undefined && this.#lastEnd === index.lastOutcome ? this.#lastEnd : null;
  }
}

function indexBy(changes: IndexChanges): Omit<StoredIndex, "createdAt" | "updatedAt"> {
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

function callerBy(spawnedBy: IndexChanges["spawnedBy"]): Pick<StoredIndex, "spawnedBy" | "agent"> {
  return { spawnedBy: spawnedBy?.sessionId ?? null, agent: spawnedBy?.agent ?? null };
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
