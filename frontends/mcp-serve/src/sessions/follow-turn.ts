import { AgentQuestions } from "@capstan/client";
import type {
  EngineClient,
  Frame,
  Interaction,
  JournalRecord,
  SessionClient,
  SessionEvent,
  TurnId,
} from "@capstan/protocol";
import { AppError, messageOf } from "@capstan/protocol";
import { inertLine } from "@capstan/view";
import { progressCharacters } from "../limits.ts";
import type { CallSurroundings } from "../tools/server-tool.ts";
import { TurnReader, type TurnReport } from "./turn-report.ts";

/** A turn, at its end or where it waits for answers. */
export interface Rest {
  readonly report: TurnReport;
  /** What waits for an answer, also of the session's agents; empty: the turn has ended. */
  readonly questions: readonly Interaction[];
}

export interface FollowedTurn {
  readonly client: EngineClient;
  readonly session: SessionClient;
  readonly turnId: TurnId;
  /** The turn has begun already. */
  readonly isOpen: boolean;
  /** Records up to this number are not looked at. */
  readonly after: number;
}

/**
 * Follows a turn until it ends or waits for an answer. A client that gives up cancels it.
 * @throws AppError when the session can no longer be written or followed
 */
export async function followTurn(turn: FollowedTurn, surroundings: CallSurroundings): Promise<Rest> {
  const follower = new Follower(turn, surroundings);
  try {
    return await follower.run();
  } finally {
    follower.stop();
  }
}

class Follower {
  readonly #turn: FollowedTurn;
  readonly #surroundings: CallSurroundings;
  readonly #reader: TurnReader;
  readonly #frames: AsyncIterator<Frame>;
  readonly #agents: AgentQuestions;
  #wake: () => void = () => undefined;
  #fault: AppError | undefined;
  /** Something may wait for an answer: already when it begins. */
  #asks = true;
  readonly #cancel = (): void => void this.#submitCancel();

  constructor(turn: FollowedTurn, surroundings: CallSurroundings) {
    this.#turn = turn;
    this.#surroundings = surroundings;
    this.#reader = new TurnReader(turn.turnId, turn.isOpen);
    this.#frames = turn.session.attach(turn.after)[Symbol.asyncIterator]();
    const failed = (error: unknown): void => this.#fail(error);
    const changed = (): void => {
      this.#asks = true;
      this.#wake();
    };
    this.#agents = new AgentQuestions(turn.client.interactions, turn.session.id, { changed, failed });
    void turn.session.fault.then(failed);
  }

  async run(): Promise<Rest> {
    const { signal } = this.#surroundings;
    signal.addEventListener("abort", this.#cancel);
    if (signal.aborted) this.#cancel();
    // An agent may be at work in it already.
    if (this.#turn.isOpen) this.#agents.begin();
    let next = this.#frames.next();
    for (;;) {
      const questions = this.#asks ? await this.#questions() : [];
      this.#check();
      if (questions.length > 0 || this.#reader.report.ended !== null) return { report: this.#reader.report, questions };
      // Something more was asked while the session was looked at.
      if (this.#asks) continue;
      const step = await Promise.race([next, this.#woken()]);
      this.#check();
      if (step === null) continue;
      this.#take(step);
      next = this.#frames.next();
    }
  }

  stop(): void {
    this.#surroundings.signal.removeEventListener("abort", this.#cancel);
    this.#agents.stop();
    void this.#frames.return?.();
  }

  /** @throws what happened to the session */
  #check(): void {
    if (this.#fault !== undefined) throw this.#fault;
  }

  async #woken(): Promise<null> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    return null;
  }

  async #questions(): Promise<readonly Interaction[]> {
    this.#asks = false;
    return [...(await this.#turn.session.snapshot()).pending, ...this.#agents.pending];
  }

  #take(step: IteratorResult<Frame>): void {
    if (step.done === true) throw new AppError("session.unknown", "the session was closed");
    const frame = step.value;
    if (frame.type === "closed") throw new AppError("session.unknown", `the session ended: ${frame.reason}`);
    // Another process may have had to take over what this one joined.
    if (frame.type === "owner" && frame.owner.type === "none") throw new AppError("session.busy", frame.owner.reason);
    if (frame.type === "record") this.#takeEvent(frame.event);
  }

  #takeEvent(event: SessionEvent): void {
    this.#reader.take(event);
    this.#agents.take(event.record);
    if (event.record.type === "interaction-opened") this.#asks = true;
    const line = progressLine(event.record);
    if (line !== undefined) this.#surroundings.progress(inertLine(line, progressCharacters));
  }

  async #submitCancel(): Promise<void> {
    const { session } = this.#turn;
    const { turnId } = this.#reader;
    try {
      await session.submit({ type: "queue-change", turnId, change: { type: "remove" } });
      await session.submit({ type: "cancel", reason: "interrupted", turnId });
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#fault ??=
      error instanceof AppError ? error : new AppError("session.unknown", messageOf(error), { cause: error });
    this.#wake();
  }
}

function progressLine(record: JournalRecord): string | undefined {
  switch (record.type) {
    case "step-started":
      return `asking ${record.model}`;
    case "tool-decided":
      return record.action.summary;
    case "tool-finished":
      return `a call ended: ${record.outcome.type}`;
    case "compaction-started":
      return "summarizing older messages";
    default:
      return undefined;
  }
}
