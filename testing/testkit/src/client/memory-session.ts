import {
  type ClientIdentity,
  deltaScope,
  type Draft,
  type HistoryPage,
  type Interaction,
  type JournalRecord,
  noUsage,
  type Origin,
  type Presence,
  type Receipt,
  type RefusalCode,
  type RewindReport,
  type RewindRequest,
  type SessionEvent,
  type SessionId,
  type SessionSnapshot,
  type SessionSummary,
  type Submission,
  supersededScope,
  toInteractionId,
  toStepId,
  toToolCallId,
  type TurnId,
  type UserContent,
  type Message,
} from "@capstan/protocol";
import { action, message, testUsage } from "../builders/calls.ts";
import { sessionConfig, testWorkspace } from "../builders/session-config.ts";
import { Changing } from "./watched.ts";

interface Turn {
  readonly turnId: TurnId;
  readonly content: readonly UserContent[];
  readonly origin: Origin;
}

/**
 * A session whose model does what it is asked: `count 3` answers in three pieces, `ask` makes a call that waits for approval, `hold`
 * answers nothing until it is cancelled; anything else is answered at once. One journal, no process, no disk.
 */
export class MemorySession {
  readonly id: SessionId;
  readonly changing: Changing = new Changing();
  readonly present: Map<string, Presence> = new Map();
  readonly drafts: Map<string, Draft> = new Map();
  readonly #changed: () => void;
  #events: readonly SessionEvent[] = [];
  #seq = 0;
  #open: Turn | null = null;
  #queue: readonly Turn[] = [];
  #pending: Interaction | null = null;
  #title = "";
  #turns: readonly TurnId[] = [];
  #taken: readonly TurnId[] = [];

  /** @param changed  called after every record */
  constructor(id: SessionId, changed: () => void) {
    this.id = id;
    this.#changed = changed;
  }

