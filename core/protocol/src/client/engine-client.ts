import type { ContextReport } from "../context-report.ts";
import type { ErrorCode } from "../error-catalog.ts";
import type { AppError } from "../errors.ts";
import type { FactQuery, FactWords, KnownFact } from "../fact.ts";
import type { Grant } from "../gate/grant.ts";
import type { Interaction, InteractionAnswer, Origin } from "../gate/interaction.ts";
import type { SessionId, ToolCallId, TurnId } from "../ids.ts";
import type { JsonObject } from "../json.ts";
import type { SessionEvent } from "../record.ts";
import type { ModelPrices, SessionConfig, Workspace } from "../session-config.ts";
import type { SessionSnapshot } from "../session-snapshot.ts";
import type { Skill } from "../skill.ts";
import type { ClientIdentity } from "./client-identity.ts";
import type { Check, FileProblem, ConfigEntry, TrustClient } from "./installation.ts";
import type { ConversationPage, HistoryPage } from "./history-page.ts";
import type { Role } from "./role.ts";
import type { FoundFiles, RewindPreview, SessionsClient } from "./sessions-client.ts";
import type { Receipt, Submission } from "./submission.ts";

/** One client that is attached to a session. */
export interface Presence {
  readonly clientId: string;
  readonly frontend: string;
  readonly user?: string;
  readonly role: Role;
  /** ms since 1970. */
  readonly since: number;
}

/**
 * What an attached client receives, in this order: one `snapshot`, then every record after the number it asked for, then `live` once it
 * is level with the journal, then every further record. Numbers rise and may have gaps: pieces that a later record superseded are not
 * sent again.
 */
export type Frame =
  | { readonly type: "snapshot"; readonly snapshot: SessionSnapshot }
  | { readonly type: "record"; readonly event: SessionEvent }
  /** The client has everything up to `seq`. Sent again whenever it had fallen behind. */
  | { readonly type: "live"; readonly seq: number }
  | { readonly type: "presence"; readonly present: readonly Presence[] }
  /** Who writes to the session has changed; numbers continue where they were. */
  | { readonly type: "owner"; readonly owner: SessionOwner }
  /** Nothing follows. */
  | { readonly type: "closed"; readonly reason: string };

/** The process that writes to a session, as this client sees it. */
export type SessionOwner =
  /** This process. */
  | { readonly type: "here" }
  /** Another one, through which this client speaks. */
  | { readonly type: "process"; readonly processId: number; readonly frontend: string }
  /** No process that can be reached: the session is read from the store, and nothing can be submitted. */
  | { readonly type: "none"; readonly reason: string };

/** Words that were typed and not sent. `at`: ms since 1970. */
export interface Draft {
  readonly text: string;
  readonly at: number;
}

/** What opening a session found and settled. */
export interface RecoveryReport {
  /** Number of the last record before this opening; the records after it say what was settled. */
  readonly after: number;
  /** Something is open that waits for a `resume`. */
  readonly waits: boolean;
  /** What the process that writes to the session lacks to carry on with it. Until it has that, whatever is begun there waits, too. */
  readonly lacks?: Lack;
}

/** Something that is missing: which error it would be, in words, and what to do about it. */
export interface Lack {
  readonly code: ErrorCode;
  readonly reason: string;
  readonly hint?: string;
}

/** A session, as a frontend holds it. Every client has its own. */
export interface SessionClient {
  readonly id: SessionId;
  readonly identity: ClientIdentity;
  readonly recovery: RecoveryReport;
  /**
   * Everything after the number `after`, without gap or repeat, for as long as it is iterated. Nothing is buffered for a client that
   * does not pull: it is served from the journal later. `return()` of its iterator ends it at once, also while a `next()` waits, which is
   * done then.
   */
  attach(after: number): AsyncIterable<Frame>;
  /**
   * Resolves when the submission was decided on and its records are durable. It never throws for a submission that is refused.
   * @throws AppError `storage.*`, when the journal can no longer be written
   */
  submit(submission: Submission): Promise<Receipt>;
  snapshot(): Promise<SessionSnapshot>;
  /** The newest page of events with numbers below `before` (`null`: the newest of all), at most about `limit`. */
  history(before: number | null, limit: number): Promise<HistoryPage>;
  /** The newest page of messages before the place `before` (`null`: the newest of all), at most `limit`. */
  conversation(before: number | null, limit: number): Promise<ConversationPage>;
  /** The draft of this client's user. */
  draft(): Promise<Draft | null>;
  /** Stores it; `null` or empty text removes it. */
  saveDraft(text: string | null): Promise<void>;
  presence(): Promise<readonly Presence[]>;
  owner(): Promise<SessionOwner>;
  /** What a `rewind` to the first `keepTurns` turns would do now. Nothing is changed. */
  previewRewind(keepTurns: number): Promise<RewindPreview>;
  /** What the session's model is shown, how much room it takes, and which summaries were made; `null`: no settings were given yet. */
  context(): Promise<ContextReport | null>;
  /**
   * Files of the session's workspace whose paths have the letters of `text` in this order, the best first, at most about `limit`. What is
   * ignored or denied is left out.
   * @throws AppError `door.role` for a client that only watches
   */
  findFiles(text: string, limit: number): Promise<FoundFiles>;
  /** Resolves when the journal can no longer be written; the session has stopped and keeps what was acknowledged. */
  readonly fault: Promise<AppError>;
  /** Detaches this client; where it was the last one, the process stops what runs and gives the session back. */
  close(): Promise<void>;
}

