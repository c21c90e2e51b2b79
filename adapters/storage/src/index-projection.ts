import {
  asksAgain,
  type Interaction,
  type InteractionId,
  type JournalRecord,
  type SessionEvent,
  type SessionId,
  type TurnOutcome,
  unreachable,
} from "@capstan/protocol";
import { sessionTitle, titleLine } from "./session-title.ts";

/** What events change in the index and the inbox. A field left out stays as it was. */
export interface IndexChanges {
  readonly cwd?: string;
  readonly forkedFrom?: SessionId;
  readonly spawnedBy?: { readonly sessionId: SessionId; readonly agent: string };
  readonly model?: string;
  /** The first words of a turn: the title of a session that has none yet. */
  readonly firstWords?: string;
  /** The title that a user gave, which stands in place of the first words; empty: it was taken away. */
  readonly givenTitle?: string;
  readonly turnsStarted: number;
  /** `null`: a turn has begun since, and has not ended. */
  readonly lastOutcome?: TurnOutcome | null;
  /** In the order of the events. */
  readonly inbox: readonly InboxChange[];
}

export type InboxChange =
  /** `seq`, `at`: of the event that opened it. */
  | { readonly type: "opened"; readonly seq: number; readonly at: number; readonly interaction: Interaction }
  | { readonly type: "resolved"; readonly interactionId: InteractionId };

/** Index and inbox as a projection of the events. @returns `undefined` when they change neither */
export function projectIndex(events: readonly SessionEvent[]): IndexChanges | undefined {
  const changes = events.reduce(projectEvent, unchanged);
  return changes === unchanged ? undefined : changes;
}

/** What no event has changed yet. */
export const unchanged: IndexChanges = { turnsStarted: 0, inbox: [] };

/** The changes of one event more. */
export function projectEvent(changes: IndexChanges, { seq, at, record }: SessionEvent): IndexChanges {
  switch (record.type) {
    case "session-started":
      return withStart(changes, record);
    case "session-configured":
      return { ...changes, model: `${record.config.model.provider}/${record.config.model.id}` };
    case "session-titled":
      return { ...changes, givenTitle: titleLine(record.title) };
    case "turn-started":
      return withFirstWords(
        { ...changes, turnsStarted: changes.turnsStarted + (asksAgain(record) ? 0 : 1), lastOutcome: null },
        sessionTitle(record.content),
      );
    case "turn-ended":
      return { ...changes, lastOutcome: record.outcome };
    case "interaction-opened":
      return withInbox(changes, { type: "opened", seq, at, interaction: record.interaction });
    case "interaction-resolved":
      return withInbox(changes, { type: "resolved", interactionId: record.interactionId });
    case "session-recovered":
    case "context-packed":
    case "step-started":
    case "text-delta":
    case "thinking-delta":
    case "tool-arguments-delta":
    case "step-retrying":
    case "step-completed":
    case "step-abandoned":
    case "tool-decided":
    case "tool-started":
    case "tool-deferred":
    case "tool-probed":
    case "tool-restarted":
    case "tool-effects":
    case "tool-output-delta":
    case "tool-finished":
    case "grant-added":
    case "grant-revoked":
    case "call-edited":
    case "compaction-started":
    case "compaction-completed":
    case "compaction-failed":
    case "compaction-selected":
    case "compaction-edited":
    case "results-shortened":
    case "results-kept":
    case "summary-started":
    case "summary-made":
    case "summary-dropped":
    case "turn-queued":
    case "queue-changed":
    case "turn-steered":
    case "rewind-started":
    case "rewind-finished":
    case "proposals-applying":
    case "proposals-applied":
    case "proposals-refused":
    case "hook-started":
    case "hook-finished":
    case "notice":
      return changes;
    default:
      return unreachable(record);
  }
}

function withStart(
  changes: IndexChanges,
  { workspace, forkedFrom, spawnedBy }: Extract<JournalRecord, { type: "session-started" }>,
): IndexChanges {
  return {
    ...changes,
    cwd: workspace.cwd,
    ...(forkedFrom === undefined ? {} : { forkedFrom: forkedFrom.sessionId }),
    ...(spawnedBy === undefined ? {} : { spawnedBy: { sessionId: spawnedBy.sessionId, agent: spawnedBy.agent } }),
  };
}

function withFirstWords(changes: IndexChanges, firstWords: string): IndexChanges {
  return firstWords === "" || changes.firstWords !== undefined ? changes : { ...changes, firstWords };
}

function withInbox(changes: IndexChanges, change: InboxChange): IndexChanges {
  return { ...changes, inbox: [...changes.inbox, change] };
}
