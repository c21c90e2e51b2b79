import {
  type AppError,
  type ClientIdentity,
  type EngineClient,
  type Frame,
  type Interaction,
  type JournalRecord,
  noUsage,
  type OpenOptions,
  type Receipt,
  type SessionClient,
  type SessionEvent,
  type SessionId,
  type SessionOwner,
  type SessionSnapshot,
  type SessionTarget,
  type Submission,
  toInteractionId,
  toSessionId,
  toTurnId,
  type TurnId,
  type TurnOutcome,
  type ConversationPage,
} from "@capstan/protocol";
import { action, callId, memoryEngine, opening, sessionConfig, testWorkspace } from "@capstan/testkit";

export const sessionId: SessionId = toSessionId("session-1");
/** The turn that a run begins. */
export const turnId: TurnId = toTurnId("turn-1");

export const identity: ClientIdentity = { frontend: "cli", role: "operate" };

/** What the engine does about a submission; a receipt in place of the plain yes. */
export type Reaction = (submission: Submission, session: FakeSession) => void | Receipt | Promise<void>;

/** How a session is found. */
export interface Found {
  /** What its journal holds. */
  readonly past?: readonly SessionEvent[];
  readonly owner?: SessionOwner;
  readonly snapshot?: Partial<SessionSnapshot>;
  /** Something is open that waits for a `resume`. */
  readonly waits?: boolean;
}

/** One session, whose part a test plays: it takes submissions and says which records follow. */
export class FakeSession implements SessionClient {
  readonly id: SessionId = sessionId;
  readonly identity: ClientIdentity = identity;
  readonly fault: Promise<AppError>;
  readonly submissions: Submission[] = [];
  /** What was asked for and in which order. */
  readonly log: string[] = [];
  readonly engine: EngineClient;
  readonly #react: Reaction;
  readonly #found: Found;
  readonly #attached = new Set<FakeFrames>();
  #events: readonly SessionEvent[];
  #waits: boolean;
  #reportFault: (fault: AppError) => void = () => undefined;