/** What makes a new session one that works for another. Only the engine that has the other begins it. */
export interface Child {
  readonly spawnedBy: { readonly sessionId: SessionId; readonly callId: ToolCallId; readonly agent: string };
  readonly workspace: Workspace;
  /** With the agent's profile. */
  readonly config: SessionConfig;
}

/** Which session is opened. Directories are absolute real paths. */
export type SessionTarget =
  | { readonly type: "new"; readonly id?: SessionId; readonly title?: string; readonly child?: Child }
  | { readonly type: "resume"; readonly id: SessionId }
  | { readonly type: "fork"; readonly id: SessionId };

/** How a session is opened. */
export interface OpenOptions {
  readonly identity: ClientIdentity;
  /**
   * `drive`: this process may become the session's writer, and carries out what is decided. `watch`: it never does; where no other
   * process writes, the session is read from the store.
   */
  readonly purpose: "drive" | "watch";
  /** What an earlier process left open is carried on with at once (the default), or waits for a `resume`. */
  readonly resume?: "at-once" | "wait";
}

/** The engine, as frontends see it; in this process or in another. */
export interface EngineClient {
  /** @throws AppError `session.unknown`, `usage.invalid`, `storage.*` */
  open(target: SessionTarget, options: OpenOptions): Promise<SessionClient>;
  readonly sessions: SessionsClient;
  readonly interactions: InteractionsClient;
  readonly grants: GrantsClient;
  readonly facts: FactsClient;
  readonly trust: TrustClient;
  /** The models that the configured keys reach. */
  models(): Promise<readonly ModelEntry[]>;
  /** The skills of this user, and of the workspace where it is trusted. */
  skills(): Promise<readonly Skill[]>;
  /** Every setting as it holds where the engine runs, with where it was set. Secrets are masked. */
  config(): Promise<readonly ConfigEntry[]>;
  /** Looks the installation over, as far as sessions need it. Nothing is changed. */
  doctor(): Promise<readonly Check[]>;
  /** What language servers of this process say of the files that a session changed in it; `null`: none was asked. */
  problems(id: SessionId): Promise<readonly FileProblem[] | null>;
  newTurnId(): TurnId;
  close(): Promise<void>;
}

/** Something that waits for a user, with the session it belongs to. */
export interface InboxEntry {
  readonly sessionId: SessionId;
  /** First words of the session, or its name. */
  readonly title: string;
  readonly cwd: string;
  /** The process that writes to the session and continues as soon as it is answered; `null`: none. */
  readonly owner: { readonly processId: number; readonly frontend: string } | null;
  readonly interaction: Interaction;
  /** The agent that waits, and the sessions it works for, the nearest first; absent: it is a user's session. */
  readonly agent?: { readonly name: string; readonly callers: readonly SessionId[] };
}

/** Where an interaction is found. What is asked there is read from the journal, never taken from whoever answers. */
export interface InteractionPlace {
  readonly sessionId: SessionId;
  readonly interactionId: Interaction["id"];
}

/** How something that waited was settled. */
export interface Settled {
  readonly interactionId: Interaction["id"];
  readonly answer: InteractionAnswer | { readonly type: "void" } | { readonly type: "expired" };
  readonly origin: Origin;
  /** ms since 1970. */
  readonly at: number;
  readonly answerId?: string;
}

/** What was found under an id. */
export type FoundInteraction =
  | { readonly type: "pending"; readonly entry: InboxEntry }
  | {
      readonly type: "settled";
      readonly sessionId: SessionId;
      readonly interaction: Interaction;
      readonly settled: Settled;
    };

/** Everything that waits for a user, in all sessions. */
export interface InteractionsClient {
  /** Oldest first. */
  list(): Promise<readonly InboxEntry[]>;
  /**
   * What an id, or a unique beginning of one, stands for; what waits comes before what is settled.
   * @throws AppError `interaction.unknown`, `usage.invalid` for a beginning that fits several
   */
  find(idOrPrefix: string): Promise<FoundInteraction>;
  /** Pushes the whole inbox once and again whenever it changes, until the iteration is given up, as with `attach`. */
  watch(): AsyncIterable<readonly InboxEntry[]>;
  /** The first valid answer counts; the receipt says which code and reason refused another. */
  answer(place: InteractionPlace, answer: InteractionAnswer, identity: ClientIdentity): Promise<Receipt>;
}

/** Approvals that hold beyond a session. */
export interface GrantsClient {
  list(): Promise<readonly Grant[]>;
  /** @returns false when there is none of that id */
  revoke(id: string, identity: ClientIdentity): Promise<boolean>;
}

/** What is remembered beyond sessions. @throws AppError `usage.invalid` where the configuration says that nothing is */
export interface FactsClient {
  /** Those that fit, after what the journals of their folder have to add. */
  list(query: FactQuery): Promise<readonly KnownFact[]>;
  remember(words: FactWords, identity: ClientIdentity): Promise<KnownFact>;
  /** Gives a fact other words: from then on it is the user's. @returns false when there is none of that id */
  change(id: string, text: string, identity: ClientIdentity): Promise<boolean>;
  /** @returns false when there is none of that id */
  forget(id: string, identity: ClientIdentity): Promise<boolean>;
}

/** A model that can be asked. Tokens; USD per million tokens. */
export interface ModelEntry {
  /** `provider/id`. */
  readonly name: string;
  readonly contextWindowTokens?: number;
  readonly maxOutputTokens?: number;
  readonly prices?: ModelPrices;
  readonly details?: JsonObject;
}
