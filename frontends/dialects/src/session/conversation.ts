import { AgentQuestions } from "@capstan/client";
import {
  AppError,
  type CancelReason,
  type ClientIdentity,
  type EngineClient,
  type Frame,
  type Interaction,
  messageOf,
  type Receipt,
  type SessionClient,
  type SessionEvent,
  type SessionOwner,
  type Submission,
  type TurnId,
  type UserContent,
} from "@capstan/protocol";
import { stopGraceMs } from "../limits.ts";
import { type AnswerForm, withForm } from "./answer-form.ts";
import type { GivenAnswer, Medium } from "./medium.ts";
import { type Message, OpenMessages } from "./open-messages.ts";
import type { Found } from "./open-session.ts";
import { Pending } from "./pending.ts";
import { Questions } from "./questions.ts";
import { refusedEnd, type TurnGatherer } from "./turn-gatherer.ts";
import { Waiters } from "./waiters.ts";

export interface ConversationOptions {
  readonly client: EngineClient;
  readonly identity: ClientIdentity;
  readonly medium: Medium;
  readonly form?: AnswerForm;
}

/** A session that a program drives: what it says becomes turns, and what happens is shown to it in order. */
export class Conversation {
  readonly #options: ConversationOptions;
  readonly #session: SessionClient;
  readonly #frames: AsyncIterator<Frame>;
  readonly #messages = new OpenMessages();
  readonly #pending: Pending;
  readonly #agents: AgentQuestions;
  readonly #questions: Questions;
  readonly #waiters = new Waiters();
  #owner: SessionOwner;
  #seen: number;
  #fault: AppError | undefined;
  #isClosed = false;

