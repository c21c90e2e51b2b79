import {
  contextReport,
  conversationPage,
  evolve,
  isConcerned,
  pendingInteractions,
  previewRewind,
  rewindEffects,
  type SessionState,
  snapshot,
  stateFormat,
} from "@capstan/session";
import { decide, type Effect, type Stimulus } from "@capstan/engine";
import {
  AppError,
  type ConversationPage,
  type Interaction,
  type JournalRecord,
  messageOf,
  needsFlush,
  type NoticeRecord,
  type Origin,
  type Receipt,
  type SessionEvent,
  type SessionId,
  type SessionSnapshot,
  type ResolvedSubmission,
  type RewindPreview,
  type Role,
  type TurnId,
  type ContextReport,
  type ToolDefinition,
} from "@capstan/protocol";
import { EffectRunner } from "./effect-runner.ts";
import { EventBus } from "./event-bus.ts";
import { closingStateRecords, maxEndsToRest, runningStateRecords } from "./limits.ts";
import { Mailbox } from "./mailbox.ts";
import type { ActionPorts, DecisionPorts } from "./runtime-ports.ts";
import { shownEvent, shownPage, shownSnapshot } from "./shown-event.ts";
import { withoutSecrets } from "./without-secrets.ts";

/** A journal as it was read, to continue from. */
export interface OpenedJournal {
  readonly sessionId: SessionId;
  /** Number of the last record, and the fold up to it. */
  readonly seq: number;
  readonly state: SessionState;
  /** Up to where a copy of the state is saved already. */
  readonly savedSeq: number;
  /** The right to write; without one nobody may hold it. */
  readonly lease?: WriteLease;
  /** Records that open or configure the session; they are appended with the first decision, so that no empty session is left behind. */
  readonly opening: readonly JournalRecord[];
}

/** Who sent a submission, and what they may do. */
export interface Sender {
  readonly origin: Origin;
  readonly role: Role;
}

