import type { AppError, CancelReason, Frame, SessionEvent, Submission, TurnId, UserContent } from "@capstan/protocol";
import { cancelGraceMs } from "../limits.ts";
import { runningTurnOf } from "./open-turn.ts";
import { resultInDoubt } from "./result-in-doubt.ts";
import { changedBy } from "./given-settings.ts";
import { AnswerRounds } from "./answer-rounds.ts";
import { closedAs, failedWith, faultOf } from "./faults.ts";
import { leavesParked } from "./leaves-parked.ts";
import { gatherResult, type RunningResult } from "./gather-result.ts";
import { draftOf, parkedText, pendingQuestions, refused, type RunResult } from "./run-result.ts";
import { SessionProgress } from "./session-progress.ts";
import { SessionQuestions } from "./session-questions.ts";
import type { FollowedTurnOptions } from "./turn-request.ts";

export interface TurnEnd {
  readonly result: RunResult;
  /** Everything up to this number was seen. */
  readonly seen: number;
  /** Until then a signal is handled: a second one ends the process at once. */
  readonly stopListening: () => void;
}

type Ended = Pick<TurnEnd, "result">;

/** One turn of a session, begun or resumed, and followed until it ends, is parked, cannot continue, or does not end although it was asked to. */
export class FollowedTurn {
  readonly #options: FollowedTurnOptions;
  readonly #gathered: RunningResult;
  readonly #progress: SessionProgress;
  readonly #questions: SessionQuestions;
  readonly #rounds: AnswerRounds;
  readonly #frames: AsyncIterator<Frame>;
  /** The turn that was under way before; it continues first. */
  readonly #leftOver: TurnId | null;
  #isSent = false;
  #isBegun = false;
  #isOver = false;
  #stopped: CancelReason | undefined;
  #fault: AppError | undefined;
  #timers: readonly NodeJS.Timeout[] = [];
  #tellEnd: (end: Ended) => void = () => undefined;

  constructor(options: FollowedTurnOptions) {
    const { session, request, view, opened, turnId } = options;
    this.#options = options;
    this.#gathered = gatherResult(turnId);
    this.#rounds = new AnswerRounds(request.answerForm);
    this.#progress = new SessionProgress(opened);
    const running = runningTurnOf(opened.snapshot);
    this.#leftOver = running === turnId ? null : running;
    this.#frames = session.attach(this.#progress.seen)[Symbol.asyncIterator]();
    this.#questions = new SessionQuestions(
      { request, session, view, progress: this.#progress },
      {
        changed: () => this.#isBegun && this.#attend(),
        parked: () => void this.#park().catch((error: unknown) => this.#fail(error)),
        failed: (error) => this.#fail(error),
      },
    );
  }

  /** What an earlier process did of the turn. */
  before(event: SessionEvent): void {
    this.#gathered.push(event);
    this.#questions.take(event.record);
    this.#options.view.before?.(event);
  }