  constructor(options: ConversationOptions, { session, snapshot, owner }: Found) {
    this.#options = options;
    this.#session = session;
    this.#owner = owner;
    this.#seen = snapshot.seq;
    this.#pending = new Pending(snapshot);
    this.#frames = session.attach(snapshot.seq)[Symbol.asyncIterator]();
    const failed = (error: unknown): void => this.#fail(error);
    this.#agents = new AgentQuestions(options.client.interactions, session.id, {
      changed: () => this.#look(),
      failed,
    });
    this.#questions = new Questions({
      ask: async (interaction, signal) => await options.medium.ask(interaction, signal),
      given: async (interaction, given) => await this.#answer(interaction, given),
      left: () => this.#waiters.wake(),
      failed,
    });
  }

  /** Shows what happens from here on, and carries on with what an earlier process left open. */
  async begin(): Promise<void> {
    this.#follow().catch((error: unknown) => this.#fail(error));
    void this.#session.fault.then((fault) => this.#fail(fault));
    await this.#resume();
    this.#look();
  }

  get session(): SessionClient {
    return this.#session;
  }

  /** Words of the program; their end comes through the medium, whatever it is. */
  async say(turnId: TurnId, content: readonly UserContent[]): Promise<void> {
    const { form } = this.#options;
    if (this.#fault !== undefined) return await this.#options.medium.ended(refusedEnd(this.#fault.message));
    await this.#send(this.#messages.add(turnId, form), withForm(content, form));
  }

  async submit(submission: Submission): Promise<Receipt> {
    return await this.#session.submit(submission);
  }

  /** Stops the turn that is open, if it is one of the program's; those that wait follow. */
  async interrupt(reason: CancelReason): Promise<void> {
    const { active } = this.#messages;
    if (active !== undefined) await this.submit({ type: "cancel", reason, turnId: active.gatherer.turnId });
  }

  /** Takes back the words of the program whose turns have not begun. */
  async withdrawQueued(): Promise<void> {
    for (const { gatherer } of this.#messages.all) {
      if (gatherer.isActive) continue;
      await this.submit({ type: "queue-change", turnId: gatherer.turnId, change: { type: "remove" } });
    }
  }

  /** Resolves when every message has come to its end, or what is left waits for a user who is asked elsewhere. */
  async rest(): Promise<void> {
    const isParked = (): boolean => this.#owner.type === "here" && this.#questions.left > 0;
    await this.#waiters.until(() => this.#messages.count === 0 || this.#fault !== undefined || isParked());
    for (const message of this.#messages.all)
      await this.#finish(message, message.gatherer.end("parked", "it waits for an answer from elsewhere"));
  }

  /** Ends what the program has begun, as far as that ends in time. */
  async stop(reason: CancelReason): Promise<void> {
    this.#questions.stop();
    try {
      await this.withdrawQueued();
      await this.interrupt(reason);
    } catch (error) {
      this.#fail(error);
    }
    const patience = setTimeout(
      () => this.#fail(new AppError("session.unknown", "it did not end in time")),
      stopGraceMs,
    );
    await this.#waiters.until(() => this.#messages.count === 0 || this.#fault !== undefined);
    clearTimeout(patience);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#questions.stop();
    this.#agents.stop();
    void this.#frames.return?.();
    await this.#session.close();
  }

  async #send(
    message: Message,
    content: readonly UserContent[],
    about: { readonly follows?: TurnId } = {},
  ): Promise<void> {
    try {
      const { turnId } = message.gatherer;
      const receipt = await this.submit({ type: "user-input", turnId, content, ...about });
      if (receipt.type === "refused") {
        const hint = receipt.hint === undefined ? "" : ` ${receipt.hint}`;
        return await this.#finish(message, refusedEnd(`${receipt.reason}.${hint}`));
      }
      await this.#waiters.until(() => this.#seen >= receipt.seq || this.#fault !== undefined);
      if (message.gatherer.hasBegun || this.#fault !== undefined) return;
      await this.#finish(
        message,
        refusedEnd("these very words were sent before, under the same id: nothing is repeated"),
      );
    } catch (error) {
      this.#fail(error);
    }
  }

  async #follow(): Promise<void> {
    for (;;) {
      const step = await this.#frames.next();
      if (this.#isClosed) return;
      if (step.done === true || step.value.type === "closed") {
        const reason = step.done === true || step.value.type !== "closed" ? "it was closed" : step.value.reason;
        return this.#fail(new AppError("session.unknown", `the session ended: ${reason}`));
      }
      await this.#take(step.value);
    }
  }

  async #take(frame: Frame): Promise<void> {
    if (frame.type === "record") await this.#takeEvent(frame.event);
    if (frame.type === "live") this.#seen = Math.max(this.#seen, frame.seq);
    if (frame.type === "owner") {
      this.#owner = frame.owner;
      await this.#resume();
      this.#look();
    }
    this.#waiters.wake();
  }

  async #takeEvent(event: SessionEvent): Promise<void> {
    const { medium } = this.#options;
    const { record } = event;
    this.#pending.take(record);
    this.#agents.take(record);
    const isOwn = this.#messages.take(event);
    await medium.record(event, isOwn);
    this.#seen = Math.max(this.#seen, event.seq);
    for (const message of this.#messages.all) if (message.gatherer.isOver) await this.#over(message);
    if (record.type === "interaction-opened" || record.type === "interaction-resolved") this.#look();
  }

  /** With an answer that does not have its form one more turn follows, which asks for it. */
  async #over(message: Message): Promise<void> {
    const end = message.gatherer.end("error");
    const again = message.rounds.next(end);
    if (again === undefined) return await this.#finish(message, message.rounds.judged(end));
    const follows = message.gatherer.turnId;
    message.gatherer.follow(this.#options.client.newTurnId());
    void this.#send(message, again, { follows });
  }

  async #finish(message: Message, end: ReturnType<TurnGatherer["end"]>): Promise<void> {
    if (!this.#messages.remove(message)) return;
    await this.#options.medium.ended(end);
    this.#waiters.wake();
  }

  /** In a session of another process only what the program's own turns ask for is its matter. */
  #look(): void {
    if (this.#isClosed) return;
    const here = this.#owner.type === "here" ? this.#pending.of() : this.#pending.of(this.#messages.turns);
    this.#questions.look([...here, ...this.#agents.pending]);
  }

  async #answer(interaction: Interaction, { answer, after = [] }: GivenAnswer): Promise<void> {
    const { client, identity } = this.#options;
    const entry = this.#agents.find(interaction.id);
    const interactionId = interaction.id;
    // An answer that does not count came after another one, which is shown to everybody.
    if (entry === undefined) await this.submit({ type: "answer", interactionId, answer });
    else await client.interactions.answer({ sessionId: entry.sessionId, interactionId }, answer, identity);
    for (const submission of after) await this.submit(submission);
  }

  async #resume(): Promise<void> {
    if (this.#owner.type === "none" || !this.#session.recovery.waits) return;
    await this.submit({ type: "resume" });
  }

  #fail(error: unknown): void {
    if (this.#isClosed || this.#fault !== undefined) return;
    const fault =
      error instanceof AppError ? error : new AppError("storage.failed", messageOf(error), { cause: error });
    this.#fault = fault;
    void this.#abandon(fault.message);
  }

  async #abandon(reason: string): Promise<void> {
    for (const one of this.#messages.all) await this.#finish(one, one.gatherer.end("error", reason));
    this.#waiters.wake();
  }
}
