import type {
  AppError,
  CancelReason,
  EngineHandle,
  Interaction,
  Origin,
  SessionEvent,
  SessionHandle,
  SessionTarget,
  UserContent,
} from "@capstan/protocol";
import type { OnAsk } from "./asking/on-ask.ts";
import type { RunResult } from "./run-result.ts";

export interface TurnReport {
  readonly sessionId: string;
  readonly result: RunResult;
  readonly fault?: AppError;
  readonly durationMs: number;
}

export interface TurnRequest {
  readonly engine: EngineHandle;
  readonly target: SessionTarget;
  /** Empty: no new turn is begun; the one that is open in the resumed session continues. */
  readonly content: readonly UserContent[];
  /** Who runs it; the bare frontend when left out. */
  readonly origin?: Origin;
  /** What happens when something waits for a user; the session denies it when left out. */
  readonly onAsk?: OnAsk;
  /** Wall time for the whole turn; `undefined`: none. */
  readonly timeoutMs?: number;
  /** Notifies when the user or the system wants the turn stopped. Called back at most once for each reason. */
  onStop(listener: (reason: CancelReason) => void): () => void;
}

/** How a medium shows a turn. */
export interface TurnView {
  opened(session: SessionHandle): void;
  /** What an earlier process did of the turn that continues. */
  before?(event: SessionEvent): void;
  event(event: SessionEvent): void;
  /** Something waits for an answer from elsewhere. */
  waiting?(interaction: Interaction): void;
  /** The turn has ended and its end is durable; what it had running may still be on its way out. */
  finished(report: TurnReport): void;
}
