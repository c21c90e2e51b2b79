import {
  type FileChange,
  type JournalRecord,
  type JsonObject,
  noUsage,
  type FinishReason,
  type SessionEvent,
  type ToolCallId,
  type TurnId,
  type TurnOutcome,
} from "@capstan/protocol";
import { addSpending, nothingSpent, type Spending } from "@capstan/view";
import type { RefusedCall, TurnEnd } from "./turn-end.ts";

type Ended = Extract<JournalRecord, { type: "turn-ended" }>;

/** Gathers what becomes of one message: its turn, and the turns that carry on with it. */
export class TurnGatherer {
  #turnId: TurnId;
  #isActive = false;
  #hasBegun = false;
  #isPlanApproved = false;
  #ended: Ended | "withdrawn" | undefined;
  #text = "";
  #reason: FinishReason | null = null;
  #limit: string | undefined;
  #spent: Spending = nothingSpent;
  #toolCalls = 0;
  #from: number | undefined;
  #until = 0;
  readonly #calls = new Map<ToolCallId, { readonly tool: string; readonly arguments: JsonObject }>();
  readonly #refused: RefusedCall[] = [];
  readonly #changed = new Map<string, FileChange>();
  readonly #proposed = new Map<string, FileChange>();

  constructor(turnId: TurnId) {
    this.#turnId = turnId;
  }

  /** Of the turn that is open, or of the last. */
  get turnId(): TurnId {
    return this.#turnId;
  }

  get isOver(): boolean {
    return this.#ended !== undefined;
  }

  get isActive(): boolean {
    return this.#isActive && !this.isOver;
  }

  /** The words were seen in the journal: they wait, or their turn has begun. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** One more turn belongs to the message. */
  follow(turnId: TurnId): void {
    this.#turnId = turnId;
    this.#isActive = false;
    this.#ended = undefined;
  }

  take({ record, at }: SessionEvent): void {
    if (record.type === "turn-queued" && record.turnId === this.#turnId) this.#hasBegun = true;
    if (record.type === "turn-started") this.#start(record, at);
    if (record.type === "queue-changed" && record.turnId === this.#turnId) this.#withdraw(record);
    if (!this.#isActive) return;
    this.#until = at;
    if (record.type === "turn-ended" && record.turnId === this.#turnId) this.#end(record);
    this.#note(record);
  }

  /** @param fallback  the outcome where no record says one */
  end(fallback: TurnOutcome, message?: string): TurnEnd {
    const ended = this.#ended;
    const record = ended === "withdrawn" ? undefined : ended;
    const said = record?.message ?? message ?? (ended === "withdrawn" ? "the words were taken out of the queue" : "");
    return {
      outcome: record?.outcome ?? fallback,
      text: this.#text,
      ...(said === "" ? {} : { message: said }),
      ...(record?.failure === undefined ? {} : { failure: record.failure }),
      ...(this.#limit === undefined ? {} : { limit: this.#limit }),
      reason: this.#reason,
      spent: this.#spent,
      toolCalls: this.#toolCalls,
      refused: this.#refused,
      changed: [...this.#changed.values()],
      proposed: [...this.#proposed.values()],
      durationMs: Math.max(0, this.#until - (this.#from ?? this.#until)),
    };
  }

  /** Turns of others may come before and after. */
  #start(record: Extract<JournalRecord, { type: "turn-started" }>, at: number): void {
    this.#isActive = record.turnId === this.#turnId || record.follows === this.#turnId;
    if (!this.#isActive) return;
    this.#turnId = record.turnId;
    this.#hasBegun = true;
    this.#from ??= at;
  }

  #withdraw({ change }: Extract<JournalRecord, { type: "queue-changed" }>): void {
    if (change.type === "removed" || change.type === "handed-back") this.#ended = "withdrawn";
  }

  /** A turn whose plan was approved continues in the one that carries it out, which begins in the same moment. */
  #end(record: Ended): void {
    if (!this.#isPlanApproved) this.#ended = record;
    this.#isPlanApproved = false;
  }

  #note(record: JournalRecord): void {
    this.#spent = addSpending(this.#spent, record);
    switch (record.type) {
      case "step-completed":
        this.#reason = record.reason;
        this.#text = record.message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
        for (const block of record.message.content)
          if (block.type === "tool-call")
            this.#calls.set(block.callId, {
              tool: block.name,
              arguments: block.arguments.type === "json" ? block.arguments.value : {},
            });
        return;
      case "step-abandoned":
        if (record.cause !== "process-died") this.#text = record.text;
        return;
      case "tool-decided":
        this.#calls.set(record.callId, { tool: record.action.tool, arguments: record.action.arguments });
        return;
      case "tool-finished":
        return this.#finish(record);
      case "interaction-opened":
        if (record.interaction.request.type === "budget") this.#limit = record.interaction.request.limit;
        return;
      case "interaction-resolved":
        this.#isPlanApproved ||= approvesPlan(record);
        return;
      default:
        return;
    }
  }

  #finish({ callId, outcome, changes }: Extract<JournalRecord, { type: "tool-finished" }>): void {
    this.#toolCalls += 1;
    const call = this.#calls.get(callId) ?? { tool: "unknown", arguments: {} };
    if (outcome.type === "denied") this.#refused.push({ callId, ...call });
    const into = outcome.type === "proposed" ? this.#proposed : this.#changed;
    for (const change of changes) into.set(change.path, change);
  }
}

function approvesPlan({ answer }: Extract<JournalRecord, { type: "interaction-resolved" }>): boolean {
  return answer.type === "plan" && (answer.decision === "proceed" || answer.decision === "proceed-clean");
}

/** Of a message that was refused before anything was done with it. */
export function refusedEnd(message: string): TurnEnd {
  return {
    outcome: "error",
    text: "",
    message,
    reason: null,
    spent: { modelCalls: 0, usage: noUsage, costUsd: 0 },
    toolCalls: 0,
    refused: [],
    changed: [],
    proposed: [],
    durationMs: 0,
  };
}