  constructor(react: Reaction, found: Found = {}) {
    this.#react = react;
    this.#found = found;
    this.#events = found.past ?? numbered(opening(), 0);
    this.#waits = found.waits ?? false;
    this.engine = { ...memoryEngine(), newTurnId: () => turnId, open: (...args) => this.#open(...args) };
    this.fault = new Promise((resolve) => {
      this.#reportFault = resolve;
    });
  }

  get recovery(): SessionClient["recovery"] {
    return { after: 0, waits: this.#waits };
  }

  /** Iterations that were not given up. */
  get attached(): number {
    return this.#attached.size;
  }

  /** Appends and publishes records. */
  say(...records: readonly JournalRecord[]): void {
    const added = numbered(records, this.#seq);
    this.#events = [...this.#events, ...added];
    for (const event of added) this.#send({ type: "record", event });
  }

  /** Another process writes to it from here on, or this one. */
  change(owner: SessionOwner, waits: boolean): void {
    this.#waits = waits;
    this.#send({ type: "owner", owner });
  }

  fail(fault: AppError): void {
    this.#reportFault(fault);
    this.#send({ type: "closed", reason: fault.message });
  }

  attach(after: number): AsyncIterable<Frame> {
    const past = this.#events.filter(({ seq }) => seq > after);
    const frames = new FakeFrames([
      { type: "snapshot", snapshot: this.#snapshot() },
      ...past.map((event): Frame => ({ type: "record", event })),
      { type: "live", seq: this.#seq },
    ]);
    this.#attached.add(frames);
    frames.whenReturned(() => this.#attached.delete(frames));
    return frames;
  }

  async submit(submission: Submission): Promise<Receipt> {
    this.submissions.push(submission);
    if (submission.type === "resume") this.#waits = false;
    const receipt = await this.#react(submission, this);
    return receipt ?? { type: "accepted", seq: this.#seq };
  }

  async snapshot(): Promise<SessionSnapshot> {
    return this.#snapshot();
  }

  async history(before: number | null, limit: number): Promise<Awaited<ReturnType<SessionClient["history"]>>> {
    const older = this.#events.filter(({ seq }) => before === null || seq < before);
    const events = older.slice(-limit);
    return { events, before: events.length < older.length ? (events[0]?.seq ?? null) : null };
  }

  async conversation(): Promise<ConversationPage> {
    return { messages: [], from: 0 };
  }

  async draft(): Promise<null> {
    return null;
  }

  async saveDraft(): Promise<void> {
    // Nothing is typed here.
  }

  previewRewind(): Promise<never> {
    return Promise.reject(new Error("nobody takes a turn back here"));
  }

  async context(): Promise<null> {
    return null;
  }

  async findFiles(): Promise<Awaited<ReturnType<SessionClient["findFiles"]>>> {
    return { paths: [], isPartial: false };
  }

  async presence(): Promise<readonly []> {
    return [];
  }

  async owner(): Promise<SessionOwner> {
    return this.#found.owner ?? { type: "here" };
  }

  async close(): Promise<void> {
    this.log.push("close");
  }

  get #seq(): number {
    return this.#events.at(-1)?.seq ?? 0;
  }

  /** The last turn that was reported ended, and none has begun since. */
  get #hasEnded(): boolean {
    const last = this.#events
      .slice((this.#found.past ?? []).length)
      .findLast(({ record: { type } }) => type === "turn-started" || type === "turn-ended");
    return last?.record.type === "turn-ended";
  }

  async #open(target: SessionTarget, { identity: { frontend } }: OpenOptions): Promise<SessionClient> {
    this.log.push(`open ${target.type} ${frontend}`);
    return this;
  }

  #send(frame: Frame): void {
    for (const frames of this.#attached) frames.push(frame);
  }

  #snapshot(): SessionSnapshot {
    const ended = this.#events.findLast(({ record }) => record.type === "turn-ended")?.record;
    return {
      sessionId,
      seq: this.#seq,
      workspace: testWorkspace,
      config: sessionConfig(),
      activity: { type: "idle" },
      queued: [],
      steering: [],
      running: [],
      context: null,
      pending: [],
      proposals: [],
      tasks: [],
      grants: [],
      turns: [],
      resumed: false,
      summaries: 0,
      canUnwind: false,
      usage: noUsage,
      costUsd: 0,
      ...(ended?.type === "turn-ended" ? { lastOutcome: ended.outcome } : {}),
      ...this.#found.snapshot,
      ...(this.#hasEnded ? { activity: { type: "idle" }, queued: [] } : {}),
    };
  }
}

/** Frames as they come, until they are given up. */
class FakeFrames implements AsyncIterableIterator<Frame> {
  readonly #waiting: Frame[];
  #isOver = false;
  #wake: () => void = () => undefined;
  #tellReturned: () => void = () => undefined;

  constructor(first: readonly Frame[]) {
    this.#waiting = [...first];
  }

  whenReturned(tell: () => void): void {
    this.#tellReturned = tell;
  }

  push(frame: Frame): void {
    this.#waiting.push(frame);
    this.#wake();
  }

  async next(): Promise<IteratorResult<Frame, undefined>> {
    for (;;) {
      const value = this.#waiting.shift();
      if (this.#isOver) return { done: true, value: undefined };
      if (value !== undefined) return { done: false, value };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async return(): Promise<IteratorResult<Frame, undefined>> {
    this.#isOver = true;
    this.#wake();
    this.#tellReturned();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

/** Something that waits for an approval. */
export function approval(id: string): Interaction {
  const asked = action("act");
  return {
    id: toInteractionId(id),
    request: { type: "approval", callId: callId("c1"), action: asked, reason: "asked", risk: "low", warnings: [] },
    digest: asked.digest,
    openedAt: 0,
    expiresAt: null,
    origin: { frontend: "cli" },
    answerers: [],
  };
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
