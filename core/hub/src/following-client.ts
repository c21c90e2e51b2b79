import { identified, notRepeated, repeatable, repeatedReceipt } from "./repeated.ts";
import { AwaitedWords } from "./awaited-words.ts";
import { sessionClosed } from "./shared-session.ts";
import { FollowedFrames, isConnectionLoss, type Link } from "./followed-frames.ts";
import {
  type AppError,
  type ClientIdentity,
  type ConversationPage,
  type Draft,
  type FoundFiles,
  type Frame,
  type HistoryPage,
  type Presence,
  type Receipt,
  type RecoveryReport,
  type RewindPreview,
  type SessionClient,
  type SessionId,
  type SessionOwner,
  type SessionSnapshot,
  type Submission,
  type TurnId,
  type ContextReport,
} from "@capstan/protocol";

/** Finds whoever writes to the session now: this process, another one, or nobody. */
export interface OwnerSearch {
  /** @throws AppError when the session is gone */
  find(lost: LostOwner): Promise<Link>;
  /** A word that no one else uses. */
  newId(): string;
  onClose(): void;
}

/** A client whose owner was lost. */
export interface LostOwner {
  /** Words of this client whose turn has not ended, as far as it knows. */
  readonly awaited: readonly TurnId[];
  /** Nobody waits for the next owner any more. */
  isOver(): boolean;
}

/**
 * A client whose session another process writes to. When that process is gone, the client continues with the next owner from the number it has
 * reached, without gap or repeat, or becomes the owner itself where it was opened to drive.
 */
export class FollowingClient implements SessionClient {
  readonly id: SessionId;
  readonly identity: ClientIdentity;
  readonly fault: Promise<AppError>;
  readonly #search: OwnerSearch;
  #link: Link;
  #searching: Promise<Link> | undefined;
  readonly #attached = new Set<FollowedFrames>();
  readonly #awaited = new AwaitedWords();
  /** As far as the records say that were handed on. */
  #openTurn: TurnId | null = null;
  #isClosed = false;
  #reportFault: (fault: AppError) => void = () => undefined;

  constructor(first: Link, search: OwnerSearch) {
    this.id = first.client.id;
    this.identity = first.client.identity;
    this.#link = first;
    this.#search = search;
    this.fault = new Promise((resolve) => {
      this.#reportFault = resolve;
    });
    this.#watchFault(first);
  }

  get recovery(): RecoveryReport {
    return this.#link.client.recovery;
  }

  attach(after: number): AsyncIterable<Frame> {
    const frames = new FollowedFrames(after, {
      current: () => this.#current(),
      lose: (link) => this.#lose(link),
      note: (frame) => this.#note(frame),
      isClosed: () => this.#isClosed,
      ended: (ended) => this.#attached.delete(ended),
    });
    if (this.#isClosed) void frames.return();
    else this.#attached.add(frames);
    return frames;
  }

  async submit(submission: Submission): Promise<Receipt> {
    if (this.#isClosed) return sessionClosed;
    const input = submission.type === "user-input" ? submission.turnId : null;
    if (input !== null) this.#awaited.add(input);
    const receipt = await this.#send(submission);
    if (input !== null && receipt.type === "refused") this.#awaited.delete(input);
    return receipt;
  }

  async #send(submission: Submission): Promise<Receipt> {
    const open = this.#openTurn;
    let sent = identified(submission, () => this.#search.newId());
    let isRepeated = false;
    for (;;) {
      const link = await this.#current();
      try {
        const receipt = await link.client.submit(sent);
        return isRepeated ? await repeatedReceipt(sent, receipt, link.client) : receipt;
      } catch (error) {
        if (!isConnectionLoss(error)) throw error;
      }
      if (this.#isClosed) return sessionClosed;
      // Whether it arrived is not known; it has an identity of its own, so that it may be sent to the next owner.
      const again = repeatable(sent, open);
      if (again === null) return notRepeated;
      [sent, isRepeated] = [again, true];
      await this.#lose(link);
    }
  }

  snapshot(): Promise<SessionSnapshot> {
    return this.#ask((link) => link.snapshot());
  }

  conversation(before: number | null, limit: number): Promise<ConversationPage> {
    return this.#ask((link) => link.conversation(before, limit));
  }

  history(before: number | null, limit: number): Promise<HistoryPage> {
    return this.#ask((link) => link.history(before, limit));
  }

  draft(): Promise<Draft | null> {
    return this.#ask((link) => link.draft());
  }

  saveDraft(text: string | null): Promise<void> {
    return this.#ask((link) => link.saveDraft(text));
  }

  presence(): Promise<readonly Presence[]> {
    return this.#ask((link) => link.presence());
  }

  owner(): Promise<SessionOwner> {
    return this.#ask((link) => link.owner());
  }

  previewRewind(keepTurns: number): Promise<RewindPreview> {
    return this.#ask((link) => link.previewRewind(keepTurns));
  }

  context(): Promise<ContextReport | null> {
    return this.#ask((link) => link.context());
  }

  findFiles(text: string, limit: number): Promise<FoundFiles> {
    return this.#ask((link) => link.findFiles(text, limit));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const frames of this.#attached) await frames.return();
    await this.#searching?.catch(() => undefined);
    await this.#link.client.close().catch(() => undefined);
    this.#search.onClose();
  }

  async #ask<Answer>(question: (link: SessionClient) => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const link = await this.#current();
      try {
        return await question(link.client);
      } catch (error) {
        if (this.#isClosed || !isConnectionLoss(error)) throw error;
        await this.#lose(link);
      }
    }
  }

  #note({ event: { record } }: Extract<Frame, { type: "record" }>): void {
    this.#awaited.note(record);
    if (record.type === "turn-started") this.#openTurn = record.turnId;
    if (record.type !== "turn-ended") return;
    if (record.turnId === this.#openTurn) this.#openTurn = null;
  }

  async #current(): Promise<Link> {
    return await (this.#searching ?? this.#link);
  }

  /** One search at a time, however many notice the loss. */
  async #lose(lost: Link): Promise<void> {
    if (this.#link !== lost) return;
    this.#searching ??= this.#find(lost);
    await this.#searching;
  }

  async #find(lost: Link): Promise<Link> {
    try {
      await lost.client.close().catch(() => undefined);
      const found = await this.#search.find({ awaited: this.#awaited.all(), isOver: () => this.#isClosed });
      this.#link = found;
      this.#watchFault(found);
      if (this.#isClosed) await found.client.close();
      return found;
    } finally {
      this.#searching = undefined;
    }
  }

  /** Only what happens in this process is its fault: another owner that stops is followed by the next. */
  #watchFault({ client, writer }: Link): void {
    if (writer === "here") void client.fault.then((fault) => this.#reportFault(fault));
  }
}