  begin(origin: Origin, copied: readonly SessionEvent[] = []): void {
    const started = {
      type: "session-started",
      sessionId: this.id,
      workspace: testWorkspace,
      origin,
      version: "0",
    } as const;
    const rest = copied.map(({ record }) => record).filter(({ type }) => type !== "session-started");
    this.#append(
      started,
      ...(copied.length === 0 ? [{ type: "session-configured", config: sessionConfig() } as const] : rest),
    );
  }

  get seq(): number {
    return this.#seq;
  }

  /** Turns that ended and were not taken back. */
  get turns(): readonly TurnId[] {
    return this.#turns;
  }

  get pending(): Interaction | null {
    return this.#pending;
  }

  after(seq: number): readonly SessionEvent[] {
    return this.#events.filter((event) => event.seq > seq);
  }

  /** The first event after a number; none is copied for it. */
  following(seq: number): SessionEvent | undefined {
    return this.#events.find((event) => event.seq > seq);
  }

  summary(): SessionSummary {
    const first = this.#events.find(({ record }) => record.type === "turn-started")?.record;
    const words = first?.type === "turn-started" ? wordsOf(first.content) : "";
    const times = { createdAt: 0, updatedAt: this.#seq };
    const title = this.#title === "" ? words : this.#title;
    return { id: this.id, title, cwd: testWorkspace.cwd, model: "test/model-1", ...times, turns: 0 };
  }

  page(before: number | null, limit: number): HistoryPage {
    const older = this.after(0).filter(({ seq }) => before === null || seq < before);
    const events: readonly SessionEvent[] = older.slice(-limit);
    return { events, before: events.length < older.length ? (events[0]?.seq ?? null) : null };
  }

  /** What was said, without what calls did. */
  conversation(): readonly Message[] {
    return this.#events.flatMap(({ record }): readonly Message[] =>
      record.type === "turn-started"
        ? [{ role: "user", content: record.content }]
        : record.type === "step-completed"
          ? [record.message]
          : [],
    );
  }

  snapshot(): SessionSnapshot {
    const turn = this.#open;
    const holds = this.#pending === null ? "executing" : "awaiting-approval";
    return {
      sessionId: this.id,
      seq: this.#seq,
      workspace: testWorkspace,
      config: sessionConfig(),
      ...(this.#title === "" ? {} : { title: this.#title }),
      activity: turn === null ? { type: "idle" } : { type: holds, turnId: turn.turnId, running: [] },
      queued: this.#queue.map(({ turnId, content }) => ({ turnId, content })),
      steering: [],
      running: [],
      context: null,
      pending: this.#pending === null ? [] : [this.#pending],
      proposals: [],
      tasks: [],
      grants: [],
      turns: this.#turns.map((turnId) => ({ turnId, changed: [] })),
      resumed: false,
      summaries: 0,
      canUnwind: this.#taken.length > 0,
      usage: noUsage,
      costUsd: null,
    };
  }

  submit(submission: Submission, identity: ClientIdentity): Receipt {
    const origin: Origin = {
      frontend: identity.frontend,
      ...(identity.user === undefined ? {} : { user: identity.user }),
    };
    switch (submission.type) {
      case "user-input":
        return this.#receive({ ...submission, origin }, submission.expectedTurnId);
      case "cancel":
        return this.#cancel(submission.turnId);
      case "queue-change":
        return this.#changeQueue(submission);
      case "answer":
        return this.#answer(submission, origin);
      case "title":
        this.#title = submission.title;
        this.#append({ type: "session-titled", title: submission.title, origin });
        return this.#accepted();
      default:
        return this.#accepted();
    }
  }

  /** Takes turns back, or brings back what was taken last. */
  rewind(request: RewindRequest, origin: Origin): RewindReport {
    const before = this.#seq;
    const isBack = request.type === "back";
    const turns = this.#turns;
    const keepTurns = isBack ? (request.keepTurns ?? turns.length - 1) : turns.length + this.#taken.length;
    const isNothing = isBack ? keepTurns < 0 || keepTurns >= turns.length : this.#taken.length === 0;
    if (this.#open !== null || isNothing) {
      return { receipt: refused(this.#open === null ? "rewind.nothing" : "session.waiting"), events: [] };
    }
    const rewindId = `rewind-${this.#seq}`;
    const conversation = isBack ? request.conversation : true;
    const direction = isBack ? "back" : "forth";
    this.#append(
      { type: "rewind-started", rewindId, direction, keepTurns, conversation, files: [], origin },
      { type: "rewind-finished", rewindId, restored: [], conflicts: [] },
    );
    [this.#turns, this.#taken] = isBack
      ? [turns.slice(0, keepTurns), turns.slice(keepTurns)]
      : [[...turns, ...this.#taken], []];
    return { receipt: this.#accepted(), events: this.after(before) };
  }

  #receive(turn: Turn, expected: TurnId | undefined): Receipt {
    if (expected !== undefined && this.#open?.turnId !== expected) return refused("input.other-turn");
    if (wordsOf(turn.content).trim() === "") return refused("input.empty");
    if (this.#knows(turn.turnId)) return this.#accepted();
    if (this.#open === null) this.#start(turn);
    else {
      const { turnId, content, origin } = turn;
      this.#queue = [...this.#queue, turn];
      this.#append({ type: "turn-queued", turnId, content, origin });
    }
    return this.#accepted();
  }

  #knows(turnId: TurnId): boolean {
    return this.#events.some(
      ({ record }) => (record.type === "turn-started" || record.type === "turn-queued") && record.turnId === turnId,
    );
  }

  #start({ turnId, content, origin }: Turn): void {
    this.#open = { turnId, content, origin };
    const stepId = toStepId(`${turnId}.s1`);
    this.#append(
      { type: "turn-started", turnId, content, origin },
      { type: "step-started", stepId, turnId, attempt: 1, model: "test/model-1" },
    );
    const [verb = "", count = ""] = wordsOf(content).split(" ");
    if (verb === "hold") return;
    if (verb === "ask") this.#ask(turnId, origin);
    else void this.#speak(turnId, verb === "count" ? Number(count) : 1);
  }

  async #speak(turnId: TurnId, pieces: number): Promise<void> {
    const stepId = toStepId(`${turnId}.s1`);
    let text = "";
    for (let piece = 1; piece <= pieces; piece += 1) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      if (this.#open?.turnId !== turnId) return;
      text += `${piece} `;
      this.#append({ type: "text-delta", stepId, delta: `${piece} ` });
    }
    const answer = { message: message(text), reason: "stop", usage: testUsage, costUsd: null } as const;
    this.#append({ type: "step-completed", stepId, ...answer });
    this.#end("done");
  }

  #ask(turnId: TurnId, origin: Origin): void {
    const asked = action("act");
    const interaction: Interaction = {
      id: toInteractionId(`${turnId}.s1.i1`),
      request: {
        type: "approval",
        callId: toToolCallId("c1"),
        action: asked,
        reason: "asked",
        risk: "low",
        warnings: [],
      },
      digest: asked.digest,
      openedAt: 0,
      expiresAt: null,
      origin,
      answerers: [],
    };
    this.#pending = interaction;
    this.#append({ type: "interaction-opened", interaction, turnId });
  }

  #answer({ interactionId, answer, answerId }: Extract<Submission, { type: "answer" }>, origin: Origin): Receipt {
    const wasAsked = this.#events.some(
      ({ record }) => record.type === "interaction-opened" && record.interaction.id === interactionId,
    );
    if (!wasAsked) return refused("interaction.unknown");
    if (this.#pending?.id !== interactionId) return refused("interaction.settled");
    if (answer.type === "approve" && answer.digest !== this.#pending.digest) return refused("interaction.stale");
    this.#pending = null;
    const identified = answerId === undefined ? {} : { answerId };
    this.#append({ type: "interaction-resolved", interactionId, answer, origin, ...identified });
    const seq = this.#seq;
    this.#end("done");
    return { type: "accepted", seq };
  }

  #cancel(turnId: TurnId | undefined): Receipt {
    if (turnId !== undefined && this.#open?.turnId !== turnId) return refused("input.other-turn");
    if (this.#open !== null) this.#end("interrupted");
    return this.#accepted();
  }

  #changeQueue({ turnId, change }: Extract<Submission, { type: "queue-change" }>): Receipt {
    if (!this.#queue.some((turn) => turn.turnId === turnId)) return refused("queue.unknown");
    if (change.type === "remove") this.#queue = this.#queue.filter((turn) => turn.turnId !== turnId);
    if (change.type === "replace")
      this.#queue = this.#queue.map((turn) => (turn.turnId === turnId ? { ...turn, content: change.content } : turn));
    return this.#accepted();
  }

  #end(outcome: "done" | "interrupted"): void {
    const turn = this.#open;
    if (turn === null) return;
    this.#open = null;
    this.#pending = null;
    this.#turns = [...this.#turns, turn.turnId];
    this.#taken = [];
    this.#append({ type: "turn-ended", turnId: turn.turnId, outcome, rolledBack: false });
    const [next, ...others] = this.#queue;
    this.#queue = others;
    if (next !== undefined) this.#start(next);
  }

  #append(...records: readonly JournalRecord[]): void {
    for (const record of records) {
      this.#seq += 1;
      const scope = supersededScope(record);
      const kept =
        scope === undefined ? this.#events : this.#events.filter((event) => deltaScope(event.record) !== scope);
      this.#events = [...kept, { seq: this.#seq, at: this.#seq, record }];
    }
    this.changing.change();
    this.#changed();
  }

  #accepted(): Receipt {
    return { type: "accepted", seq: this.#seq };
  }
}

function refused(code: RefusalCode): Receipt {
  return { type: "refused", code, reason: `refused: ${code}` };
}

function wordsOf(content: readonly UserContent[]): string {
  return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}