  async toEnd(): Promise<TurnEnd> {
    const { request, session, opened } = this.#options;
    const ended = new Promise<Ended>((resolve) => {
      this.#tellEnd = resolve;
    });
    const stopListening = request.onStop((reason) => this.#stop(reason));
    if (request.timeoutMs !== undefined) this.#after(request.timeoutMs, () => this.#stop("timeout"));
    void session.fault.then((fault) => this.#fail(fault));
    this.#follow().catch((error: unknown) => this.#finishWith(error));
    if (leavesParked(request, opened)) this.#finish(this.#parked());
    else this.#begin().catch((error: unknown) => this.#fail(error));
    return { ...(await ended), seen: this.#progress.seen, stopListening };
  }

  async #follow(): Promise<void> {
    for (;;) {
      const step = await this.#frames.next();
      if (this.#isOver) return;
      if (step.done === true || step.value.type === "closed") {
        // The fault that closed it is reported in the same moment.
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        return this.#finishWith(this.#fault ?? closedAs(step.value));
      }
      this.#take(step.value);
    }
  }

  #take(frame: Frame): void {
    this.#progress.take(frame);
    if (frame.type === "record") this.#takeEvent(frame.event);
    if (frame.type !== "owner") return;
    this.#options.view.owner?.(frame.owner);
    if (this.#isBegun) this.#resume().catch((error: unknown) => this.#fail(error));
  }

  #takeEvent(event: SessionEvent): void {
    this.#gathered.push(event);
    this.#options.view.event(event);
    const { record } = event;
    this.#questions.take(record);
    if (this.#gathered.ended) return this.#endTurn(this.#stoppedAs(this.#stopped ?? "interrupted"));
    // What was stopped may have been a turn left over from before, which ran first.
    if (record.type === "turn-started" && this.#stopped !== undefined) this.#stopTurn(this.#stopped);
    if (this.#isBegun && (record.type === "interaction-opened" || record.type === "interaction-resolved"))
      this.#attend();
  }

  /** With an answer that does not have its form one more turn follows, which asks for it. */
  #endTurn(end: Ended): void {
    const again = this.#stopped === undefined ? this.#rounds.next(end.result) : undefined;
    if (again === undefined) return this.#finish(end);
    const { request, view } = this.#options;
    view.asksAgain?.(again.problem);
    const { turnId } = this.#gathered;
    this.#gathered.follow(request.client.newTurnId());
    this.#send(again.content, { follows: turnId }).catch((error: unknown) => this.#fail(error));
  }

  async #begin(): Promise<void> {
    const { request, session, content, opened } = this.#options;
    if (!(await this.#resume()) || this.#isOver) return;
    const left = this.#leftOver;
    if (content.length > 0 && left !== null && this.#progress.outcomeOf(left) === "outcome-unknown")
      return this.#finish({ result: await resultInDoubt(session, left, content) });
    if (this.#stopped !== undefined && this.#progress.openTurn === null)
      return this.#finish(this.#stoppedAs(this.#stopped));
    const settings = changedBy(request.given?.patch ?? {}, opened.snapshot.config);
    if (!this.#progress.isHere && settings !== null) if (!(await this.#submit({ type: "set", settings }))) return;
    if (!(await this.#say())) return;
    this.#isBegun = true;
    this.#attend();
  }

  /** What waits for it is carried out: whoever runs a turn wants it to continue. */
  async #resume(): Promise<boolean> {
    return !this.#options.session.recovery.waits || (await this.#submit({ type: "resume" }));
  }

  async #send(content: readonly UserContent[], about: { readonly follows?: TurnId } = {}): Promise<boolean> {
    this.#isSent = true;
    return await this.#submit({ type: "user-input", turnId: this.#gathered.turnId, content, ...about });
  }

  /** What begins the turn, where it was not begun before. */
  async #say(): Promise<boolean> {
    const { request, content } = this.#options;
    const { turnId } = this.#gathered;
    if (request.command === undefined) return content.length === 0 || (await this.#send(content));
    return await this.#submit({ type: "run-for-user", turnId, command: request.command });
  }

  /** @returns false when it was refused, which ends the run */
  async #submit(submission: Submission): Promise<boolean> {
    const receipt = await this.#options.session.submit(submission);
    if (receipt.type === "refused") {
      this.#finish({ result: { ...this.#draft(), ...refused(this.#gathered.result("error"), receipt) } });
      return false;
    }
    await this.#progress.reached(receipt.seq);
    return true;
  }

  #attend(): void {
    this.#questions.attend(this.#gathered.turnId);
  }

  #stop(reason: CancelReason): void {
    if (this.#isOver) return;
    this.#stopped = reason;
    this.#after(cancelGraceMs, () => this.#finish(this.#stoppedAs(reason)));
    this.#stopTurn(reason);
  }

  #stopTurn(reason: CancelReason): void {
    const { turnId } = this.#gathered;
    const open = this.#progress.openTurn;
    const isOurs = open === turnId || (open !== null && open === this.#leftOver && this.#progress.isHere);
    const isFollowed = this.#options.content.length === 0 && !this.#progress.isHere;
    // Whoever runs it continues with it.
    if (isFollowed) this.#finish(this.#stoppedAs(reason));
    else if (isOurs) this.#ask({ type: "cancel", reason, turnId: open }, reason);
    else if (this.#isSent) this.#ask({ type: "queue-change", turnId, change: { type: "remove" } }, reason);
  }

  /** A request that is refused comes too early or too late: what follows says which. */
  #ask(submission: Submission, reason: CancelReason): void {
    this.#options.session.submit(submission).catch(() => this.#finish(this.#stoppedAs(reason)));
  }

  /** @param reason  holds when no record reported the outcome */
  #stoppedAs(reason: CancelReason): Ended {
    return { result: { ...(this.#gathered.hasBegun ? {} : this.#draft()), ...this.#gathered.result(reason) } };
  }

  #draft(): Pick<RunResult, "draft"> {
    const draft = draftOf(this.#options.content);
    return draft === "" ? {} : { draft };
  }

  /** The calls of a step are asked about together: all of its questions are shown before the run ends. */
  async #park(): Promise<void> {
    await this.#questions.allSeen();
    this.#finish(this.#parked());
  }

  /** The turn stays open, and the result says what it takes to continue. */
  #parked(): Ended {
    const pending = pendingQuestions(this.#questions.waiting());
    const error = { message: parkedText(pending.length, this.#options.session.id) };
    const draft = this.#isSent ? {} : this.#draft();
    return { result: { ...this.#gathered.result("parked"), ...draft, error, pending } };
  }

  /** What was published until then is still shown: the frames end by themselves. */
  #fail(error: unknown): void {
    if (this.#isOver || this.#fault !== undefined) return;
    const fault = faultOf(error);
    this.#fault = fault;
    this.#after(cancelGraceMs, () => this.#finishWith(fault));
  }

  #finishWith(error: unknown): void {
    this.#finish({ result: failedWith(this.#gathered.result("error"), error) });
  }

  #finish(end: Ended): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#questions.stop();
    void this.#frames.return?.();
    this.#tellEnd({ result: this.#rounds.judged(end.result) });
  }

  #after(ms: number, act: () => void): void {
    this.#timers = [...this.#timers, setTimeout(act, ms)];
  }
}
