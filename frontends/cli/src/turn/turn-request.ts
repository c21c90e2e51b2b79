import type {
  CancelReason,
  ClientIdentity,
  EngineClient,
  Interaction,
  SessionClient,
  SessionEvent,
  SessionOwner,
  SessionSnapshot,
  SessionTarget,
  TurnId,
  TurnOutcome,
  UserCommand,
  UserContent,
} from "@capstan/protocol";
import type { OnAsk } from "../asking/on-ask.ts";
import type { GivenSettings } from "./given-settings.ts";
import type { AnswerForm } from "./answer-form.ts";
import type { RunResult } from "./run-result.ts";

export interface TurnReport {
  readonly sessionId: string;
  readonly result: RunResult;
  readonly durationMs: number;
}

export interface TurnRequest {
  readonly client: EngineClient;
  readonly target: SessionTarget;
  /** Who runs it. */
  readonly identity: ClientIdentity;
  /** Empty: no new turn is begun; the one that is open in the resumed session continues. */
  readonly content: readonly UserContent[];
  /** A command of the user's own that is run in place of words. */
  readonly command?: UserCommand;
  /** What a new session is called. */
  readonly name?: string;
  /** Takes the last turn back and sends its words again, in place of `content`. */
  readonly isRetry?: boolean;
  /** What the answer must be like; free when left out. */
  readonly answerForm?: AnswerForm;
  /** What is said again, for a session that another process has open; one that is opened here has it already. */
  readonly given?: GivenSettings;
  /** Names of the flags that were given, as they are written: no advice names them again. */
  readonly givenFlags?: ReadonlySet<string>;
  /** What happens when something waits for a user; the session denies it when left out. */
  readonly onAsk?: OnAsk;
  /** Takes the result as soon as it is there: the run may stay for words that others sent. */
  keepResult?(result: RunResult): Promise<void>;
  /** Wall time for the whole run; `undefined`: none. */
  readonly timeoutMs?: number;
  /** Notifies when the user or the system wants the turn stopped. Called back at most once for each reason. */
  onStop(listener: (reason: CancelReason) => void): () => void;
}

/** A session as it is found, before anything is done in it. */
export interface OpenedSession {
  readonly snapshot: SessionSnapshot;
  readonly owner: SessionOwner;
  /** What was said for this run and does not hold, since another process has the session open. */
  readonly ignored?: readonly string[];
}

/** How a medium shows a turn. */
export interface TurnView {
  opened(opened: OpenedSession): void;
  /** What an earlier process did of the turn that continues. */
  before?(event: SessionEvent): void;
  event(event: SessionEvent): void;
  /** Another process writes to the session from here on, or this one. */
  owner?(owner: SessionOwner): void;
  /** The user who looks on answers these questions. */
  answering?(ids: readonly string[]): void;
  /** The answer does not have its form, and the model is asked again. */
  asksAgain?(problem: string): void;
  /** Something waits for an answer from elsewhere. */
  waiting?(interaction: Interaction): void;
  /** The turn has ended and its end is durable; what it had running may still be on its way out. */
  finished(report: TurnReport): void;
  /** After that: what others sent behind this turn is worked on before the run ends. */
  behind?(news: BehindNews): void;
}

/** Of words that others sent behind a run's own. */
export type BehindNews =
  | { readonly type: "begun"; readonly by: string; readonly words: string }
  | { readonly type: "event"; readonly event: SessionEvent }
  | { readonly type: "ended"; readonly outcome: TurnOutcome }
  /** The run ends before they are worked on, or have been. */
  | { readonly type: "left"; readonly sessionId: string };

/** A turn of a session that is open. */
export interface FollowedTurnOptions {
  readonly request: TurnRequest;
  readonly session: SessionClient;
  readonly view: TurnView;
  readonly opened: OpenedSession;
  /** Words that begin the turn; empty: it was begun. */
  readonly content: readonly UserContent[];
  readonly turnId: TurnId;
}
