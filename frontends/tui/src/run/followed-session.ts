import type {
  EngineClient,
  Frame,
  InboxEntry,
  Interaction,
  JournalRecord,
  OpenOptions,
  SessionClient,
  SessionEvent,
  SessionOwner,
  SessionSnapshot,
  SessionTarget,
  TurnId,
} from "@capstan/protocol";
import { AgentQuestions } from "@capstan/client";
import {
  emptyTranscript,
  leftOpenLines,
  reduce,
  type Status,
  statusOf,
  type Transcript,
  withoutOldCells,
} from "@capstan/view";
import type { Asked, LeftOpen } from "../card/card-choices.ts";
import { OpenProposals } from "./open-proposals.ts";

/** Of a session that is resumed, about so many events are shown at once; the pager has all. */
const shownEvents = 300;

/** For the full screen, which shows them again at another width; about an hour of work. */
const keptCells = 1000;

export interface SessionListeners {
  /** Something is to be painted. */
  changed(): void;
  record(record: JournalRecord): void;
  /** Nothing follows. */
  closed(reason: string): void;
}

/** A session as the screen follows it. */
export class FollowedSession {
  readonly client: SessionClient;
  readonly #listeners: SessionListeners;
  #transcript: Transcript;
  #pending: readonly Interaction[];
  #owner: SessionOwner;
  #openTurn: TurnId | null;
  /** Until somebody carries on with what an earlier process left open. */
  #leftOpen: LeftOpen | null;
  #hasEarlier: boolean;
  /** So many cells from the first on are in the journal only, about. */
  #forgotten = 0;
  readonly #frames: AsyncIterator<Frame>;
  readonly #agents: AgentQuestions;
  readonly #proposals: OpenProposals;

