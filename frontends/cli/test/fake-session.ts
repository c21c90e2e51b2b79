import {
  type AppError,
  type EngineHandle,
  type JournalRecord,
  type Origin,
  type SessionHandle,
  type SessionEvent,
  type SessionId,
  type SessionTarget,
  type Receipt,
  type ResolvedSubmission,
  toSessionId,
  toTurnId,
  type TurnId,
  type TurnOutcome,
} from "@capstan/protocol";
import { opening, sessionConfig, testWorkspace } from "@capstan/testkit";
import { noUsage } from "@capstan/protocol";

export const sessionId: SessionId = toSessionId("session-1");
/** The turn that a run begins. */
export const turnId: TurnId = toTurnId("turn-1");

/** What the engine does about a submission. */
export type Reaction = (submission: ResolvedSubmission, session: FakeSession) => void | Promise<void>;

/** An engine with one session, whose part a test plays: it receives submissions and says which records follow. */
export class FakeSession implements SessionHandle, EngineHandle {
  readonly id: SessionId = sessionId;
  readonly openedAfter: number;
  readonly fault: Promise<AppError>;
  readonly submissions: ResolvedSubmission[] = [];
  /** What was asked for and in which order. */
  readonly log: string[] = [];
  readonly #react: Reaction;
  readonly #listeners = new Set<(event: SessionEvent) => void>();
  #events: readonly SessionEvent[];
  #reportFault: (fault: AppError) => void = () => undefined;

  /**
   * @param past  what the journal holds when the session is opened, with the time of each record
   * @param openedAfter  the last of them that was there before this opening
   */
  constructor(
    react: Reaction,
    past: readonly SessionEvent[] = numbered(opening(), 0),
    openedAfter = past.at(-1)?.seq ?? 0,
  ) {
    this.openedAfter = openedAfter;
    this.#react = react;
    this.#events = past;
    this.fault = new Promise((resolve) => {
      this.#reportFault = resolve;
    });
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /** Appends and publishes records. */
  say(...records: readonly JournalRecord[]): void {
    const added = numbered(records, this.#events.at(-1)?.seq ?? 0);
    this.#events = [...this.#events, ...added];
    for (const event of added) for (const listener of this.#listeners) listener(event);
  }

  fail(fault: AppError): void {
    this.#reportFault(fault);
  }

  async open(target: SessionTarget, origin: Origin): Promise<SessionHandle> {
    this.log.push(`open ${target.type} ${origin.frontend}`);
    return this;
  }

  async submit(submission: ResolvedSubmission): Promise<Receipt> {
    this.submissions.push(submission);
    await this.#react(submission, this);
    return { type: "accepted", seq: this.#events.at(-1)?.seq ?? 0 };
  }

  snapshot(): ReturnType<SessionHandle["snapshot"]> {
    const ended = this.#events.findLast(({ record }) => record.type === "turn-ended")?.record;
    return {
      sessionId,
      seq: this.#events.at(-1)?.seq ?? 0,
      workspace: testWorkspace,
      config: sessionConfig(),
      activity: { type: "idle" },
      queued: [],
      steering: [],
      running: [],
      context: null,
      conversation: [],
      pending: [],
      tasks: [],
      grants: [],
      turns: [],
      canUnwind: false,
      usage: noUsage,
      costUsd: 0,
      ...(ended?.type === "turn-ended" ? { lastOutcome: ended.outcome } : {}),
    };
  }

  subscribe(listener: (event: SessionEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async events(after: number): Promise<readonly SessionEvent[]> {
    return this.#events.filter((event) => event.seq > after);
  }

  async listSessions(): Promise<readonly []> {
    return [];
  }

  async readSession(): Promise<readonly SessionEvent[]> {
    return this.#events;
  }

  async resolveSession(): Promise<SessionId> {
    return sessionId;
  }

  newTurnId(): TurnId {
    return turnId;
  }

  async close(): Promise<void> {
    this.log.push("close");
  }
}

export function numbered(records: readonly JournalRecord[], after: number, at = 0): readonly SessionEvent[] {
  return records.map((record, index) => ({ seq: after + index + 1, at, record }));
}

export function turnStarted(id: TurnId = turnId, text = "go"): JournalRecord {
  return { type: "turn-started", turnId: id, content: [{ type: "text", text }], origin: { frontend: "cli" } };
}

export function turnEnded(
  outcome: TurnOutcome,
  more: Partial<Extract<JournalRecord, { type: "turn-ended" }>> = {},
): JournalRecord {
  return { type: "turn-ended", turnId, outcome, rolledBack: false, ...more };
}
