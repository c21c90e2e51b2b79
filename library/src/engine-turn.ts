import type {
  JournalRecord,
  ProviderFailure,
  Receipt,
  SessionClient,
  SessionEvent,
  TurnId,
  TurnOutcome,
} from "@capstan/protocol";
import { textOf } from "./message-text.ts";

/** What became of words that were sent. */
export type TurnResult =
  | {
      readonly type: "ended";
      readonly outcome: TurnOutcome;
      /** The text of the model's last message. */
      readonly text: string;
      /** What users read about an outcome other than `done`. */
      readonly message?: string;
      readonly failure?: ProviderFailure;
    }
  /** They were taken out of the queue before their turn began. */
  | { readonly type: "withdrawn" }
  /** They did not count. */
  | Extract<Receipt, { readonly type: "refused" }>
  /** The session was closed before the turn ended; it continues when the session is resumed. */
  | { readonly type: "closed"; readonly reason: string };

/** A turn that was asked for: its events while it is iterated, its result for who waits for that. Both may be had, and repeatedly. */
export class EngineTurn implements AsyncIterable<SessionEvent> {
  readonly id: TurnId;
  /** Whether the words count. */
  readonly receipt: Promise<Receipt>;
  readonly #client: SessionClient;
  readonly #after: number;
  #result: Promise<TurnResult> | undefined;

  /** @param after  a number before the turn's first record */
  constructor(client: SessionClient, id: TurnId, { receipt, after }: { receipt: Promise<Receipt>; after: number }) {
    this.id = id;
    this.receipt = receipt;
    this.#client = client;
    this.#after = after;
  }

  /** @throws AppError `storage.*`, when the journal can no longer be written */
  result(): Promise<TurnResult> {
    this.#result ??= this.#await();
    return this.#result;
  }

  async #await(): Promise<TurnResult> {
    let text = "";
    for await (const item of this.#items()) {
      if (item.type === "ended") return { ...item, text };
      if (item.type !== "event") return item;
      if (item.event.record.type === "step-completed") text = textOf(item.event.record.message);
    }
    return { type: "closed", reason: "nothing follows" };
  }

  /** The turn's records, from the first to the last; none when the words were refused. */
  async *[Symbol.asyncIterator](): AsyncGenerator<SessionEvent, void, undefined> {
    for await (const item of this.#items()) if (item.type === "event") yield item.event;
  }

  async *#items(): AsyncGenerator<Item, void, undefined> {
    const receipt = await this.receipt;
    if (receipt.type === "refused") return yield receipt;
    let isOpen = false;
    for await (const frame of this.#client.attach(this.#after)) {
      if (frame.type === "closed") return yield frame;
      if (frame.type !== "record") continue;
      const { record } = frame.event;
      const isOwn = "turnId" in record && record.turnId === this.id;
      isOpen ||= isOwn && record.type === "turn-started";
      if (isOpen || isOwn) yield { type: "event", event: frame.event };
      const end = isOwn ? endBy(record) : undefined;
      if (end !== undefined) return yield end;
    }
  }
}

type Item = TurnResult | { readonly type: "event"; readonly event: SessionEvent };

/** What a turn's own record ends it with. */
function endBy(record: JournalRecord): TurnResult | undefined {
  if (record.type === "queue-changed") {
    const { type } = record.change;
    return type === "removed" || type === "handed-back" ? { type: "withdrawn" } : undefined;
  }
  if (record.type !== "turn-ended") return undefined;
  const { outcome, message, failure } = record;
  return {
    type: "ended",
    outcome,
    text: "",
    ...(message === undefined ? {} : { message }),
    ...(failure === undefined ? {} : { failure }),
  };
}