  private constructor(
    { client, engine }: { readonly client: SessionClient; readonly engine: EngineClient },
    listeners: SessionListeners,
    begun: {
      readonly snapshot: SessionSnapshot;
      readonly events: readonly SessionEvent[];
      readonly hasEarlier: boolean;
    },
    owner: SessionOwner,
  ) {
    const { snapshot, events, hasEarlier } = begun;
    this.client = client;
    this.#listeners = listeners;
    const { config, title = null } = snapshot;
    this.#transcript = events.reduce(reduce, { ...emptyTranscript, config, title });
    this.#pending = snapshot.pending;
    this.#owner = owner;
    this.#openTurn = "turnId" in snapshot.activity ? snapshot.activity.turnId : null;
    this.#hasEarlier = hasEarlier;
    this.#leftOpen = client.recovery.waits ? leftOpenIn(this.#transcript, this.#openTurn) : null;
    this.#agents = new AgentQuestions(engine.interactions, client.id, {
      changed: () => listeners.changed(),
      failed: (error) => listeners.closed(error instanceof Error ? error.message : String(error)),
    });
    this.#proposals = new OpenProposals(
      { id: client.id, sessions: engine.sessions, snapshot: () => client.snapshot() },
      () => listeners.changed(),
    );
    if (snapshot.proposals.length > 0) this.#proposals.look();
    for (const { record } of this.#openTurn === null ? [] : events) this.#agents.take(record);
    this.#frames = client.attach(events.at(-1)?.seq ?? snapshot.seq)[Symbol.asyncIterator]();
  }

  /** Opens it and shows the end of what it holds. @throws AppError as `open` of the engine's client does */
  static async open(
    engine: EngineClient,
    target: SessionTarget,
    options: OpenOptions,
    listeners: SessionListeners,
  ): Promise<FollowedSession> {
    const client = await engine.open(target, options);
    const snapshot = await client.snapshot();
    const page = await client.history(null, shownEvents);
    const upTo = page.events.filter(({ seq }) => seq <= snapshot.seq);
    const begins = page.before === null ? 0 : upTo.findIndex(({ record }) => record.type === "turn-started");
    const events = upTo.slice(Math.max(0, begins));
    const begun = { snapshot, events, hasEarlier: page.before !== null };
    return new FollowedSession({ client, engine }, listeners, begun, await client.owner());
  }

  get transcript(): Transcript {
    return this.#transcript;
  }

  /** What was said before is in the journal only. */
  get hasEarlier(): boolean {
    return this.#hasEarlier;
  }

  /** Cells that were shown for good are held no longer, but for some to look back on: memory does not grow with the session. @param shown  how many were */
  forget(shown: number): void {
    const before = shown - keptCells;
    if (before < this.#forgotten + keptCells / 2) return;
    this.#forgotten = before;
    this.#hasEarlier = true;
    this.#transcript = withoutOldCells(this.#transcript, before);
  }

  /** What waits for a user in the session, oldest first, and then in those of its agents. */
  get pending(): readonly Interaction[] {
    const ofAgents = this.#agents.pending;
    return ofAgents.length === 0 ? this.#pending : [...this.#pending, ...ofAgents];
  }

  /** The agent's session in which something waits; `undefined`: it waits in this one. */
  agentAsking(id: string): InboxEntry | undefined {
    return this.#agents.find(id);
  }

  /** What has a card, in this order: what was left open, then what waits for a user; else, between turns, what is proposed. */
  get asked(): readonly Asked[] {
    if (this.#leftOpen !== null) return [this.#leftOpen, ...this.pending];
    const { pending } = this;
    return pending.length > 0 || this.#openTurn !== null ? pending : this.#proposals.files;
  }

  /** How many files the session proposes to change. */
  get proposed(): number {
    return this.#proposals.files.length;
  }

  /** @param now  ms since 1970 */
  status(now: number): Status {
    const status = statusOf(this.#transcript, now);
    if (this.#leftOpen === null) return status;
    return { ...status, activity: { type: "waiting" }, elapsedMs: null, waiting: status.waiting + 1 };
  }

  /** What an earlier process left open is carried on with. */
  carriedOn(): void {
    if (this.#leftOpen === null) return;
    this.#leftOpen = null;
    this.#listeners.changed();
  }

  get owner(): SessionOwner {
    return this.#owner;
  }

  /** The turn under way. */
  get openTurn(): TurnId | null {
    return this.#openTurn;
  }

  /** Follows until it is closed. */
  async follow(): Promise<void> {
    try {
      for (;;) {
        const step = await this.#frames.next();
        if (step.done === true) return;
        this.show(step.value);
      }
    } catch (error) {
      this.#listeners.closed(error instanceof Error ? error.message : String(error));
    }
  }

  show(frame: Frame): void {
    switch (frame.type) {
      case "record":
        this.#take(frame.event);
        return;
      case "owner":
        this.#owner = frame.owner;
        this.#listeners.changed();
        return;
      case "closed":
        this.#listeners.closed(frame.reason);
        return;
      case "snapshot":
      case "live":
      case "presence":
        return;
    }
  }

  async close(): Promise<void> {
    this.#agents.stop();
    await this.#frames.return?.();
    await this.client.close();
  }

  #take(event: SessionEvent): void {
    const { record } = event;
    this.#transcript = reduce(this.#transcript, event);
    this.#agents.take(record);
    this.#proposals.take(record);
    if (record.type === "interaction-opened") this.#pending = [...this.#pending, record.interaction];
    if (record.type === "interaction-resolved")
      this.#pending = this.#pending.filter(({ id }) => id !== record.interactionId);
    if (isCarriedOn.has(record.type)) this.#leftOpen = null;
    if (record.type === "turn-started") this.#openTurn = record.turnId;
    if (record.type === "turn-ended" && this.#openTurn === record.turnId) this.#openTurn = null;
    this.#listeners.record(record);
    this.#listeners.changed();
  }
}

/** Records that say that somebody carries on with what was left open, or has ended it. */
const isCarriedOn: ReadonlySet<JournalRecord["type"]> = new Set(["session-recovered", "turn-started", "turn-ended"]);

function leftOpenIn(transcript: Transcript, openTurn: TurnId | null): LeftOpen | null {
  const lines = leftOpenLines(transcript);
  if (lines.length === 0) return null;
  return { id: "left-open", digest: "", request: { type: "left-open", lines, hasTurn: openTurn !== null } };
}