/** The right to write to a session. */
export interface WriteLease {
  readonly generation: number;
  /** Whether it is still held: asked before anything is done to the world, for a process may have slept since. */
  confirm(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * One open session: the only place with mutable state. One stimulus at a time: journal, then state, then everyone who
 * watches, then the world. When the journal cannot be written the session stops (`fault`); what was acknowledged is kept.
 *
 * Until `recover` or `rest` gives it the ports to act, nothing is carried out but what outlives the session (remembered
 * approvals): submissions are decided on and journaled, and whoever recovers the session continues from there.
 */
export class SessionRuntime {
  readonly id: SessionId;
  /** Number of the last record before this opening: what came after it settled what an earlier process had left. */
  readonly openedAfter: number;
  /** Resolves when the journal can no longer be written; the session has stopped and keeps what was acknowledged. */
  readonly fault: Promise<AppError>;
  readonly #ports: DecisionPorts;
  readonly #origin: Origin;
  readonly #bus: EventBus;
  readonly #mailbox: Mailbox<Stimulus | { readonly type: "establish" }, Receipt>;
  /** `null`: nothing is carried out. */
  #effects: EffectRunner | null = null;
  /** Takes over with the restart. */
  #recovering: EffectRunner | null = null;
  readonly #lease: WriteLease | undefined;
  #reportFault: (error: AppError) => void = ignore;
  #state: SessionState;
  /** Until hooks were informed that this process works in the session, or there was nobody to tell. */
  #opened: SessionState["opened"];
  #seq: number;
  #savedSeq: number;
  #unsaved: readonly JournalRecord[];
  #failed: AppError | undefined;
  #closing = false;

  constructor(journal: OpenedJournal, origin: Origin, ports: DecisionPorts) {
    this.id = journal.sessionId;
    this.#ports = ports;
    this.#origin = origin;
    this.#lease = journal.lease;
    this.#seq = journal.seq;
    this.openedAfter = journal.seq;
    this.#savedSeq = journal.savedSeq;
    this.#opened = journal.seq === 0 ? "startup" : "resume";
    this.#unsaved = journal.opening;
    this.#state = journal.opening.reduce(evolve, journal.state);
    this.#bus = new EventBus((error) => ports.report(error));
    this.#mailbox = new Mailbox((stimulus) => this.#handle(stimulus));
    this.fault = new Promise((resolve) => {
      this.#reportFault = resolve;
    });
  }

  /** Settles what a dead process left in flight, and carries out from then on what is decided; to be called once after opening. */
  async recover(action: ActionPorts): Promise<void> {
    const effects = this.#runner(action);
    const { background, hooks } = this.#state;
    if (this.isAtRest && background === null && (hooks?.open ?? []).length === 0) {
      this.#effects = effects;
      return;
    }
    this.#recovering = effects;
    await this.#mailbox.push({ type: "process-restarted" });
    await effects.probed();
  }

  /** Settles what a dead process left in flight as far as it can be proved, and ends what is left of it and what waits behind it. */
  async rest(action: ActionPorts): Promise<void> {
    const { type } = this.#state.operation;
    if (type === "tool-loop" || type === "recovery" || type === "rewinding" || type === "applying")
      await this.recover(action);
    const effects = (this.#effects ??= this.#runner(action));
    // The turn, and those that wait in line.
    for (let ends = 0; ends <= maxEndsToRest && this.#state.operation.type !== "idle"; ends += 1) {
      await this.submit({ type: "cancel", reason: "interrupted" });
      await effects.settled();
    }
  }

  /**
   * Resolves when the submission was decided on and its records are durable and published.
   * @param sender  whoever sent it, where that is not who opened the session
   */
  submit(submission: ResolvedSubmission, sender: Partial<Sender> = {}): Promise<Receipt> {
    const { origin = this.#origin, role = "operate" } = sender;
    return this.#mailbox.push({ type: "submission", submission, origin, role });
  }

  /** Tools have come or gone: the requests from here on say so, and people read what they should know of it. */
  async offer(tools: readonly ToolDefinition[] | null, notices: readonly NoticeRecord[] = []): Promise<void> {
    await this.#mailbox.push({ type: "tools-changed", tools, notices });
  }

  /** Writes what opens the session, where nothing was written yet: from then on others find it. */
  async establish(): Promise<void> {
    if (this.#seq === 0) await this.#mailbox.push({ type: "establish" });
  }

  /** Writes what opens the session although nothing is decided yet: whoever is attached learns it. */
  async announce(): Promise<void> {
    await this.#mailbox.push({ type: "establish" });
  }

  /** The session as it stands. */
  get state(): SessionState {
    return this.#state;
  }

  snapshot(): SessionSnapshot {
    return shownSnapshot(snapshot(this.#state, this.#seq), this.#ports.redact);
  }

  /** A page of what was said and done. */
  conversation(before: number | null, limit: number): ConversationPage {
    return shownPage(conversationPage(this.#state, before, limit), this.#ports.redact);
  }

  /** What taking back all turns but the first so many would do now. */
  async previewRewind(keepTurns: number): Promise<RewindPreview> {
    const found = (await this.#effects?.foresee(rewindEffects(this.#state, keepTurns))) ?? [];
    return withoutSecrets(previewRewind(this.#state, keepTurns, found), this.#ports.redact);
  }

  /** What the model is shown now; `null`: the session was never configured. */
  context(): ContextReport | null {
    const report = contextReport(this.#state);
    return report === null ? null : withoutSecrets(report, this.#ports.redact);
  }

  /** What waits for a user now. */
  get pending(): readonly Interaction[] {
    return pendingInteractions(this.#state.operation);
  }

  /** Nothing is under way, and nothing waits to begin. */
  get isAtRest(): boolean {
    const { operation, approvedPlan, queued } = this.#state;
    return operation.type === "idle" && approvedPlan === null && queued.length === 0;
  }

  /** Whether what is open or waits to begin has to do with these words: it is their turn, was steered by them, or carries out its plan. */
  concerns(turnId: TurnId): boolean {
    return isConcerned(this.#state, turnId);
  }

  /** Number of the last published record. */
  get seq(): number {
    return this.#seq;
  }

  /** Calls `listener` for every event from now on, in order, after it became durable. Returns the unsubscriber. */
  subscribe(listener: (event: SessionEvent) => void): () => void {
    return this.#bus.subscribe((events) => {
      for (const event of events) listener(event);
    });
  }

  /** Like `subscribe`, with what was published together in one call. */
  subscribeAll(listener: (events: readonly SessionEvent[]) => void): () => void {
    return this.#bus.subscribe(listener);
  }

  /** About the first `limit` kept events after `after`, oldest first. */
  async page(after: number, limit: number): Promise<readonly SessionEvent[]> {
    return this.#shown(await this.#ports.store.read(this.id, after, limit));
  }

  /** About the last `limit` kept events before `before` (`null`: the newest of all), oldest first. */
  async pageBefore(before: number | null, limit: number): Promise<readonly SessionEvent[]> {
    return this.#shown(await this.#ports.store.readBefore(this.id, before, limit));
  }

  /** Every kept event after `after`, oldest first. */
  async events(after: number): Promise<readonly SessionEvent[]> {
    return this.#shown(await this.#ports.store.read(this.id, after));
  }

  #shown(events: readonly SessionEvent[]): readonly SessionEvent[] {
    return events.map((event) => shownEvent(event, this.#ports.redact));
  }

  /** Stops what runs (open work stays in flight in the journal) and gives the session back. */
  async close(): Promise<void> {
    await this.#sayGoodbye();
    this.#closing = true;
    await this.#effects?.stop();
    await this.#mailbox.drained();
    if (this.#failed === undefined) await this.#saveState(closingStateRecords);
    await this.#lease?.release().catch((error: unknown) => this.#ports.report(error));
  }

  /** Hooks are informed that the session is let go of, and those that were informed before are waited for. */
  async #sayGoodbye(): Promise<void> {
    if (this.#failed !== undefined || this.#effects === null || this.#state.config?.hooks === undefined) return;
    if (this.#opened === undefined) await this.#mailbox.push({ type: "session-closing" }).catch(ignore);
    await this.#effects.notified();
  }

  /** Ends the session from outside: another process has become its writer. */
  stop(fault: AppError): void {
    if (this.#failed === undefined) this.#fail(fault);
  }

  async #handle(stimulus: Stimulus | { readonly type: "establish" }): Promise<Receipt> {
    if (this.#failed !== undefined) throw this.#failed;
    if (stimulus.type === "establish") {
      if (this.#unsaved.length > 0 && !this.#closing) await this.#append([]);
      return this.#accepted();
    }
    // No effect follows any more, so no intent may be journaled: the next process continues from what is there.
    if (this.#closing && stimulus.type !== "submission" && stimulus.type !== "effects-seen") return this.#accepted();
    // Not before: whatever was decided on until now is carried out by what the restart leads to, and must not be twice.
    if (stimulus.type === "process-restarted") this.#effects = this.#recovering;
    const opened = this.#opened === undefined ? {} : { opened: this.#opened };
    const now = { ...stimulus, ...opened, at: this.#ports.clock.now() };
    const { records, effects, refusal } = decide(this.#state, now);
    if (refusal !== undefined) return { type: "refused", ...refusal };
    if (records.some(({ type }) => type === "hook-started" || type === "step-started")) this.#opened = undefined;
    if (records.length > 0) await this.#append(records);
    for (const effect of effects) await this.#carryOut(effect);
    return this.#accepted();
  }

  async #carryOut(effect: Effect): Promise<void> {
    if (effect.type !== "keep-grant") return this.#effects?.perform(effect);
    await this.#ports.store.grants.add(effect.grant).catch((error: unknown) => this.#ports.report(error));
  }

  #runner(action: ActionPorts): EffectRunner {
    return new EffectRunner(
      { ...this.#ports, ...action, report: (error) => this.#ports.report(error) },
      () => this.#state,
      async (stimulus) => {
        await this.#mailbox.push(stimulus);
      },
      async () => (await this.#lease?.confirm()) !== false,
    );
  }

  #accepted(): Receipt {
    return { type: "accepted", seq: this.#seq };
  }

  async #append(records: readonly JournalRecord[]): Promise<void> {
    const next = records.reduce(evolve, this.#state);
    const all = [...this.#unsaved, ...records];
    // The last outcome of a batch closes it: its calls are found in the state before.
    const flush = needsFlush(all, (callId) => readsOnly(this.#state, callId) || readsOnly(next, callId));
    let events: readonly SessionEvent[];
    try {
      events = await this.#ports.store.append(this.id, {
        after: this.#seq,
        at: this.#ports.clock.now(),
        records: all,
        flush,
        ...(this.#lease === undefined ? {} : { generation: this.#lease.generation }),
      });
    } catch (error) {
      throw this.#fail(error);
    }
    this.#unsaved = [];
    this.#state = next;
    this.#seq = events.at(-1)?.seq ?? this.#seq;
    this.#bus.publish(this.#shown(events));
    await this.#saveState(runningStateRecords);
  }

  /**
   * Saves a copy of the state when it has grown by so many records, so that opening the session need not fold them all again.
   * Only at rest: then every kept record is in it, and no piece of an answer is.
   */
  async #saveState(afterRecords: number): Promise<void> {
    // What opened the session and was never written is in the state, and in no record.
    if (this.#unsaved.length > 0 || this.#state.operation.type !== "idle") return;
    if (stateFormat === null || this.#seq - this.#savedSeq < afterRecords) return;
    try {
      await this.#ports.store.saveState(this.id, { seq: this.#seq, format: stateFormat, state: this.#state });
    } catch (error) {
      this.#ports.report(error);
    }
    this.#savedSeq = this.#seq;
  }

  #stopEffects(): void {
    this.#effects?.stop().catch((problem: unknown) => this.#ports.report(problem));
  }

  /** Nothing may happen that cannot be journaled: stop what runs, notify everyone once. */
  #fail(error: unknown): AppError {
    const fault =
      error instanceof AppError ? error : new AppError("storage.failed", messageOf(error), { cause: error });
    this.#failed = fault;
    this.#reportFault(fault);
    this.#stopEffects();
    return fault;
  }
}

function ignore(): void {
  // Replaced in the constructor, before anything can fail.
}

/** Whether a call of the open batch only reads: its start and end need not be on disk before anything follows. */
function readsOnly({ operation }: SessionState, callId: string): boolean {
  if (operation.type !== "tool-loop") return false;
  const pending = operation.batch.calls.find((item) => item.call.callId === callId);
  return pending !== undefined && "action" in pending && pending.action?.effect === "read";
}
