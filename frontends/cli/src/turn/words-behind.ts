import type { CancelReason, Frame, JournalRecord, SessionEvent, SessionSnapshot } from "@capstan/protocol";
import { inertLine } from "@capstan/view";
import { cancelGraceMs } from "../limits.ts";
import { closedAs } from "./faults.ts";
import { draftOf } from "./run-result.ts";
import { hasWordsBehind } from "./open-turn.ts";
import { SessionProgress } from "./session-progress.ts";
import { type QuestionsOf, SessionQuestions } from "./session-questions.ts";
import type { BehindNews } from "./turn-request.ts";

const wordsCharacters = 80;

type TurnOf = Omit<QuestionsOf, "progress">;

/** A run's own turn has ended by then. */
export interface RunAtRest {
  readonly snapshot: SessionSnapshot;
  /** The number up to which everything was shown. */
  readonly seen: number;
}

/** Turns whose words others sent behind a run's own, followed until none is left, or the run is asked to end. */
export class WordsBehind {
  readonly #of: TurnOf;
  readonly #progress: SessionProgress;
  readonly #questions: SessionQuestions;
  readonly #frames: AsyncIterator<Frame>;
  #hasLeft = false;
  #leave: () => void = () => undefined;
  readonly #left = new Promise<void>((resolve) => {
    this.#leave = () => {
      this.#hasLeft = true;
      resolve();
    };
  });

  constructor(of: TurnOf, { snapshot, seen }: RunAtRest) {
    this.#of = of;
    const then = { ...snapshot, seq: seen, activity: { type: "idle" }, pending: [] } as const;
    this.#progress = new SessionProgress({ owner: { type: "here" }, snapshot: then });
    this.#frames = of.session.attach(seen)[Symbol.asyncIterator]();
    this.#questions = new SessionQuestions(
      { ...of, progress: this.#progress },
      {
        changed: () => this.#attend(),
        parked: () => this.#leave(),
        failed: () => this.#leave(),
      },
    );
  }

  /** @param leftMs  time that the run has left; `undefined`: no limit was given */
  async toEnd(leftMs: number | undefined): Promise<void> {
    const { request, session } = this.#of;
    const stopListening = request.onStop((reason) => void this.#stop(reason).catch(() => this.#leave()));
    const timer = leftMs === undefined ? undefined : setTimeout(() => void this.#stop("timeout"), Math.max(0, leftMs));
    this.#follow().catch(() => this.#leave());
    void session.fault.then(this.#leave);
    try {
      for (let open = await this.#open(); open !== null && !this.#hasLeft; open = await this.#open())
        await Promise.race([this.#turnEndAfter(open.seq), this.#left]);
    } finally {
      clearTimeout(timer);
      this.#questions.stop();
      void this.#frames.return?.();
      stopListening();
    }
  }

  /** `null`: nothing is open or waits any more. */
  async #open(): Promise<SessionSnapshot | null> {
    const snapshot = await this.#of.session.snapshot();
    return hasWordsBehind(snapshot) ? snapshot : null;
  }

  /** Resolves when the turn that was open at this number has ended. */
  #turnEndAfter(seq: number): Promise<void> {
    return this.#progress.until(() => this.#progress.openTurn === null && this.#progress.seen > seq);
  }

  async #follow(): Promise<void> {
    for (;;) {
      const step = await this.#frames.next();
      if (step.done === true || step.value.type === "closed") throw closedAs(step.value);
      this.#progress.take(step.value);
      if (step.value.type === "record") this.#take(step.value.event);
    }
  }

  #take(event: SessionEvent): void {
    const { record } = event;
    this.#questions.take(record);
    if (record.type === "turn-started") this.#tell({ type: "begun", ...wordsOf(record) });
    this.#tell({ type: "event", event });
    if (record.type === "turn-ended") this.#tell({ type: "ended", outcome: record.outcome });
    if (record.type === "interaction-opened" || record.type === "interaction-resolved") this.#attend();
  }

  #attend(): void {
    const { openTurn } = this.#progress;
    if (openTurn !== null) this.#questions.attend(openTurn);
  }

  /** What runs ends as it does where its own user stops it; what comes after it waits for whoever resumes the session. */
  async #stop(reason: CancelReason): Promise<void> {
    const turnId = this.#progress.openTurn;
    if (turnId === null) return this.#leave();
    const timer = setTimeout(this.#leave, cancelGraceMs);
    await this.#of.session.submit({ type: "cancel", reason, turnId });
    await Promise.race([this.#progress.until(() => this.#progress.openTurn !== turnId), this.#left]);
    clearTimeout(timer);
    this.#leave();
  }

  #tell(news: BehindNews): void {
    this.#of.view.behind?.(news);
  }
}

function wordsOf({ origin, content, call }: Extract<JournalRecord, { type: "turn-started" }>): Sent {
  const { frontend, user } = origin;
  const words = call === undefined ? draftOf(content) : "a command of their own";
  return { by: user === undefined ? frontend : `${user} (${frontend})`, words: inertLine(words, wordsCharacters) };
}

type Sent = Pick<Extract<BehindNews, { type: "begun" }>, "by" | "words">;
